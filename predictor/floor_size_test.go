package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// slowedDown is a log under a size limit alone: five records a second for eight hours, and one in ten
// seconds for the two hours before t=0 and since.
func slowedDown(t *testing.T) *scene {
	const fast = 8 * 3600 * 5
	s := newScene(t, settings(-1, 14_400_000, 1000*day))
	s.end = fast + 720
	s.newest = func(o model.Offset) model.Instant {
		if o < fast {
			return epoch.Add(-10*hour + 200*model.Millis(o))
		}
		return epoch.Add(-2*hour + 10*second*model.Millis(o-fast))
	}
	s.reads("g", s.end)
	return s
}

// TestSizeFloorKnowsWhatTheLogTells wants the ceiling to be what the log's own stamps tell, also where
// no time limit makes anybody ask for them: what was watched is the slowest time of the day.
func TestSizeFloorKnowsWhatTheLogTells(t *testing.T) {
	s := slowedDown(t)
	s.during(0, 20*pollGap, func(at model.Millis) {
		s.end = 8*3600*5 + 720 + model.Offset(at/(10*second))
		s.groups["g"].position = s.end
	})
	atMost := model.Millis(14_400_000 / (500 * 1.5) * 1000)
	f := s.of("g")
	f.between("floor", f.Floor, 20*pollGap+atMost/2, 20*pollGap+atMost+minute)
}

// TestSizeFloorKnowsWhatCameSinceTheSize reads an end far beyond that of the last size that could be
// used.
func TestSizeFloorKnowsWhatCameSinceTheSize(t *testing.T) {
	s := slowedDown(t)
	at := 20 * pollGap
	s.during(0, at, func(at model.Millis) {
		s.end = 8*3600*5 + 720 + model.Offset(at/(10*second))
		s.groups["g"].position = s.end
	})
	s.change = func(snap *model.Snapshot) {
		p := snap.Partitions[key]
		p.Size = model.Read[model.SizeRead]{}
		snap.Partitions[key] = p
	}
	s.groups["g"].position = s.end
	s.end += 200_000
	s.at(at + pollGap)
	f := s.of("g")
	f.between("floor", f.Floor, at, at+pollGap)
}

// TestSizeFloorOfWhatWasThereBefore stands in a log whose bytes were never seen come: what lies behind
// is not taken for all of it, by its own offsets near the end, and by those before it elsewhere.
func TestSizeFloorOfWhatWasThereBefore(t *testing.T) {
	const size, came = 36_000, 600 // records, of 100 bytes each
	for position, behind := range map[model.Offset]float64{
		30_000: 1.5 * (size + came - 30_000) * 100,
		18_000: (size+came)*100 - 18_000*100/1.5,
	} {
		s := newScene(t, settings(-1, 4_000_000, 1000*day))
		s.newest, s.end = rising(-10*hour, second), size
		s.reads("g", position)
		s.during(0, 20*pollGap, func(at model.Millis) { s.end = size + model.Offset(at/second) })
		least := model.Millis((4_000_000-behind)/150) * second
		f := s.of("g")
		f.between("floor", f.Floor, 20*pollGap+least-2*minute, 20*pollGap+least+minute)
	}
}
