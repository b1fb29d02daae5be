package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// unknownSizes is a log of one record a second, two hours of them, whose segments end after so many
// records for no reason that the settings tell. Nobody may read sizes.
func unknownSizes(t *testing.T) *scene {
	s := newScene(t, settings(2*hour, -1, 7*day))
	s.newest, s.record = rising(-2*hour, second), 0
	return s
}

// ends moves the log on: retention has taken what ended with an expired record, segments being as many
// records long as told since the record told.
func (s *scene) ends(now model.Millis, since, long model.Offset) {
	s.end = model.Offset((now+2*hour)/second) + 1
	if o := model.Offset(now / second); o >= since {
		s.start = since + (o-since)/long*long
	}
}

func TestSegmentsOfASizeThatNothingTellsAreLearned(t *testing.T) {
	s := unknownSizes(t)
	g := s.reads("g", 5100)
	s.during(0, hour, func(now model.Millis) { s.ends(now, 0, 500) })
	s.of("g").between("stopped", s.of("g").Stopped, 5499*second, 5499*second+310*second)
	for o := model.Offset(5600); o < 10_000; o += 1100 {
		g.position = o
		s.at(hour + model.Millis(o))
		last := model.Millis(o/500*500+499) * second
		s.of("g").between("stopped", s.of("g").Stopped, last, last+310*second)
	}
}

// A segment that is not full yet goes when it will have been.
func TestTheActiveSegmentIsFullWhenThoseBeforeWere(t *testing.T) {
	s := unknownSizes(t)
	s.reads("g", 10_790)
	s.during(0, hour, func(now model.Millis) { s.ends(now, 0, 500) })
	s.of("g").between("stopped", s.of("g").Stopped, 10_950*second, 11_050*second+310*second)
}

// Sizes were learned that hold no longer.
func TestLearnedSizesFollow(t *testing.T) {
	for _, long := range []model.Offset{300, 850, 1700} {
		s := unknownSizes(t)
		s.ends(0, 0, 500)
		g := s.reads("g", 100)
		s.during(0, 40*minute, func(now model.Millis) { s.ends(now, 0, 500) })
		s.during(40*minute+pollGap, 6*hour, func(now model.Millis) { s.ends(now, 2000, long) })
		since := 2000 + (model.Offset(6*hour/second)-2000)/long*long
		g.position = since + 2*long + 20
		s.at(6*hour + second)
		last := model.Millis(since+3*long-1) * second
		s.of("g").between("stopped", s.of("g").Stopped, last-30*second, last+340*second)
	}
}

// Several segments go at a pass: what goes together is told as one.
func TestSegmentsThatGoTogether(t *testing.T) {
	s := unknownSizes(t)
	s.reads("g", 10_100)
	s.during(0, 2*hour, func(now model.Millis) { s.ends(now/(5*minute)*(5*minute), 0, 50) })
	s.of("g").between("stopped", s.of("g").Stopped, 10_100*second, 10_500*second+310*second)
}

// By day segments are full, by night they end by their age.
func TestLearnedSizesBesideTheirAge(t *testing.T) {
	s := newScene(t, settings(2*hour, -1, 20*minute))
	s.record = 0
	slow, quick := 10*second, second
	s.newest = func(o model.Offset) model.Instant { // ten hours quickly, ten slowly
		at := model.Millis(o) * quick
		if o > 36_000 {
			at = 36_000*quick + model.Millis(o-36_000)*slow
		}
		return epoch.Add(at)
	}
	bases := []model.Offset{0}
	for o := model.Offset(1); o < 40_000; o++ {
		base := bases[len(bases)-1]
		if o-base >= 500 || s.newest(o).Sub(s.newest(base)) > 20*minute {
			bases = append(bases, o)
		}
	}
	play := func(now model.Millis) {
		for s.newest(s.end) <= epoch.Add(now) {
			s.end++
		}
		for i := 0; i+1 < len(bases) && epoch.Add(now-2*hour) > s.newest(bases[i+1]-1); i++ {
			s.start = bases[i+1]
		}
	}
	g := s.reads("g", 0)
	s.during(0, 9*hour, play)
	check := func() {
		t.Helper()
		g.position = s.start + (s.end-s.start)*2/5
		s.at(s.now.Sub(epoch) + second)
		i := 0
		for bases[i+1] <= g.position {
			i++
		}
		due := s.newest(bases[i+1]-1).Sub(epoch) + 2*hour
		s.of("g").between("stopped", s.of("g").Stopped, due-30*second, due+320*second)
	}
	check()
	s.during(9*hour+minute, 16*hour, play)
	check()
}

// Where the settings tell, nothing else is gone by.
func TestNothingIsLearnedWhereTheSettingsTell(t *testing.T) {
	for _, set := range []model.Settings{settings(2*hour, -1, 500*second-1), sizedSegments(50_000)} {
		s := newScene(t, set)
		s.newest = rising(-2*hour, second)
		s.reads("g", 5100)
		s.during(0, hour, func(now model.Millis) { s.ends(now, 0, 500) })
		if kept := s.pred.Memory().Partitions[0]; kept.Strides != nil {
			t.Errorf("%v is learned", kept.Strides)
		}
		s.of("g").between("stopped", s.of("g").Stopped, 5499*second, 5499*second+310*second)
	}
}

func sizedSegments(bytes model.Bytes) model.Settings {
	set := settings(2*hour, -1, 7*day)
	set.SegmentBytes = bytes
	return set
}

// Sizes are read at the start and then hours later.
func TestSegmentsFillBetweenTwoReadingsOfSizes(t *testing.T) {
	s := newScene(t, sizedSegments(50_000))
	s.newest = rising(-2*hour, second)
	g := s.reads("g", 5100)
	var size model.Read[model.SizeRead]
	s.change = func(snap *model.Snapshot) {
		p := snap.Partitions[key]
		if read, ok := size.At(); ok && s.now < read.Add(5*hour) {
			p.Size = size
		}
		size = p.Size
		snap.Partitions[key] = p
	}
	s.during(0, hour, func(now model.Millis) { s.ends(now, 0, 500) })
	for _, o := range []model.Offset{5100, 8300, 10_100} {
		g.position = o
		s.at(hour + model.Millis(o))
		last := model.Millis(o/500*500+499) * second
		s.of("g").between("stopped", s.of("g").Stopped, last-10*second, last+310*second)
	}
}

// Whoever deletes records moves the log start by as many each time, and no segment ends there.
func TestDeletedRecordsAreNoSegments(t *testing.T) {
	s := unknownSizes(t)
	s.reads("g", 6500)
	s.during(0, hour, func(now model.Millis) {
		s.ends(now, 0, 1<<40)
		s.start = 1000 + 500*model.Offset(now/(10*minute))
	})
	if kept := s.pred.Memory().Partitions[0]; kept.Strides != nil {
		t.Errorf("%v is learned", kept.Strides)
	}
}

func TestLearnedSizesSurviveARestart(t *testing.T) {
	s := unknownSizes(t)
	s.reads("g", 5100)
	s.during(0, hour, func(now model.Millis) { s.ends(now, 0, 500) })
	s.restart()
	s.ends(hour+minute, 0, 500)
	s.at(hour + minute)
	s.ends(hour+2*minute, 0, 500)
	s.at(hour + 2*minute)
	s.of("g").between("stopped", s.of("g").Stopped, 5499*second, 5499*second+310*second)
}
