// Package embedded is the exporter as a part of another program: one that watches Kafka already
// and has its own registry, its own pages and its own way to log in. It is a package of its own,
// since the program itself is package main at the root, which nobody can import, and package
// exporter knows nothing of Kafka; here the parts are put together as the program does it.
//
//	config := embedded.Default()
//	config.Cluster.Brokers = []string{"kafka-1:9092"}
//	runtime, err := embedded.Start(config, logger)
//	if err != nil { ... }
//	defer runtime.Close()
//	registry.MustRegister(runtime.Collectors()...)
//
// It polls in the background from Start to Close, and collecting never waits for Kafka. One
// Runtime watches one cluster; a program that watches several starts several, and registers each
// with prometheus.WrapRegistererWith and the label kafka_cluster, by which the shipped rules tell
// clusters apart. examples/embed is a whole program.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Config is all there is to set. Default gives the program's defaults; only Cluster.Brokers has none.
type Config struct {
	// Cluster is which cluster is watched and how it is reached. Its Brokers, TLS and SASL are
	// those of the Kafka client; package collector/login makes mechanisms from the program's settings.
	Cluster collector.Config
	// PollInterval is the time from the start of one poll to the start of the next.
	PollInterval time.Duration
	// ClockTolerance is how far the clocks of brokers may be apart; floors are earlier by as much.
	ClockTolerance time.Duration
	// StateFile is where what was learned survives a restart; none if empty.
	StateFile string
	// Metrics is how much the collectors say; the zero value is everything.
	Metrics exporter.Shape
}

// Default is a configuration that lacks nothing but brokers.
func Default() Config {
	return Config{Cluster: collector.Default(), PollInterval: 30 * time.Second, ClockTolerance: time.Second}
}

// Validate reports the first thing wrong, or nil.
func (c Config) Validate() error {
	if err := c.Cluster.Validate(); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	if c.ClockTolerance < 0 {
		return errors.New("clock tolerance: must not be negative")
	}
	loop := c.loop()
	if err := loop.Validate(); err != nil {
		return fmt.Errorf("poll interval: %w", err)
	}
	return nil
}

func (c Config) loop() exporter.Config {
	return exporter.Config{PollInterval: c.PollInterval, SizesEvery: c.Cluster.SizesEvery, StateFile: c.StateFile, Metrics: c.Metrics}
}

// Runtime is a running exporter. Its methods may be called from any goroutine.
type Runtime struct {
	source *collector.Collector
	loop   *exporter.Runtime
	cancel context.CancelFunc
	ended  chan struct{} // closed when the loop has ended
}

// Start begins to poll. A cluster that cannot be reached is no error: it shows in the metrics and
// in the log. The error is what Validate finds.
func Start(c Config, logger *slog.Logger) (*Runtime, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("check configuration: %w", err)
	}
	c.Cluster.BrokerDeadline = collector.Patience(c.Cluster.BrokerDeadline, c.PollInterval)
	source, err := collector.New(c.Cluster)
	if err != nil {
		return nil, err
	}
	forecasts := predictor.New(predictor.Config{Poll: model.MillisOf(c.PollInterval), ClockTolerance: model.MillisOf(c.ClockTolerance)})
	loop, err := exporter.New(c.loop(), source, forecasts, time.Now, logger)
	if err != nil {
		source.Close()
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &Runtime{source: source, loop: loop, cancel: cancel, ended: make(chan struct{})}
	go func() { defer close(r.ended); loop.Run(ctx) }()
	return r, nil
}

// Collectors are what to register. What they announce is the metric contract of the program,
// without kafka_retention_build_info, which is about the program that they are in.
func (r *Runtime) Collectors() []prometheus.Collector { return r.loop.Collectors() }

// Ready reports whether a poll that reached a broker has been published.
func (r *Runtime) Ready() bool { return r.loop.Ready() }

// Healthy reports whether polling makes progress; brokers that are away are no reason that it
// does not.
func (r *Runtime) Healthy() bool { return r.loop.Healthy() }

// Close ends the poll under way, writes the state file and ends all connections. Collecting stays
// safe, and what was known goes stale by the rules for every silence.
func (r *Runtime) Close() {
	r.cancel()
	<-r.ended
	r.source.Close()
}
