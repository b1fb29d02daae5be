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
	"syscall"

	"kafka-retention-exporter/examples/world"
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

// perform shows the world until ctx ends or a part of it fails.
func perform(ctx context.Context, listener net.Listener, out *screen, logger *slog.Logger) error {
	w, err := world.Begin(ctx, listener, logger)
	if err != nil {
		return err
	}
	return w.Run(ctx, (&watch{api: w.URL() + "/api/v1/forecasts", world: w, out: out, where: w.URL()}).run)
}
