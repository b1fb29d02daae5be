package collector_test

import (
	"context"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
)

func TestSnapshotsDoNotChangeAfterwards(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	f.topic("other", nil, 0)
	f.commit("billing", "orders", 0, 0)
	f.commit("billing", "other", 0, 0)
	c := newCollector(t, f.config())
	now := clock()
	old := pollWhole(t, c, now)
	settings := value(t, "settings", old.Topics["orders"].Settings[0])
	at, _ := old.Topics["orders"].Settings[0].At()

	f.deleteTopic("other")
	f.commit("billing", "orders", 0, 5)
	poll(t, c, now)
	poll(t, c, now)

	want(t, "settings in the old snapshot", old.Topics["orders"].Settings[0], settings)
	if again, _ := old.Topics["orders"].Settings[0].At(); again != at {
		t.Errorf("settings of the old snapshot were read again: %v, %v", at, again)
	}
	if len(old.Topics) != 2 || len(old.Partitions) != 2 || len(old.Groups["billing"].Offsets) != 2 {
		t.Errorf("old snapshot: %+v", old)
	}
	want(t, "commit in the old snapshot", old.Groups["billing"].Offsets[key("orders", 0)], model.Commit{Offset: 0, LeaderEpoch: -1})
}

func TestPollsAtTheSameTimeWaitForEachOther(t *testing.T) {
	f := newFake(t)
	f.threeTopics()
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)
	done := make(chan *model.Snapshot)
	for range 4 {
		go func() { done <- c.Poll(t.Context(), now) }()
	}
	if _, problems := c.RecordTimes(t.Context(), now, []model.TimeQuestion{question("a", 0, 0)}); len(problems) > 0 {
		t.Errorf("problems: %+v", problems)
	}
	_ = c.Requests()
	for range 4 {
		if s := <-done; len(s.Problems) > 0 || len(s.Partitions) != 3 {
			t.Errorf("snapshot: %+v", s)
		}
	}
}

func TestAddressesAreNotLookedUpInNew(t *testing.T) {
	config := newFake(t).config()
	config.Brokers = []string{net.JoinHostPort("no-such-host.invalid", "9092")}
	newCollector(t, config) // a cluster that is not there yet is no error
}

func TestPollEndsWithItsContext(t *testing.T) {
	f := newFake(t)
	f.threeTopics()
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := c.Poll(ctx, now)
	if s.Reached || len(s.Partitions) != 3 || len(s.Groups) != 3 {
		t.Errorf("snapshot: %+v", s)
	}
	problem(t, s, model.StageMetadata, "canceled")
}

func TestCloseLeavesNoGoroutineBehind(t *testing.T) {
	f := newFake(t)
	f.threeTopics()
	before := runtime.NumGoroutine()
	config := f.config()
	config.BrokerDeadline = 300 * time.Millisecond
	c, err := collector.New(config)
	if err != nil {
		t.Fatal(err)
	}
	now := clock()
	end := f.silence(1)
	poll(t, c, now)
	poll(t, c, now)
	end()
	c.Close()
	// What serves the connections ends when it sees them closed.
	for range 500 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines before, %d after Close:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
}
