package collector_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

func TestMovedCoordinatorIsFoundInTheSamePoll(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.commit("billing", "orders", 0, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)

	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetFetch}, Group: "billing", Err: kerr.NotCoordinator, Count: 1})
	var s *model.Snapshot
	requests := f.watch(func() { s = pollWhole(t, c, now) })
	fresh(t, "commit", s, s.Groups["billing"].Offsets[key("orders", 0)])
	looked := 0
	for _, r := range requests {
		if r.key == kmsg.FindCoordinator {
			looked++
		}
	}
	if looked != 1 {
		t.Errorf("%d look-ups of coordinators, want 1", looked)
	}
}

// TestMovedCoordinatorsAreLookedUpInOneRequest: however many groups have moved, and when the list
// tells where they are it is not asked again.
func TestMovedCoordinatorsAreLookedUpInOneRequest(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	const groups = 30
	for i := range groups {
		f.commit(fmt.Sprintf("group-%d", i), "orders", 0, 0)
	}
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)

	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetFetch}, Err: kerr.NotCoordinator, Count: 3}) // once on each broker
	lookUps := func() (sizes []int) {
		for _, r := range f.watch(func() { pollWhole(t, c, now) }) {
			if q, ok := r.body.(*kmsg.FindCoordinatorRequest); ok {
				sizes = append(sizes, len(q.CoordinatorKeys))
			}
		}
		return sizes
	}
	if got := lookUps(); !slices.Equal(got, []int{groups}) {
		t.Errorf("look-ups of %v groups, want one of %d", got, groups)
	}
	if got := lookUps(); len(got) > 0 {
		t.Errorf("look-ups in the next poll: of %v groups", got)
	}
}
