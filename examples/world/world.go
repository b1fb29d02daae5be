// Package world is what the examples show: a Kafka cluster within the process (test/fakebroker),
// whose retention follows the broker's rules with time compressed, four groups that read its one
// topic, each a story that operators know, and the exporter watching them.
//
// Collector, predictor and exporter are the program's own and are told nothing else than the
// addresses of the brokers. What the groups do repeats until the world ends.
package world

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/test/fakebroker"
)

// World is a cluster with its groups and an exporter.
type World struct {
	cluster  *fakebroker.Cluster
	exporter *running
	play     *play
}

// Begin makes the cluster with its history. Nothing moves before Run, which has to follow. The
// listener is the exporter's.
func Begin(ctx context.Context, listener net.Listener, logger *slog.Logger) (*World, error) {
	cluster, err := fakebroker.Start(ctx, fakebroker.Options{Brokers: 3, CheckInterval: CheckInterval})
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	exporter, err := newExporter(cluster.Addresses(), listener, logger)
	if err != nil {
		return nil, errors.Join(err, listener.Close(), cluster.Close())
	}
	w := &World{cluster, exporter, newPlay(cluster, time.Now())}
	if err := w.play.prepare(ctx); err != nil {
		return nil, errors.Join(err, listener.Close(), w.close())
	}
	return w, nil
}

// URL is where a browser on this computer finds the exporter.
func (w *World) URL() string { return w.exporter.url() }

// Passed tells when the log start passed an offset of the topic; ok is false if it has not.
func (w *World) Passed(o model.Offset) (at model.Instant, ok bool) {
	change, ok := w.cluster.Passed(orders, o)
	return change.At, ok
}

// Run lets everything move, and runs the given parts beside it, until ctx ends or a part fails.
func (w *World) Run(ctx context.Context, parts ...func(context.Context) error) error {
	err := together(ctx, append(parts, w.exporter.run, w.play.produce, w.play.read)...)
	return errors.Join(err, w.close())
}

func (w *World) close() error {
	w.exporter.close()
	return w.cluster.Close()
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
