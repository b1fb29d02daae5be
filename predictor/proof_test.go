package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Polls are so coarse against the segments that no single step of the log start proves where these end. One
// after the other does: then floors stand on the segments' ends, and none is late.
func TestManyCoarseStepsProveTheSegments(t *testing.T) {
	const retention, age = model.Millis(200_000), model.Millis(40_000)
	w := &world{t: t, settings: settings(retention, -1, age), poll: 12_000, check: 1000, phase: 300,
		state: "Stable", proto: "consumer", probes: []float64{0.1, 0.3, 0.5, 0.7, 0.9}}
	w.moves = paced(10, 500)
	w.produce = func(now model.Instant) []model.Instant {
		if now.Sub(epoch)%500 != 0 {
			return nil
		}
		return []model.Instant{now, now, now, now}
	}
	w.run(8 * retention)
	later := 0
	for _, f := range w.made {
		floor, ok := f.Floor.Get()
		truth, gone := w.lossOf(f.position)
		state, _ := f.State.Get()
		if !ok || !gone || state == predictor.Lost || f.position >= w.endAt(f.at) {
			continue
		}
		if floor > truth {
			t.Errorf("at %d the floor of %v is %d, but it went at %d", f.at.Sub(epoch), f.position, floor.Sub(epoch), truth.Sub(epoch))
		}
		if next, ok := f.NextStamp.Get(); ok && floor.Sub(next) > retention+2*second {
			later++
		}
	}
	if later == 0 {
		t.Error("no floor stands on the end of a segment")
	}
}
