package collector_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// TestSlowShareGroupCostsNoOther: a coordinator that waits for where a share group starts, as real
// ones do now and then, still tells all else in time.
func TestSlowShareGroupCostsNoOther(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	f.produce("orders", 0, 500)
	f.lists(map[string]string{"workers": "share", "billing": "consumer"})
	f.commit("billing", "orders", 0, 1)
	var waits atomic.Bool
	f.ControlKey(int16(kmsg.DescribeShareGroupOffsets), func(kmsg.Request) (kmsg.Response, error, bool) {
		f.KeepControl()
		return nil, nil, waits.Load()
	})
	f.shares(shareState{start: 0, lag: 1})
	config := f.steady()
	config.BrokerDeadline = time.Second
	c := newCollector(t, config)
	now := clock()
	before := poll(t, c, now)
	fresh(t, "start of the share group", before, before.Groups["workers"].Offsets[key("orders", 0)])

	waits.Store(true)
	started := time.Now()
	s := poll(t, c, now)
	if took := time.Since(started); took > 2*config.BrokerDeadline+5*time.Second {
		t.Errorf("the poll took %v with a deadline of %v for one broker", took, config.BrokerDeadline)
	}
	carried(t, "start of the share group", s, s.Groups["workers"].Offsets[key("orders", 0)])
	fresh(t, "commit of the other group", s, s.Groups["billing"].Offsets[key("orders", 0)])
	fresh(t, "log start", s, s.Partitions[key("orders", 0)].LogStart)
	fresh(t, "end", s, s.Partitions[key("orders", 0)].End)
	late := 0
	for _, p := range s.Problems {
		if p.Cause == "deadline" {
			late++
		}
	}
	if p := problem(t, s, model.StageOffsets, "deadline"); late != 1 || p.Group != "workers" || p.Count != 1 {
		t.Errorf("not the share group alone is late: %+v", s.Problems)
	}
	if s.Brokers[0].Up {
		t.Error("the broker is up, and did not answer all that it was asked")
	}

	waits.Store(false)
	s = pollUntil(t, c, now, "the answer about the share group", func(s *model.Snapshot) bool {
		_, ok := s.Groups["workers"].Offsets[key("orders", 0)].FreshSince(s.Started)
		return ok
	})
	if !s.Brokers[0].Up {
		t.Error("the broker is still down")
	}
}
