package compressed

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/track"
	"kafka-retention-exporter/test/scenario"
)

// pollEvery is the exporter's poll interval.
const pollEvery = time.Second

// watcher is an exporter on a stage, and what it saw and said of every pair.
type watcher struct {
	t         testing.TB
	stage     *scenario.Stage
	addresses []string
	file      string // its state file
	pairs     []scenario.Pair

	mu     sync.Mutex
	polls  map[scenario.Pair][]track.Poll
	spent  time.Duration // by forecasts
	starts []model.Instant
}

// run lets an exporter poll until the context ends.
func (w *watcher) run(ctx context.Context) error {
	c := collector.Default()
	c.Brokers = w.addresses
	c.BrokerDeadline = collector.Patience(c.BrokerDeadline, pollEvery)
	source, err := collector.New(c)
	if err != nil {
		return err
	}
	defer source.Close()
	// Brokers and exporter go by one clock.
	p := &tapped{Predictor: predictor.New(predictor.Config{Poll: model.MillisOf(pollEvery)}), watcher: w}
	config := exporter.Config{PollInterval: pollEvery, SizesEvery: c.SizesEvery, StateFile: w.file}
	r, err := exporter.New(config, source, p, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	w.starts = append(w.starts, model.InstantOf(time.Now()))
	r.Run(ctx)
	return nil
}

// tapped is a predictor that is listened to.
type tapped struct {
	exporter.Predictor
	watcher  *watcher
	snapshot *model.Snapshot
}

// Observe takes in a poll and keeps it until it is reported on.
func (p *tapped) Observe(s *model.Snapshot) {
	p.snapshot = s
	p.Predictor.Observe(s)
}

// Report forecasts, and notes what was forecast.
func (p *tapped) Report(now model.Instant) *predictor.Report {
	began := time.Now()
	r := p.Predictor.Report(now)
	p.watcher.note(p.snapshot, r, time.Since(began))
	return r
}

func (w *watcher) note(s *model.Snapshot, r *predictor.Report, spent time.Duration) {
	said := map[model.PairKey]predictor.Forecast{}
	for _, f := range r.Pairs {
		said[f.Key] = f
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spent += spent
	for _, pair := range w.pairs {
		key := keyOf(pair)
		poll := track.Poll{At: s.Started, Seen: w.see(s, pair), Said: said[key]}
		w.polls[pair] = append(w.polls[pair], poll)
	}
}

func keyOf(p scenario.Pair) model.PairKey {
	return model.PairKey{Group: p.Group, PartitionKey: model.PartitionKey{Topic: p.Topic}}
}

// see is what rules of thumb go by. They read everything at every poll, and the records too.
func (w *watcher) see(s *model.Snapshot, pair scenario.Pair) track.Seen {
	seen := track.Seen{At: s.Started, Committed: -1}
	log, ok := w.stage.Log(pair.Topic)
	if !ok {
		return seen
	}
	key := keyOf(pair).PartitionKey
	seen.Start, seen.End = model.Offset(log.Start), model.Offset(log.End)
	if size, ok := s.Partitions[key].Size.Get(); ok {
		seen.Size = size.Bytes
	}
	if commit, ok := s.Groups[pair.Group].Offsets[key].Get(); ok {
		seen.Committed = commit.Offset
	}
	seen.Next = w.stamp(pair.Topic, max(seen.Committed, seen.Start))
	seen.Oldest = w.stamp(pair.Topic, seen.Start)
	return seen
}

func (w *watcher) stamp(topic string, offset model.Offset) model.Maybe[model.Instant] {
	stamp, ok := w.stage.Stamp(topic, int64(offset))
	if !ok {
		return model.Maybe[model.Instant]{}
	}
	return model.Known(model.InstantOf(stamp))
}
