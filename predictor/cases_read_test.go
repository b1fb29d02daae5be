package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Compact-only: retention is set and inert. The same topic under delete counts.
func TestCaseA27CompactedOrNot(t *testing.T) {
	for _, policy := range []model.Policy{model.PolicyDelete, model.PolicyCompact, model.PolicyNone} {
		set := settings(7*day, -1, 7*day)
		set.Policy = policy
		s := newScene(t, set)
		s.newest, s.end = stamped(-400*day), 1000
		s.reads("g", 50)
		s.at(0)
		f := s.of("g")
		f.reads(950, 0)
		if policy == model.PolicyDelete {
			f.between("loss", f.Loss, 0, 5*minute)
			continue
		}
		f.forever("loss", f.Loss)
		f.forever("earliest", f.Earliest)
		f.forever("latest", f.Latest)
		f.forever("stopped", f.Stopped)
		f.forever("floor", f.Floor)
		f.used(0)
	}
}

// A position that was set below the log start: lost, but nothing was deleted unread.
func TestCaseA29CommittedBelowTheStart(t *testing.T) {
	s := newScene(t, settings(7*day, -1, 7*day))
	s.newest, s.start, s.end = stamped(-hour), 1_977_562, 2_000_000
	s.reads("g", 0)
	s.at(0)
	s.of("g").state(predictor.Lost)
	s.of("g").reads(22_438, 0)
}

// The log start goes back and forth around leader changes: counted once.
func TestCaseA34LogStartGoesBack(t *testing.T) {
	s := newScene(t, settings(7*day, -1, 7*day))
	s.newest, s.start, s.end = stamped(-hour), 5000, 9000
	s.reads("g", 5000)
	for i, c := range []struct {
		start model.Offset
		lost  int64
		state bool
	}{{5000, 0, false}, {7000, 2000, true}, {3000, 2000, false}, {7000, 2000, true}} {
		s.start = c.start
		s.at(pollGap * model.Millis(i))
		f := s.of("g")
		state, _ := f.State.Get()
		if f.LostOffsets != c.lost || (state == predictor.Lost) != c.state {
			t.Errorf("start %v: %d lost, state %v, want %d, lost %v", c.start, f.LostOffsets, state, c.lost, c.state)
		}
	}
}

// A log start above the end cannot be: the answer is not used.
func TestCaseA34LogStartAboveTheEnd(t *testing.T) {
	s := newScene(t, settings(7*day, -1, 7*day))
	s.newest, s.start, s.end = stamped(-hour), 5, 110
	s.reads("g", 5)
	s.at(0)
	s.change = func(snap *model.Snapshot) {
		p := snap.Partitions[key]
		p.LogStart = model.ReadAt(model.Offset(120), s.now)
		snap.Partitions[key] = p
	}
	s.at(pollGap)
	f := s.of("g")
	f.notLost()
	f.reads(105, 0)
}

// Each leader's own settings count for its partitions.
func TestCaseA35BrokersDisagree(t *testing.T) {
	s := newScene(t, settings(7*day, -1, 7*day))
	s.newest, s.end = stamped(-8*day), 1000
	s.reads("g", 10)
	long := settings(30*day, -1, 7*day)
	other := model.PartitionKey{Topic: "t", Partition: 1}
	s.change = func(snap *model.Snapshot) {
		p := s.partition()
		p.Key, p.Leader = other, 2
		snap.Partitions[other] = p
		snap.Topics["t"].Settings[2] = model.ReadAt(long, s.now)
		snap.Groups["g"].Offsets[other] = model.ReadAt(model.Commit{Offset: 10}, s.now)
	}
	s.at(0)
	if len(s.report.Pairs) != 2 {
		t.Fatalf("%d pairs, want 2", len(s.report.Pairs))
	}
	first, second := saying{t, s.report.Pairs[0]}, saying{t, s.report.Pairs[1]}
	first.between("floor", first.Floor, -day, -day+1)
	second.between("floor", second.Floor, 22*day, 22*day+1)
}

// A hanging transaction: nothing to read for a reader of committed records, but the clock runs.
func TestCaseA36HangingTransaction(t *testing.T) {
	s := newScene(t, settings(day, -1, 7*day))
	s.newest, s.end = rising(-144*second, second), 9000
	s.reads("g", 144)
	s.during(3*hour, 12*hour, func(model.Millis) {})
	f := s.of("g")
	f.reads(8856, 0)
	f.used(0.5)
	f.between("floor", f.Floor, day-day/1000, day+1)
}

// After an election the end drops for a moment: no negative lag, no alarm.
func TestCaseA39EndDrops(t *testing.T) {
	s := newScene(t, settings(day, -1, 7*day))
	s.newest, s.end = rising(-1000*second, second), 1000
	s.reads("g", 1000)
	s.at(0)
	s.end = 990
	s.at(pollGap)
	f := s.of("g")
	f.reads(0, 0)
	f.forever("loss", f.Loss)
	s.end = 1010
	s.at(2 * pollGap)
	s.of("g").reads(10, 0)
}

// No limit at all, or one so large that sums would wrap around.
func TestCaseA44NoLimit(t *testing.T) {
	for _, retention := range []model.Millis{-1, 1<<63 - 1} {
		s := newScene(t, settings(retention, -1, 7*day))
		s.newest, s.end = stamped(-400*day), 1000
		s.reads("g", 10)
		s.during(0, 5*minute, func(t model.Millis) { s.end = 1000 + model.Offset(t/second) })
		f := s.of("g")
		f.forever("loss", f.Loss)
		f.forever("stopped", f.Stopped)
		f.forever("floor", f.Floor)
		if used, ok := f.Used.Get(); !ok || used > 1e-6 {
			t.Errorf("retention %d: used ratio %v (known %v)", retention, used, ok)
		}
	}
}

// Only a size limit: the runway is what is left of it at the rate seen.
func TestCaseA44SizeOnly(t *testing.T) {
	set := settings(-1, 10*gib, 7*day)
	set.SegmentBytes = 64 * mib
	s := newScene(t, set)
	s.record, s.newest = kib, rising(-2*1024*1024*second, second)
	s.reads("g", 0).state = "Empty"
	s.during(0, 20*minute, func(t model.Millis) { s.end = 2*1024*1024 + model.Offset(t/second) })
	f := s.of("g")
	left := 8 * 1024 * 1024 * second
	f.between("stopped", f.Stopped, left-hour, left+64*1024*second+hour)
	f.used(0.2)
}
