package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// The tests named Case retell losses that people met; what they check is what must be said.

// The reader comes back, jumps to the end and commits nothing: the position stays behind.
func TestCaseA01JumpToTheEndWithoutACommit(t *testing.T) {
	s := newScene(t, settings(hour, -1, 10*minute))
	s.newest = rising(-100*second, 100) // offset 1000 at t=0
	g := s.reads("g", 1000)
	g.state = "Empty"
	facts := func(t model.Millis) {
		s.end = 1000 + 10*model.Offset(min(t, 3*hour)/second)
		s.start = 1000 + 6000*model.Offset(max(0, t-hour)/(10*minute))
		if t > 4*hour {
			s.start, s.end = 109_000, 109_000
		}
	}
	s.start, s.end = 0, 1000
	s.at(0)
	s.of("g").between("floor", s.of("g").Floor, hour-pollGap, hour)
	s.during(pollGap, 70*minute-pollGap, facts)
	s.of("g").notLost()
	s.of("g").between("stopped", s.of("g").Stopped, 70*minute-pollGap, 75*minute)
	s.during(70*minute, 3*hour, facts)
	f := s.of("g")
	f.reads(36_000, 72_000)
	f.state(predictor.Lost)
	f.between("loss", f.Loss, 70*minute, 70*minute)
	s.during(3*hour+pollGap, 4*hour+5*minute, facts)
	f = s.of("g")
	f.reads(0, 108_000)
	f.state(predictor.Lost)
	f.between("loss", f.Loss, 70*minute, 70*minute)
}

// A day of retention, whole segments: the loss comes after the day and in one lump.
func TestCaseA02StoppedForADay(t *testing.T) {
	const border, perSegment = model.Offset(236_826_666), model.Offset(2_097_152)
	set := settings(day, -1, 7*day)
	set.SegmentBytes = gib
	s := newScene(t, set)
	s.record = 512
	s.newest = func(o model.Offset) model.Instant { return epoch.Add(model.Millis(o - border)) }
	s.reads("g", border).state = "Empty"
	facts := func(t model.Millis) {
		s.end = border + 1000*model.Offset(t/second)
		for s.start = border - 42*perSegment; s.now.Sub(s.newest(s.start+perSegment-1)) > day; {
			s.start += perSegment
		}
	}
	s.now = epoch
	facts(0)
	s.at(0)
	s.of("g").between("floor", s.of("g").Floor, day-day/1000-pollGap, day+1)
	s.during(pollGap, hour, facts)
	f := s.of("g")
	f.between("stopped", f.Stopped, day+34*minute+57*second, day+39*minute+58*second)
	f.between("floor", f.Floor, day-2*minute, day+1)
	facts(12 * hour)
	s.at(12 * hour)
	s.of("g").used(0.5)
	s.end, s.start = border+88_000_000, border+perSegment
	s.at(day + 36*minute)
	s.of("g").state(predictor.Lost)
	s.of("g").reads(88_000_000-perSegment, int64(perSegment))
}

// Two groups on one topic: the slower one drifts back for days until retention overtakes it.
func TestCaseA03SlowSibling(t *testing.T) {
	s := newScene(t, settings(day, -1, 10*minute))
	s.newest = rising(0, 1)
	fast, slow := s.reads("fast", 0), s.reads("slow", 0)
	s.during(5*day-4*hour, 5*day, func(t model.Millis) {
		s.end = 1000 * model.Offset(t/second)
		s.start = 600_000 * model.Offset((t-day)/(10*minute))
		fast.position, slow.position = s.end, 900*model.Offset(t/second)
	})
	s.of("fast").forever("loss", s.of("fast").Loss)
	s.of("fast").state(predictor.CaughtUp)
	f := s.of("slow")
	f.state(predictor.Progressing)
	f.used(0.5)
	f.between("stopped", f.Stopped, 5*day+12*hour, 5*day+12*hour+16*minute)
	f.between("loss", f.Loss, 10*day-2*hour, 10*day+5*hour)
}

// An import fills a small byte limit: minutes-old records go while time says a week.
func TestCaseA04BurstBeatsBytes(t *testing.T) {
	set := settings(7*day, 1024*mib, 7*day)
	set.SegmentBytes = 64 * mib
	const before = model.Offset(1024 * 1024) // KiB that are there at t=0
	s := newSceneAt(t, set, 5*second)
	s.record = kib
	s.newest = func(o model.Offset) model.Instant {
		if o < before {
			return epoch.Add(100 * model.Millis(o-before))
		}
		return epoch.Add(model.Millis(o-before) * 1000 / (20 * 1024))
	}
	g := s.reads("g", 0)
	s.during(-10*minute, 0, func(t model.Millis) {
		s.end = before + model.Offset(t/100)
		g.position = s.end
	})
	f := s.of("g")
	f.between("stopped", f.Stopped, 29*hour, 31*hour+5*minute)
	f.forever("loss", f.Loss)
	s.during(5*second, 30*second, func(t model.Millis) {
		s.end = before + 20*1024*model.Offset(t/second)
		g.position = before + 5*1024*model.Offset(t/second)
	})
	f = s.of("g")
	f.reads(450*1024, 0)
	f.between("loss", f.Loss, 60*second, 73*second+300*second)
	if rule, _ := f.Rule.Get(); rule != predictor.BySize {
		t.Errorf("rule is %v, want size", rule)
	}
}

// One offset behind the end at a transaction marker: nothing was lost when it goes.
func TestCaseA07OnlyAMarker(t *testing.T) {
	s := newScene(t, settings(hour, -1, 7*day))
	s.reads("g", 99)
	s.newest, s.end = rising(-100*second, second), 100
	s.during(0, 10*minute, func(model.Millis) {})
	s.start = 100
	s.at(65 * minute)
	f := s.of("g")
	f.notLost()
	f.reads(0, 0)
	f.unknown(predictor.SingleOffsetGap)
}

// The topic is deleted and made anew: what was unread is gone, and the old position means nothing.
func TestCaseA08TopicCreatedAgain(t *testing.T) {
	s := newScene(t, settings(day, -1, 7*day))
	g := s.reads("g", 16_302)
	s.newest, s.end = stamped(0), 20_000
	s.at(0)
	s.id, s.end = model.TopicID{2}, 500
	s.at(minute)
	f := s.of("g")
	f.unknown(predictor.Recreated)
	if f.LostOffsets != 3698 {
		t.Errorf("%d offsets are counted lost, want 3698", f.LostOffsets)
	}
	s.end = 30_000
	s.at(10 * hour)
	s.of("g").unknown(predictor.Recreated)
	g.position = 20_000
	s.at(10*hour + pollGap)
	if reason, _ := s.of("g").Reason.Get(); reason == predictor.Recreated {
		t.Error("a new commit does not count as one to the new topic")
	}
	s.of("g").reads(10_000, 3698)
}

// How long may it stop, asked while nothing is unread.
func TestCaseA09RunwayWhileCaughtUp(t *testing.T) {
	s := newScene(t, settings(day, 50*gib, 7*day))
	s.record, s.newest = mib, rising(0, second)
	g := s.reads("g", 0)
	g.state = "Empty"
	s.during(10*1024*second, 10*1024*second+20*minute, func(t model.Millis) {
		s.end = model.Offset(t / second)
		g.position = s.end
	})
	f := s.of("g")
	now := s.now.Sub(epoch)
	f.forever("loss", f.Loss)
	f.used(0)
	f.between("stopped", f.Stopped, now+50*1024*second, now+51*1024*second+300*second)
	if rule, _ := f.Rule.Get(); rule != predictor.BySize {
		t.Errorf("rule is %v, want size", rule)
	}
}

// Retention is lowered under a group: the next poll must say so.
func TestCaseA10RetentionLowered(t *testing.T) {
	for _, lowered := range []model.Millis{hour, minute} {
		s := newScene(t, settings(7*day, -1, 10*minute))
		s.newest = rising(-6*hour, second)
		g := s.reads("g", 0)
		s.during(-10*minute, 0, func(t model.Millis) {
			s.end = model.Offset((t + 6*hour) / second)
			g.position = s.end - model.Offset(3*hour/second)
		})
		before := s.of("g")
		before.between("stopped", before.Stopped, 165*hour, 165*hour+20*minute)
		s.settings.RetentionMs = lowered
		s.end += 30
		s.at(pollGap)
		f := s.of("g")
		f.between("loss", f.Loss, pollGap, pollGap+5*minute)
		f.between("floor", f.Floor, -3*hour, 0)
		f.notLost()
	}
}

// The exact count of a known gap; it never falls.
func TestCaseA15CountOfAGap(t *testing.T) {
	s := newScene(t, settings(day, -1, day))
	s.newest, s.end = stamped(0), 2_050_000_000
	g := s.reads("g", 2_039_744_107)
	for i, c := range []struct {
		position, start model.Offset
		lost            int64
	}{
		{2_039_744_107, 2_039_744_107, 0},
		{2_039_744_107, 2_040_000_000, 255_893},
		{2_039_744_107, 2_042_206_669, 2_462_562},
		{2_042_206_669, 2_042_206_669, 2_462_562},
		{2_042_250_000, 2_042_300_000, 2_512_562},
	} {
		g.position, s.start = c.position, c.start
		s.at(pollGap * model.Millis(i))
		if got := s.of("g").LostOffsets; got != c.lost {
			t.Errorf("poll %d: %d offsets are counted lost, want %d", i, got, c.lost)
		}
	}
}

// Positions expire before the data: the pair must not vanish, and no number is made up.
func TestCaseA16PositionExpired(t *testing.T) {
	s := newScene(t, settings(7*day, -1, 7*day))
	s.newest, s.start, s.end = stamped(0), 1000, 9000
	g := s.reads("g", 4000)
	g.state = "Empty"
	s.at(0)
	g.none = true
	s.at(24 * hour)
	f := s.of("g")
	f.unknown(predictor.ExpiredPosition)
	if f.Lag.IsKnown() || f.Position.IsKnown() {
		t.Errorf("lag %v, position %v of a position that is gone", f.Lag, f.Position)
	}
	g.none, g.position = false, 9000
	s.at(25 * hour)
	s.of("g").reads(0, 0)
}
