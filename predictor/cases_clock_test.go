package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// A quiet topic's segment rolls after a week only: records outlive their retention by days.
func TestCaseA19QuietTopicKeepsLonger(t *testing.T) {
	s := newScene(t, settings(10*minute, -1, 7*day))
	s.newest = rising(-6*day, minute)
	s.start = 1                                // where that is not 0, nobody outside knows that a segment begins near it
	const position = model.Offset(6 * 24 * 60) // the record of t=0
	g := s.reads("g", position)
	facts := func(t model.Millis) { s.end = model.Offset((t+6*day)/minute) + 1 }
	s.during(-20*minute, 0, func(t model.Millis) {
		facts(t)
		g.position = min(s.end, position)
	})
	f := s.of("g")
	f.between("floor", f.Floor, 10*minute-2*second, 10*minute+1)
	f.between("stopped", f.Stopped, day+10*minute, day+16*minute)
	s.during(pollGap, 20*minute, facts)
	f = s.of("g")
	f.notLost()
	f.between("floor", f.Floor, 0, 10*minute+1)
	f.between("loss", f.Loss, day+10*minute, day+16*minute)
	f.between("latest", f.Latest, day+10*minute, 7*day+15*minute)
}

// The producer stops: retention takes the active segment too.
func TestCaseA20ActiveSegmentGoes(t *testing.T) {
	s := newScene(t, settings(hour, -1, 7*day))
	s.newest, s.end = rising(-499*second, second), 500
	x, y := s.reads("x", 480), s.reads("y", 500)
	x.state, y.state = "Empty", "Empty"
	s.during(0, 30*minute, func(model.Millis) {})
	s.of("x").between("stopped", s.of("x").Stopped, hour, 65*minute)
	s.start = 500
	s.at(65 * minute)
	s.of("x").state(predictor.Lost)
	s.of("x").reads(0, 20)
	f := s.of("y")
	f.forever("loss", f.Loss)
	f.used(0)
	f.reads(0, 0)
	f.notLost()
}

// A deletion that was seen, to the millisecond: strictly later than retention.ms, at a pass. A
// neighbour that is not cleaned is overdue for days, and not lost.
func TestCaseA22SeenDeletion(t *testing.T) {
	const newest = model.Instant(1_739_782_794_807)
	set := settings(43_200_000, -1, 7*day)
	set.SegmentBytes = 92_636_371
	s := newScene(t, set)
	s.record = 92_636_371 / (3_053_267 - 3_048_556)
	s.start, s.end = 3_048_556, 3_055_000
	s.newest = func(o model.Offset) model.Instant { return newest.Add(second * model.Millis(o-3_053_266)) }
	s.reads("g", 3_050_000).state = "Empty"
	ago := epoch.Sub(newest)
	s.during(hour-ago, 2*hour-ago, func(model.Millis) {})
	f := s.of("g")
	due := 12*hour - ago + 1
	f.between("stopped", f.Stopped, due, due+300*second)
	s.during(3*day-ago, 3*day+10*minute-ago, func(model.Millis) {})
	f = s.of("g")
	now := s.now.Sub(epoch)
	f.notLost()
	f.between("loss", f.Loss, now, now+300*second)
	f.reads(5000, 0)
}

// A stamp in microseconds: nothing is ever deleted by time. With a size limit the blocker itself
// goes by size, and in the same pass all that is old behind it.
func TestCaseA23FutureStamp(t *testing.T) {
	const perHour, behind = 1024, model.Offset(9 * 1024)
	for _, limit := range []model.Bytes{-1, 21 * gib / 2} {
		set := settings(48*hour, limit, 7*day)
		set.SegmentBytes = gib
		s := newScene(t, set)
		s.record = mib
		s.newest = stamped(1_518_000_000_000_000 - model.Millis(epoch))
		s.reads("g", behind).state = "Empty"
		s.during(0, 10*minute, func(t model.Millis) { s.end = 10*1024 + model.Offset(t*perHour/hour) })
		f := s.of("g")
		if limit < 0 {
			f.forever("loss", f.Loss)
			f.forever("stopped", f.Stopped)
			f.used(0)
			continue
		}
		f.between("loss", f.Loss, 90*minute-5*minute, 95*minute+5*minute)
		f.between("floor", f.Floor, 0, 90*minute)
	}
}

// Stamps in seconds look like January 1970: gone at the next pass, whatever the retention.
func TestCaseA24StampsInSeconds(t *testing.T) {
	s := newScene(t, settings(168*hour, -1, 7*day))
	s.newest, s.end = func(model.Offset) model.Instant { return 1_494_000_000 }, 10_000
	s.reads("g", 0)
	s.at(0)
	f := s.of("g")
	f.between("loss", f.Loss, 0, 5*minute)
	if used, _ := f.Used.Get(); used < 1 {
		t.Errorf("used ratio is %v of records older than retention", used)
	}
	s.start = 10_000
	s.at(5 * minute)
	s.of("g").state(predictor.Lost)
	s.of("g").reads(0, 10_000)
}

// Produced and removed between two polls: lost all the same, although no lag was ever seen.
func TestCaseA24BetweenTwoPolls(t *testing.T) {
	s := newScene(t, settings(168*hour, -1, 7*day))
	s.reads("g", 0)
	s.at(0)
	s.start, s.end = 10_000, 10_000
	s.at(pollGap)
	s.of("g").state(predictor.Lost)
	s.of("g").reads(0, 10_000)
}

// A back-dated record behind a live one lives as long as the live one; alone it goes at once.
func TestCaseA25BackDatedRecords(t *testing.T) {
	s := newScene(t, settings(7*day, -1, 7*day))
	s.newest, s.end = rising(-100*second, second), 101 // up to the position: -1 s, then -10 days
	s.newest = func(o model.Offset) model.Instant { return epoch.Add(-second * model.Millis(max(1, 100-o))) }
	s.reads("g", 100)
	s.at(0)
	f := s.of("g")
	week := 7 * day
	f.between("floor", f.Floor, week-week/1000, week)
	if used, ok := f.Used.Get(); !ok || used > 0.001 {
		t.Errorf("used ratio is %v (known %v)", used, ok)
	}
	old := newScene(t, settings(7*day, -1, 7*day))
	old.newest, old.end = stamped(-10*day), 101
	old.reads("g", 100)
	old.at(0)
	f = old.of("g")
	f.between("loss", f.Loss, 0, 5*minute)
}

// One unread record, an idle producer, and a product that starts just now: no history is needed.
func TestCaseB26ValueAfterARestart(t *testing.T) {
	s := newScene(t, settings(48*hour, -1, 7*day))
	s.newest, s.end = stamped(-40*hour), 1
	s.reads("g", 0)
	s.at(0)
	f := s.of("g")
	f.between("floor", f.Floor, 8*hour, 8*hour+1)
	f.used(0.8333)
}

// The oldest unread record's time, from look-ups by time alone.
func TestCaseC01TimeLeftOfTheOldest(t *testing.T) {
	s := newScene(t, settings(7*day, -1, 7*day))
	s.record = 0
	s.newest = func(o model.Offset) model.Instant { return epoch.Add(-6*day - 20*hour + minute*model.Millis(o-100)) }
	s.start, s.end = 100, 5000
	s.reads("g", 100)
	s.at(0)
	f := s.of("g")
	f.between("floor", f.Floor, 4*hour, 4*hour+1)
}

// DeleteRecords that takes the first record of the active segment does not take its age: the segment
// rolls when it would have.
func TestDeleteRecordsWithinTheActiveSegment(t *testing.T) {
	set := settings(day, -1, 10*hour)
	set.SegmentBytes = gib
	s := newScene(t, set)
	s.newest = rising(0, 10*second)
	s.reads("g", 300)
	s.during(hour, 2*hour, func(t model.Millis) { s.end = model.Offset(t / (10 * second)) })
	s.during(2*hour+pollGap, 3*hour, func(t model.Millis) { s.start, s.end = 200, model.Offset(t/(10*second)) })
	s.of("g").between("stopped", s.of("g").Stopped, 34*hour, 34*hour+10*second+300*second)
}

// Each segment takes a random part of segment.jitter.ms off segment.ms: the middle is expected.
func TestSegmentJitterIsExpectedInTheMean(t *testing.T) {
	set := settings(day, -1, 10*hour)
	set.SegmentBytes, set.SegmentJitterMs = gib, 4*hour
	s := newScene(t, set)
	s.newest = rising(0, 10*second)
	s.reads("g", 300)
	s.during(hour, 2*hour, func(t model.Millis) { s.end = model.Offset(t / (10 * second)) })
	s.of("g").between("stopped, not rolled yet", s.of("g").Stopped, 32*hour, 32*hour+10*second+300*second)
	s.during(9*hour, 9*hour+10*minute, func(t model.Millis) { s.end = model.Offset(t / (10 * second)) })
	s.of("g").between("stopped, rolled", s.of("g").Stopped, 32*hour, 32*hour+10*second+300*second)
}
