package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"kafka-retention-exporter/test/fakebroker"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// run plays until ctx or the duration ends, or something fails.
func run(ctx context.Context, args []string, stdout *os.File, stderr io.Writer) error {
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are printed by main
	listen := flags.String("web.listen-address", ":10059", "Address on which to expose metrics and web interface.")
	duration := flags.Duration("duration", 0, "How long to run; 0 is until Ctrl-C.")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stderr)
		flags.Usage()
		return nil
	} else if err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *duration)
		defer cancel()
	}
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	return perform(ctx, listener, newScreen(stdout), slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
}

// perform starts the cluster, the exporter and the play, and ends them all when one of them ends.
func perform(ctx context.Context, listener net.Listener, out *screen, logger *slog.Logger) error {
	cluster, err := fakebroker.Start(ctx, fakebroker.Options{Brokers: 3, CheckInterval: checkInterval})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	exporter, err := newExporter(cluster.Addresses(), listener, logger)
	if err != nil {
		return errors.Join(err, listener.Close(), cluster.Close())
	}
	play := newPlay(cluster, time.Now())
	if err := play.prepare(ctx); err != nil {
		return errors.Join(err, listener.Close(), cluster.Close())
	}
	err = together(ctx, exporter.run, play.produce, play.read, (&watch{
		api: exporter.url() + "/api/v1/forecasts", cluster: cluster, out: out, where: exporter.url(),
	}).run)
	exporter.close()
	return errors.Join(err, cluster.Close())
}

// together runs the parts at the same time. The first that fails ends the others, and its error
// is returned; ctx ending is no failure.
func together(parent context.Context, parts ...func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	var all sync.WaitGroup
	for _, part := range parts {
		all.Go(func() {
			if err := part(ctx); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	if parent.Err() != nil {
		return nil
	}
	return context.Cause(ctx)
}
