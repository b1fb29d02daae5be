package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// The position was read before the end: one above it is nothing unread, not a negative lag, and
// trouble only if it stays.
func TestCaseB01PositionAboveTheEnd(t *testing.T) {
	s := newScene(t, settings(day, -1, 7*day))
	s.newest, s.end = rising(-1000*second, second), 1000
	s.reads("g", 1012)
	s.at(0)
	f := s.of("g")
	f.reads(0, 0)
	f.forever("loss", f.Loss)
	s.at(pollGap)
	f = s.of("g")
	f.unknown(predictor.BeyondEnd)
	if f.Lag.IsKnown() {
		t.Errorf("lag %v of a position beyond the end", f.Lag)
	}
	s.end = 1612
	s.at(2 * pollGap)
	s.of("g").reads(600, 0)
}

// Partitions without a position are counted, and never summed up as a number.
func TestCaseB02NoPositionOnSome(t *testing.T) {
	s := newScene(t, settings(day, -1, 7*day))
	s.newest, s.end = stamped(0), 29
	s.reads("g", 19)
	s.change = func(snap *model.Snapshot) {
		topic := snap.Topics["t"]
		topic.Partitions = 10
		snap.Topics["t"] = topic
		for i := int32(1); i < 10; i++ {
			k := model.PartitionKey{Topic: "t", Partition: i}
			p := s.partition()
			p.Key = k
			snap.Partitions[k] = p
			if i < 7 {
				snap.Groups["g"].Offsets[k] = model.ReadAt(model.Commit{Offset: 19}, s.now)
			}
		}
	}
	s.at(0)
	var lag model.Offset
	without := 0
	for _, f := range s.report.Pairs {
		n, _ := f.Lag.Get()
		lag += n
		if reason, _ := f.Reason.Get(); reason == predictor.NoCommit && !f.Lag.IsKnown() {
			without++
		}
	}
	if lag != 70 || without != 3 {
		t.Errorf("lag %d and %d without a position, want 70 and 3", lag, without)
	}
}

// A commit that could not be read keeps its last value with its old instant.
func TestCaseB03MissingAnswer(t *testing.T) {
	s := newScene(t, settings(day, -1, 7*day))
	s.newest, s.start, s.end = stamped(0), 1_200_000, 1_234_234
	s.reads("g", 1_234_230)
	s.at(0)
	s.change = func(snap *model.Snapshot) {
		snap.Groups["g"].Offsets[key] = model.ReadAt(model.Commit{Offset: 1_234_230}, epoch)
	}
	s.at(pollGap)
	f := s.of("g")
	f.reads(4, 0)
	f.notLost()
	if at, _ := f.PositionAt.Get(); at != epoch {
		t.Errorf("position is said to be of %v, want %v", at, epoch)
	}
}

// Assigned but never committed: a reason and no number.
func TestCaseB04NoPosition(t *testing.T) {
	s := newScene(t, settings(day, -1, 7*day))
	s.newest, s.start, s.end = stamped(0), 1_200_000, 1_234_234
	s.reads("g", 0).none = true
	s.change = func(snap *model.Snapshot) {
		g := snap.Groups["g"]
		g.Assigned = map[model.PartitionKey]bool{key: true}
		snap.Groups["g"] = g
	}
	s.at(0)
	f := s.of("g")
	f.unknown(predictor.NoCommit)
	if f.Lag.IsKnown() || f.Position.IsKnown() {
		t.Errorf("lag %v, position %v without a commit", f.Lag, f.Position)
	}
}

// All members die: the series go on, and the loss comes as said.
func TestCaseB05StoppedGroupStays(t *testing.T) {
	s := newScene(t, settings(6*hour, -1, 10*minute))
	s.newest = rising(0, 10)
	g := s.reads("g", 0)
	facts := func(t model.Millis) { s.end = 100 * model.Offset(t/second) }
	s.during(40*minute, hour, func(t model.Millis) {
		facts(t)
		g.position = s.end - 100
	})
	g.state = "Empty"
	s.during(hour+pollGap, 4*hour, facts)
	f := s.of("g")
	f.state(predictor.Empty)
	f.used(0.5)
	f.reads(100+100*3*3600, 0)
	if stopped, _ := f.Stopped.Get(); stopped != f.lossInstant() {
		t.Errorf("loss %v of a group without members is not its runway %v", f.Loss, f.Stopped)
	}
}

func (f saying) lossInstant() model.Instant {
	at, _ := f.Loss.Get()
	return at
}

// A stopped group is judged against the live end, not by its own last commit.
func TestCaseB32JudgedAgainstTheLiveEnd(t *testing.T) {
	s := newScene(t, settings(10*hour, -1, 10*minute))
	s.newest = rising(-10*second, 10)
	s.reads("g", 1000)
	facts := func(t model.Millis) { s.end = 1000 + 100*model.Offset(t/second) }
	s.during(0, hour, facts)
	s.of("g").reads(360_000, 0)
	s.of("g").state(predictor.Stalled)
	s.during(hour+pollGap, 5*hour, facts)
	s.of("g").used(0.5)
}

// At the end of a silent topic, without a commit for nine days: nothing is wrong.
func TestCaseB33CaughtUpAndIdle(t *testing.T) {
	s := newScene(t, settings(30*day, -1, 7*day))
	s.newest, s.end = stamped(0), 1000
	s.reads("g", 1000)
	s.at(0)
	s.during(9*day, 9*day+5*minute, func(model.Millis) {})
	f := s.of("g")
	f.state(predictor.CaughtUp)
	f.forever("loss", f.Loss)
	f.used(0)
}

// The edges where a ratio of offsets fails.
func TestCaseB37Edges(t *testing.T) {
	for _, c := range []struct {
		position, start, end model.Offset
		age                  model.Millis
		lag                  model.Offset
		lost                 bool
		used                 float64
	}{
		{500, 500, 1000, hour, 500, false, hour.Duration().Hours() / 168},
		{480, 500, 500, hour, 0, true, 1},
		{500, 500, 500, hour, 0, false, 0},
		{0, 900, 1000, hour, 100, true, 1},
		{900, 0, 1000, minute, 100, false, minute.Duration().Hours() / 168},
		{10, 0, 1000, hour, 990, false, hour.Duration().Hours() / 168},
	} {
		s := newScene(t, settings(7*day, -1, 7*day))
		s.newest, s.start, s.end = stamped(-c.age), c.start, c.end
		s.reads("g", c.position)
		s.at(0)
		f := s.of("g")
		f.reads(c.lag, 0)
		f.used(c.used)
		if state, _ := f.State.Get(); (state == predictor.Lost) != c.lost {
			t.Errorf("%+v: state %v", c, state)
		}
	}
}

// A size limit is a time limit at the rate seen.
func TestCaseC03SizeLimitAsTime(t *testing.T) {
	set := settings(7*day, 8*gib, 7*day)
	set.SegmentBytes = 64 * mib
	s := newScene(t, set)
	s.record, s.newest = mib, rising(0, hour/1024)
	g := s.reads("g", 0)
	s.during(8*hour-10*minute, 8*hour, func(t model.Millis) {
		s.end = model.Offset(t * 1024 / hour)
		g.position = s.end - 4*1024
	})
	f := s.of("g")
	f.used(0.5)
	f.between("stopped", f.Stopped, 12*hour-5*minute, 12*hour+15*minute)
}

// What was deleted unread, for each group.
func TestCaseC04CountPerGroup(t *testing.T) {
	s := newScene(t, settings(day, -1, 7*day))
	s.newest, s.end = stamped(0), 2000
	s.reads("a", 0)
	s.reads("b", 500)
	s.reads("c", 1000)
	for i, start := range []model.Offset{0, 800, 900} {
		s.start = start
		s.at(pollGap * model.Millis(i))
	}
	for name, want := range map[string]int64{"a": 900, "b": 400, "c": 0} {
		if got := s.of(name).LostOffsets; got != want {
			t.Errorf("%s: %d offsets are counted lost, want %d", name, got, want)
		}
	}
}

// No progress is said only once it was seen: at first nothing is known of it.
func TestCaseC05NoProgress(t *testing.T) {
	s := newScene(t, settings(day, -1, 7*day))
	s.newest = rising(-100*second, second)
	s.reads("g", 50)
	facts := func(t model.Millis) { s.end = 100 + model.Offset(t/second) }
	s.during(0, minute, facts)
	f := s.of("g")
	f.unknown(predictor.NotEnoughHistory)
	if f.State.IsKnown() {
		t.Errorf("state %v after a minute", f.State)
	}
	s.during(minute+pollGap, 3*hour, facts)
	f = s.of("g")
	f.state(predictor.Stalled)
	if stopped, _ := f.Stopped.Get(); stopped != f.lossInstant() {
		t.Errorf("loss %v of a stalled group is not its runway %v", f.Loss, f.Stopped)
	}
}

// One ratio for all sizes of topics.
func TestCaseC07OneRatioForAll(t *testing.T) {
	large := newScene(t, settings(day, -1, 7*day))
	large.newest, large.end = func(o model.Offset) model.Instant { return epoch.Add(model.Millis(o/1000 - 50_000)) }, 50_000_000
	large.reads("g", 47_000_000)
	large.at(0)
	if used, ok := large.of("g").Used.Get(); !ok || used > 0.002 {
		t.Errorf("used ratio %v (known %v) of three seconds in a day", used, ok)
	}
	small := newScene(t, settings(3*hour, -1, 7*day))
	small.newest, small.end = rising(-2*hour, hour), 2
	small.reads("g", 0)
	small.at(0)
	small.of("g").used(0.6667)
}
