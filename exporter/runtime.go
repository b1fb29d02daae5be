package exporter

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"kafka-retention-exporter/model"
)

// Runtime is one running exporter of one cluster: the poll loop and what it has published.
type Runtime struct {
	cfg       Config
	source    Source
	predictor Predictor
	clock     func() time.Time
	log       *problemLog

	asking   sync.Mutex            // held while a request waits for brokers
	current  atomic.Pointer[state] // never nil
	progress atomic.Int64          // Instant at which the loop last started or ended a poll
	duration *durations
	keeper   keeper
	views    views
	pages    pages
}

// New makes a Runtime that has not polled yet. The clock is time.Now outside of tests.
func New(cfg Config, source Source, p Predictor, clock func() time.Time, logger *slog.Logger) (*Runtime, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("check poll interval: %w", err)
	}
	r := &Runtime{
		cfg: cfg, source: source, predictor: &guarded{p: p}, clock: clock,
		log: newProblemLog(logger), duration: newDurations(),
		keeper: keeper{path: cfg.StateFile, logger: logger},
	}
	r.current.Store(newState())
	r.markProgress()
	return r, nil
}

func (r *Runtime) now() model.Instant { return model.InstantOf(r.clock()) }

func (r *Runtime) markProgress() { r.progress.Store(int64(r.now())) }

// Healthy reports whether the loop makes progress. A poll that failed in time is progress:
// brokers that cannot be reached are no reason to restart this process.
func (r *Runtime) Healthy() bool {
	idle := r.now().Sub(model.Instant(r.progress.Load()))
	return idle <= model.MillisOf(r.cfg.patience())
}

// Ready reports whether a poll that reached a broker has been published.
func (r *Runtime) Ready() bool {
	_, ok := r.current.Load().published.At()
	return ok
}

// view is what may be said at this moment.
func (r *Runtime) view() *view {
	return r.views.at(r.current.Load(), freshness{now: r.now(), keep: r.cfg.keep(), sizes: model.MillisOf(r.cfg.SizesEvery)})
}
