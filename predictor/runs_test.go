package predictor

import (
	"testing"

	"kafka-retention-exporter/model"
)

func TestRhythmIsNotMadeOfOneStall(t *testing.T) {
	for _, c := range []struct {
		name   string
		starts []model.Millis // of runs, in hours
		batch  bool
	}{
		{"each night", []model.Millis{0, 24, 48}, true},
		{"one night skipped", []model.Millis{0, 24, 48, 96}, true},
		{"one night skipped, before the rhythm is known", []model.Millis{0, 24, 72}, false},
		{"a short pause, then a stall of any length", []model.Millis{0, 2, 19}, false},
		{"short pauses, then a long stall", []model.Millis{0, 2, 4, 30}, true},
		{"two runs", []model.Millis{0, 24}, false},
	} {
		var r runs
		for _, hour := range c.starts {
			at := model.Instant(0).Add(hour * 3_600_000)
			r.advance(at, true)
			for i := range model.Millis(3) {
				r.advance(at.Add(i*60_000), false)
			}
		}
		if _, batch := r.rhythm(); batch != c.batch {
			t.Errorf("%s: batch is %v, want %v", c.name, batch, c.batch)
		}
	}
}
