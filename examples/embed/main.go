// Command embed is a program that has the exporter inside: its own registry with a metric of its
// own, its own address, and the forecasts for one cluster among them.
//
//	go run ./examples/embed kafka-1:9092 kafka-2:9092
//	curl localhost:8080/metrics
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"kafka-retention-exporter/embedded"
)

const listenAddress = "localhost:8080"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	config := embedded.Default()
	config.Cluster.Brokers = os.Args[1:]
	listener, err := net.Listen("tcp", listenAddress)
	if err == nil {
		err = run(ctx, config, listener)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "embed:", err)
		os.Exit(1)
	}
}

// run serves a registry with the exporter's collectors among others until ctx ends.
func run(ctx context.Context, config embedded.Config, listener net.Listener) error {
	defer func() { _ = listener.Close() }()
	runtime, err := embedded.Start(config, slog.Default())
	if err != nil {
		return err
	}
	defer runtime.Close()

	registry := prometheus.NewRegistry()
	started := prometheus.NewGauge(prometheus.GaugeOpts{Name: "my_program_start_time_seconds", Help: "A metric of the program around it."})
	started.SetToCurrentTime()
	for _, c := range append(runtime.Collectors(), started) {
		if err := registry.Register(c); err != nil {
			return fmt.Errorf("register: %w", err)
		}
	}

	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	closed := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer closed()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
