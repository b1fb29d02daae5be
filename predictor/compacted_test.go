package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// compactedScene is two hours of a compact,delete log, a record a second.
func compactedScene(t *testing.T) *scene {
	s := newScene(t, compacted(settings(2*hour, -1, 10*minute)))
	s.newest, s.end = rising(-2*hour, second), 2*3600
	return s
}

func (s *scene) comes(now model.Millis) { s.end = model.Offset((now+2*hour)/second) + 1 }

// The cleaner took all around the position. The segment of what was there keeps the time it was last
// written to, or it holds the first record that is left: whichever is older keeps the log start away.
func TestFloorWhereTheCleanerTookTheRecords(t *testing.T) {
	for _, c := range []struct{ first, from, to model.Millis }{
		{12_000, 1700, 1800}, // the position's own record came 1800 s after the start
		{9100, 1700, 1800},
	} {
		s := compactedScene(t)
		s.reads("g", 9000)
		s.during(0, 3*hour, s.comes)
		s.start, s.first = 8000, model.Offset(c.first)
		s.during(3*hour+pollGap, 3*hour+5*minute, s.comes)
		s.of("g").between("floor", s.of("g").Floor, c.from*second+2*hour-15*minute, c.to*second+2*hour)
	}
	s := compactedScene(t)
	s.newest = rising(-5*hour, 2*second) // records that are stamped an hour before they come
	s.reads("g", 9000)
	s.during(0, 3*hour, s.comes)
	s.start, s.first = 8000, 9100
	s.during(3*hour+pollGap, 3*hour+5*minute, s.comes)
	stamp := s.newest(9100).Sub(epoch)
	s.of("g").between("floor", s.of("g").Floor, stamp+2*hour-minute, stamp+2*hour+1)
}

// Of a record from before the watch nobody knows when it came.
func TestNoFloorForWhatTheCleanerTookBeforeTheWatch(t *testing.T) {
	s := compactedScene(t)
	s.reads("g", 6000)
	s.start, s.first = 5000, 7000
	s.during(0, hour, s.comes)
	if f := s.of("g"); f.Floor.IsKnown() {
		t.Errorf("floor %v", f.Floor)
	}
	if f := s.of("g"); !f.Stopped.IsKnown() || f.NextStamp != model.Known(s.newest(7000)) {
		t.Errorf("runway %v, next record of %v", f.Stopped, f.NextStamp)
	}
	s = compactedScene(t)
	s.reads("g", 6000)
	s.during(0, hour, s.comes)
	s.of("g").between("floor", s.of("g").Floor, 6000*second-minute, 6000*second+1)
	s.first = 7000 // the log start stays where it is
	s.at(hour + pollGap)
	if f := s.of("g"); f.Floor.IsKnown() {
		t.Errorf("floor %v by a record that is gone", f.Floor)
	}
}

// Segments are joined and go together, an hour and a half of them at a time.
func TestJoinedSegmentsGoTogether(t *testing.T) {
	const long = 5400
	s := compactedScene(t)
	g := s.reads("g", 0)
	play := func(now model.Millis) {
		s.comes(now)
		s.start = model.Offset(now/second) / long * long
	}
	s.during(0, 6*hour+30*minute, play) // the log start is at 21600 since 6 h
	for _, c := range []struct{ position, from, to model.Millis }{
		{21_700, 27_000 - 60, 27_000 + 60},
		{26_900, 27_000 - 60, 27_000 + 60},
		{27_200, 27_200 + long/2 - 60, 27_200 + long/2 + 60},
		{30_000, 30_000 + long/2 - 60, 30_000 + long/2 + 60},
	} {
		g.position = model.Offset(c.position)
		s.at(s.now.Sub(epoch) + second)
		s.of("g").between("stopped", s.of("g").Stopped, c.from*second, c.to*second)
		s.of("g").between("floor", s.of("g").Floor, c.position*second-minute, c.position*second+1)
	}
}

// Before one was seen to go, a block is taken to be 1.3 retentions long; one that is overdue may go at
// any time, but not at once.
func TestFirstBlockOfALog(t *testing.T) {
	s := compactedScene(t)
	s.reads("g", 0)
	s.during(0, 10*minute, s.comes)
	s.of("g").between("stopped", s.of("g").Stopped, 2*hour*13/10-minute, 2*hour*13/10+minute)
	s.during(10*minute+pollGap, 3*hour, s.comes)
	s.of("g").between("stopped", s.of("g").Stopped, 3*hour+17*minute, 3*hour+19*minute)
}

// A log may be longer than the curve of its stamps has points at the usual distance.
func TestQuestionsOfALongLogEnd(t *testing.T) {
	s := compactedScene(t)
	s.reads("g", 9000)
	for now := model.Millis(0); now < 8*hour; now += pollGap {
		s.comes(now)
		s.now = epoch.Add(now)
		s.pred.Observe(s.snapshot())
		asked := 0
		for q := s.pred.Questions(10); len(q) > 0 && asked <= 100; q = s.pred.Questions(10) {
			s.pred.Learn([]model.TimeAnswer{s.answer(q[0])})
			asked++
		}
		if asked > 100 {
			t.Fatalf("more than 100 questions at the poll of %v", now.Duration())
		}
	}
}

// A group that is a little too slow loses, one that keeps up does not.
func TestGroupsOnACompactedLog(t *testing.T) {
	s := compactedScene(t)
	slow, quick := s.reads("slow", 0), s.reads("quick", 0)
	s.during(0, 4*hour, func(now model.Millis) {
		s.comes(now)
		s.start = model.Offset(now/second) / 5400 * 5400
		slow.position = 3000 + model.Offset(now/second)*7/10
		quick.position = s.end - 5
	})
	s.of("slow").between("loss", s.of("slow").Loss, 4*hour, 10*hour)
	s.of("quick").forever("loss", s.of("quick").Loss)
}
