// Package watch is the exporter without its pages, for tests that hold what it would say against
// what a broker does: collector and predictor, polled when the test says so.
package watch

import (
	"context"
	"testing"
	"time"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Watch polls one cluster. It is used from one goroutine.
type Watch struct {
	source *collector.Collector
	pred   *predictor.Predictor
	ahead  model.Millis
}

// Sight is what one poll saw and what follows from it.
type Sight struct {
	Snapshot *model.Snapshot
	Report   *predictor.Report
}

// New makes a Watch that is meant to be polled every interval and reads everything at every
// poll, log dirs of a broker on this machine too where they are given. It ends with the test.
func New(t testing.TB, brokers []string, interval time.Duration, logDirs ...string) *Watch {
	t.Helper()
	return NewAs(t, brokers, interval, func(c *collector.Config) { c.LogDirs = logDirs })
}

// NewAs is a Watch whose collector is configured a little otherwise.
func NewAs(t testing.TB, brokers []string, interval time.Duration, change func(*collector.Config)) *Watch {
	t.Helper()
	config := collector.Default()
	config.Brokers = brokers
	change(&config)
	for _, every := range []*time.Duration{&config.MetadataEvery, &config.ConfigsEvery, &config.SizesEvery, &config.ReplicasEvery, &config.DescribeEvery} {
		*every = time.Millisecond
	}
	source, err := collector.New(config)
	if err != nil {
		t.Fatalf("watch the cluster: %v", err)
	}
	t.Cleanup(source.Close)
	return &Watch{source: source, pred: predictor.New(predictor.Config{Poll: model.MillisOf(interval)})}
}

// Now is the clock of brokers on the same machine.
func Now() model.Instant { return model.InstantOf(time.Now()) }

// PutClock sets the clock of the exporter, and not of the brokers, that much ahead from now on.
func (w *Watch) PutClock(ahead time.Duration) { w.ahead = model.MillisOf(ahead) }

func (w *Watch) now() model.Instant { return Now().Add(w.ahead) }

// rounds bounds the questions of one poll; a bracket of a year takes about 40.
const rounds = 60

// Poll reads the cluster once, answers the predictor's questions and lets it report.
func (w *Watch) Poll(ctx context.Context) Sight {
	s := w.source.Poll(ctx, w.now)
	w.pred.Observe(s)
	for range rounds {
		questions := w.pred.Questions(1000)
		if len(questions) == 0 {
			break
		}
		answers, _ := w.source.RecordTimes(ctx, w.now, questions)
		if len(answers) == 0 {
			break
		}
		w.pred.Learn(answers)
	}
	return Sight{Snapshot: s, Report: w.pred.Report(w.now())}
}

// Pair is what is said about a group on partition 0 of a topic; ok is false if nothing is.
func (s Sight) Pair(group, topic string) (f predictor.Forecast, ok bool) {
	for _, f := range s.Report.Pairs {
		if f.Key.Group == group && f.Key.Topic == topic && f.Key.Partition == 0 {
			return f, true
		}
	}
	return predictor.Forecast{}, false
}

// Partition is what the poll read of partition 0 of a topic.
func (s Sight) Partition(topic string) model.Partition {
	return s.Snapshot.Partitions[model.PartitionKey{Topic: topic}]
}
