package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// TestClockThatJumps: the clock of the machine runs a day ahead for some polls and is put back.
// Nothing is lost by that, and soon after the forecasts are as they were.
func TestClockThatJumps(t *testing.T) {
	s := newScene(t, settings(hour, -1, 10*minute))
	g := s.reads("g", 0)
	const ahead = day
	at := func(real, shown model.Millis) {
		s.end = model.Offset(real / second)
		g.position = model.Offset(real / second / 2)
		s.at(shown)
	}
	real := model.Millis(0)
	for ; real < 20*minute; real += pollGap {
		at(real, real)
	}
	before, _ := s.of("g").Loss.Get()
	for range 4 {
		at(real, real+ahead)
		real += pollGap
		if f := s.of("g"); f.LostOffsets != 0 {
			t.Fatalf("%d offsets lost by a clock", f.LostOffsets)
		}
	}
	for range 10 {
		at(real, real)
		real += pollGap
	}
	f := s.of("g")
	f.notLost()
	f.state(predictor.Progressing)
	after, ok := f.Loss.Get()
	if off := after.Sub(before); !ok || max(off, -off) > 10*minute {
		t.Errorf("the loss was expected at %v, and is now at %v (%v)", before, after, ok)
	}
	if rate, ok := f.Inputs.ProduceRate.Get(); !ok || rate < 0.9 || rate > 1.1 {
		t.Errorf("one record a second arrives, and %v are said to (%v)", rate, ok)
	}
}
