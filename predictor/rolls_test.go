package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// segment.bytes is changed: what was rolled before keeps its size, and the deadlines of what is in it.
func TestSegmentsThatWereRolledKeepTheirSize(t *testing.T) {
	for _, factor := range []float64{0.4, 2.5} {
		set := settings(2*hour, -1, 7*day)
		set.SegmentBytes = 60_000 // 597 records in batches, as it turns out
		s := newScene(t, set)
		s.newest, s.end, s.start = rising(-2*hour, second), 7200, 0
		g := s.reads("g", 5100)
		s.during(0, 30*minute, func(now model.Millis) {
			s.end = model.Offset((now+2*hour)/second) + 1
			s.start = model.Offset(now/second) / 597 * 597
		})
		s.settings.SegmentBytes = model.Bytes(factor * 60_000)
		s.during(30*minute+pollGap, 61*minute, func(now model.Millis) {
			s.end = model.Offset((now+2*hour)/second) + 1
			s.start = model.Offset(now/second) / 597 * 597
		})
		// its segment ends with the record of -2 h + 5372 s
		s.of("g").between("stopped", s.of("g").Stopped, 5372*second, 5372*second+310*second)
		g.position = 5500
		s.at(61*minute + 2*second)
		s.of("g").between("stopped", s.of("g").Stopped, 5969*second, 5969*second+310*second)
	}
}
