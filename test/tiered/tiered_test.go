package tiered_test

import (
	"fmt"
	"testing"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// The groups that have stopped, at offsets that are some seconds apart. The retention times
// leave room for the first polls: a record is judged only once it was seen.
const (
	retention = 35 * time.Second
	early     = 2
	late      = 60
)

// TestTieredTopics lets a producer write to tiered topics for a minute, polls once a second and
// then holds what was said against what the broker did.
func TestTieredTopics(t *testing.T) {
	kafkatest.Require(t)
	c := startTiered(t)
	stage := play(t, c, map[string]map[string]string{
		"aged":       {"retention.ms": fmt.Sprint(retention.Milliseconds()), "local.retention.ms": "3000"},
		"sized":      {"retention.ms": "-1", "retention.bytes": "4000", "local.retention.bytes": "1000"},
		"kept":       {"cleanup.policy": "", "retention.ms": "12000", "local.retention.ms": "3000"},
		"kept-sized": {"cleanup.policy": "", "retention.ms": "-1", "retention.bytes": "4000", "local.retention.bytes": "1000"},
	})
	t.Run("case 62: the local start moves by the local limit and the total start stays", func(t *testing.T) { localStartMoves(t, stage) })
	t.Run("case 63: the active segment in breach is rolled, uploaded, then deleted locally", func(t *testing.T) { idleActive(t, c.For(t)) })
	t.Run("a group behind the local start is not lost", func(t *testing.T) { lostByTotalStart(t, stage) })
	t.Run("the runway is that of the total retention", func(t *testing.T) { runway(t, stage) })
	t.Run("the floor holds", func(t *testing.T) { floorHolds(t, stage) })
	t.Run("retention.bytes makes sizes unreadable", func(t *testing.T) { sizesUnreadable(t, stage) })
	t.Run("the empty policy expires remote segments", func(t *testing.T) { emptyPolicy(t, stage) })
}

// localStartMoves: while the total start is 0, what is uploaded leaves the local disk, and
// nothing else does.
func localStartMoves(t *testing.T, s *stage) {
	moved := false
	for _, one := range s.sights {
		edges := one.tiers["aged"]
		local, known := one.Partition("aged").LocalLogStart.Get()
		if edges.local > edges.uploaded+1 || edges.next <= edges.uploaded {
			t.Errorf("edges %+v", edges)
		}
		if known && int64(local) > edges.local {
			t.Errorf("the poll read local start %d, and then it was %d", local, edges.local)
		}
		moved = moved || edges.start == 0 && edges.local > late && known && local > early
	}
	if !moved {
		t.Errorf("the local start was never above %d while the total one was 0", late)
	}
}

// lostByTotalStart: the group is lost when the total start has passed it and not before.
func lostByTotalStart(t *testing.T, s *stage) {
	loss := s.loss(t, "aged", early)
	between, after := 0, 0
	for _, one := range s.sights {
		f := one.pair(t, "early", "aged")
		state, _ := f.State.Get()
		lost := state == predictor.Lost
		switch {
		case one.done.Before(loss.After):
			if one.tiers["aged"].local > early {
				between++
			}
			if lost || f.LostOffsets != 0 {
				t.Errorf("%v before the loss: lost %t, %d offsets", loss.After.Sub(one.at), lost, f.LostOffsets)
			}
		case one.at.After(loss.Before):
			after++
			if !lost || f.LostOffsets == 0 {
				t.Errorf("%v after the loss: state %v, %d offsets", one.at.Sub(loss.Before), state, f.LostOffsets)
			}
		}
	}
	if between < 10 || after == 0 {
		t.Errorf("%d polls saw the group between the starts, %d after its loss", between, after)
	}
}

// runway: within 5 % of the time left, one run of the expiration task and one poll.
func runway(t *testing.T, s *stage) {
	for group, position := range map[string]int64{"early": early, "late": late} {
		loss, judged := s.loss(t, "aged", position), 0
		for _, one := range s.sights {
			f, _ := one.Pair(group, "aged") // "late" commits late
			stopped, ok := f.Stopped.Get()
			if !ok || !one.done.Before(loss.After) {
				continue
			}
			judged++
			left := loss.Before.Sub(one.at)
			allowed := left/20 + task + poll
			if off := outside(timeOf(stopped), loss); off > allowed {
				t.Errorf("%s: %v before its loss it was announced %v off, %v is allowed", group, left, off, allowed)
			}
		}
		if judged < 20 {
			t.Errorf("%s: only %d forecasts", group, judged)
		}
	}
}

// floorHolds: no floor is later than the loss, where one is given at all.
func floorHolds(t *testing.T, s *stage) {
	for _, topic := range []string{"aged", "kept"} {
		loss, judged := s.loss(t, topic, early), 0
		for _, one := range s.sights {
			floor, ok := one.pair(t, "early", topic).Floor.Get()
			if !ok || !one.done.Before(loss.After) {
				continue
			}
			judged++
			if timeOf(floor).After(loss.Before) {
				t.Errorf("%s: promised until %v, gone by %v", topic, timeOf(floor), loss.Before)
			}
		}
		if judged == 0 {
			t.Errorf("%s: no floor", topic)
		}
	}
}

// sizesUnreadable: log dirs count the local part only, so nothing is said of what depends on
// the size of the whole.
func sizesUnreadable(t *testing.T, s *stage) {
	for _, topic := range []string{"sized", "kept-sized"} {
		loss, judged := s.loss(t, topic, early), 0
		for _, one := range s.sights {
			if !one.done.Before(loss.After) {
				continue
			}
			f := one.pair(t, "early", topic)
			lag, _ := f.Lag.Get()
			if reason, ok := f.Reason.Get(); !ok || reason != predictor.SizeUnreadable {
				t.Errorf("%s: reason %v (%t)", topic, reason, ok)
			}
			if f.Loss.IsKnown() || f.Stopped.IsKnown() || f.Floor.IsKnown() || lag > 0 && f.Used.IsKnown() {
				t.Errorf("%s: something is said of what cannot be known: %+v", topic, f)
			}
			judged++
		}
		if judged == 0 {
			t.Errorf("%s: no forecast", topic)
		}
	}
}

// emptyPolicy records what a broker does with remote segments under the empty cleanup.policy:
// the same as under delete, by time and by size.
func emptyPolicy(t *testing.T, s *stage) {
	for _, topic := range []string{"kept", "kept-sized"} {
		if moves := s.truth.Changes(kafkatest.Key{Topic: topic}); len(moves) < 5 {
			t.Errorf("%s: moves of the total start: %+v", topic, moves)
		}
	}
	loss := s.loss(t, "kept", early)
	due := s.stamps["kept"][early].Add(12 * time.Second)
	if loss.Before.Before(due) {
		t.Errorf("offset %d was gone by %v, before it came of age at %v", early, loss.Before, due)
	}
	for _, one := range s.sights {
		f := one.pair(t, "early", "kept")
		if at, ok := f.Stopped.Get(); ok && at == model.Forever {
			t.Fatalf("no loss in sight was said of a group that lost its records: %+v", f)
		}
	}
}
