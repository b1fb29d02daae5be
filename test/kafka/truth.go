package kafka

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Key names a partition.
type Key struct {
	Topic     string
	Partition int32
}

// Sample is a partition as its leader showed it at some moment between Sent and Got.
type Sample struct {
	Sent, Got  time.Time
	TopicID    [16]byte // of the topic that had the name just before; zero before Kafka 2.8
	Start, End int64    // log start offset, high watermark
}

// Change is one move of a log start. It happened after After, when the old value was still to be
// seen, and before Before, when the new one was there.
type Change struct {
	From, To      int64
	After, Before time.Time
	Recreated     bool // another topic has the name: the offsets are not of one log
}

// Truth samples the log start and end of partitions until it is stopped, with a client of its own. What it cannot
// read leaves a gap: the window of the next change is then as wide as the gap.
type Truth struct {
	client  *kgo.Client
	keys    []Key
	stop    context.CancelFunc
	stopped chan struct{}

	mu     sync.Mutex
	series map[Key][]Sample
}

// WatchTruth begins to sample the partitions, once per interval, until Stop or the end of the test. Topics
// need not exist yet, and may vanish and come back.
func WatchTruth(t testing.TB, seeds []string, interval time.Duration, keys ...Key) *Truth {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.RequestRetries(0))
	if err != nil {
		t.Fatalf("watch log starts: make client: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	tr := &Truth{client: client, keys: slices.Clone(keys), stop: cancel, stopped: make(chan struct{}), series: map[Key][]Sample{}}
	go tr.run(ctx, interval)
	t.Cleanup(tr.Stop)
	return tr
}

// Truth is WatchTruth on this cluster.
func (c *Cluster) Truth(interval time.Duration, keys ...Key) *Truth {
	c.t.Helper()
	return WatchTruth(c.t, c.Addresses(), interval, keys...)
}

// Stop ends the sampling; what was seen stays readable. It may be called more than once.
func (tr *Truth) Stop() {
	tr.stop()
	<-tr.stopped
}

// Samples are all samples of a partition so far, oldest first.
func (tr *Truth) Samples(k Key) []Sample {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return slices.Clone(tr.series[k])
}

// Last is the newest sample of a partition; ok is false if there is none yet.
func (tr *Truth) Last(k Key) (s Sample, ok bool) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if n := len(tr.series[k]); n > 0 {
		return tr.series[k][n-1], true
	}
	return Sample{}, false
}

// Changes are all moves of a partition's log start so far, oldest first.
func (tr *Truth) Changes(k Key) []Change {
	var all []Change
	var last Sample
	for i, s := range tr.Samples(k) {
		recreated := s.TopicID != last.TopicID || s.End < last.End
		if i > 0 && (recreated || s.Start != last.Start) {
			all = append(all, Change{From: last.Start, To: s.Start, After: last.Sent, Before: s.Got, Recreated: recreated})
		}
		last = s
	}
	return all
}

// Passed tells when a partition's log start first stood above an offset: between After and Before of
// the change that did it; ok is false if it has not happened.
// The end of a whole topic is not counted.
func (tr *Truth) Passed(k Key, offset int64) (c Change, ok bool) {
	for _, c := range tr.Changes(k) {
		if !c.Recreated && c.From <= offset && c.To > offset {
			return c, true
		}
	}
	return Change{}, false
}

// AwaitChange waits for a move of the log start that satisfies a condition, earlier ones included.
func (tr *Truth) AwaitChange(ctx context.Context, k Key, ok func(Change) bool) (found Change, err error) {
	err = await(ctx, fmt.Sprintf("log start of %s/%d to move", k.Topic, k.Partition), func(context.Context) (bool, error) {
		changes := tr.Changes(k)
		i := slices.IndexFunc(changes, ok)
		if i < 0 {
			return false, fmt.Errorf("moves so far: %+v", changes)
		}
		found = changes[i]
		return true, nil
	})
	return found, err
}

// run samples at every tick; a slow answer makes it skip ticks.
func (tr *Truth) run(ctx context.Context, interval time.Duration) {
	defer close(tr.stopped)
	defer tr.client.Close()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		tr.sample(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
