// Command kafka-retention-exporter forecasts when Kafka's retention deletes records that consumer
// groups have not read yet, and serves the forecasts to Prometheus. This file wires; what it
// wires is in collector, predictor and exporter.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus/collectors"
	versioncollector "github.com/prometheus/client_golang/prometheus/collectors/version"
	"github.com/prometheus/common/promslog"
	"github.com/prometheus/common/version"
	"github.com/prometheus/exporter-toolkit/web"

	"kafka-retention-exporter/answers"
	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/collector/login"
	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/predictor"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr))
}

// run is the program; it returns the exit code. Whatever is wrong with flags, files or
// configuration ends it with 1 and one line; whatever the cluster does, does not.
func run(ctx context.Context, args []string, env login.Lookup, stdout, stderr io.Writer) int {
	s, done, err := load(args, stdout)
	if done {
		return 0
	}
	if isQuestion(args) {
		return runQuestion(ctx, s, err, env, stdout, stderr)
	}
	if err == nil && s.selected == rulesCommand {
		return exitCode(s.rules.Run(stdout), stderr)
	}
	var parts *wired
	if err == nil {
		parts, err = s.wire(env)
	}
	if err == nil && s.configCheck {
		fmt.Fprintln(stdout, "configuration is valid")
		return 0
	}
	if err == nil {
		boundGarbage(env)
		s.log.Writer = stderr
		err = serve(ctx, s, parts, promslog.New(&s.log))
	}
	return exitCode(err, stderr)
}

// exitCode says what is wrong, if anything is.
func exitCode(err error, stderr io.Writer) int {
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", program, err)
		return 1
	}
	return 0
}

// runQuestion is a command that answers once. wrong is what is wrong with the command line, if
// anything. An error always ends with 2, since 1 says that something is at risk.
func runQuestion(ctx context.Context, s *settings, wrong error, env login.Lookup, stdout, stderr io.Writer) int {
	exit, err := answers.ExitUnsure, wrong
	if err == nil {
		exit, err = ask(ctx, s, env, stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", program, err)
	}
	return exit
}

// serve polls and answers until ctx ends or a listener fails.
func serve(ctx context.Context, s *settings, parts *wired, logger *slog.Logger) error {
	logger.Info("Starting "+program, "version", version.Info())
	logger.Info("Build context", "build_context", version.BuildContext())
	source, err := collector.New(parts.collector)
	if err != nil {
		return err
	}
	defer source.Close()
	runtime, err := exporter.New(parts.exporter, source, predictor.New(parts.predictor), time.Now, logger)
	if err != nil {
		return err
	}
	handler, err := runtime.Handler(s.telemetryPath, versioncollector.NewCollector("kafka_retention"),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if err != nil {
		return err
	}
	return runUntil(ctx, runtime, newServer(handler), s.web, logger)
}

// newServer bounds what one client may cost: how long it may take to ask and to read the answer, and
// how much it may send. No request of ours has a body.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           http.MaxBytesHandler(handler, 0),
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10,
	}
}

// shutdownTime is how long scrapes under way and the poll loop get to end after the signal.
const shutdownTime = 3 * time.Second

// runUntil runs loop and server until ctx ends or the server cannot go on.
func runUntil(ctx context.Context, loop *exporter.Runtime, server *http.Server, flags *web.FlagConfig, logger *slog.Logger) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	polling := make(chan struct{})
	go func() { defer close(polling); loop.Run(ctx) }()
	serving := make(chan error, 1)
	go func() { serving <- web.ListenAndServe(server, flags, logger) }()

	var err error
	select {
	case err = <-serving:
	case <-ctx.Done():
		logger.Info("Shutting down")
	}
	cancel()
	// The context for the end is a new one: the old one has just ended.
	last, stop := context.WithTimeout(context.Background(), shutdownTime)
	defer stop()
	_ = server.Shutdown(last) // a scrape that takes longer than this is cut off
	select {
	case <-polling:
	case <-last.Done():
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
