// Command stack shows the way of an alert from a Kafka that deletes records to somebody who reads
// about it in time: go run ./examples/stack
//
// It runs the world of examples/world, in which retention is one minute, with the exporter; Debian's
// prometheus with the shipped rules at that scale; Debian's prometheus-alertmanager with the shipped
// example; and a receiver that prints what it is sent. All is on loopback, and ends on Ctrl-C.
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
	"strings"
	"syscall"

	"kafka-retention-exporter/examples/world"
	"kafka-retention-exporter/test/monitoring"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "stack:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("stack", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are printed by main
	exporter := flags.String("web.listen-address", "127.0.0.1:10059", "Address of the exporter.")
	// Not the usual ports: Debian's packages run servers of their own there.
	prometheus := flags.String("prometheus", "127.0.0.1:10090", "Address of Prometheus.")
	alertmanager := flags.String("alertmanager", "127.0.0.1:10093", "Address of Alertmanager.")
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
	if packages := monitoring.Missing(); len(packages) > 0 {
		return fmt.Errorf("programs are missing. As root on Debian: apt-get install --no-install-recommends %s", strings.Join(packages, " "))
	}
	listener, err := net.Listen("tcp", *exporter)
	if err != nil {
		return err
	}
	w, err := world.Begin(ctx, listener, slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		return err
	}
	s := servers{exporter: listener.Addr().String(), prometheus: *prometheus, alertmanager: *alertmanager, out: &printer{out: stdout}}
	return w.Run(ctx, s.run)
}
