package model_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// A long history must not cost the bracket that was narrowed last.
func TestNewestAnswersAreNotThinnedOut(t *testing.T) {
	var c model.TimeCurve
	learn := func(o model.Offset, at model.Instant) {
		c.Learn(model.TimeAnswer{TimeQuestion: model.TimeQuestion{At: at}, Stamped: model.Stamped{Offset: o, Stamp: at, Found: true}}, 1_000_000)
	}
	for o := range model.Offset(2000) {
		learn(o*100, model.Instant(o)*1000)
	}
	learn(150_010, 1_500_100)
	learn(150_020, 1_500_200)
	learn(199_950, 1_999_500)
	at, below := c.Newest(150_015)
	lo, _ := at.Get()
	hi, ok := below.Get()
	if !ok || lo != 1_500_100 || hi != 1_500_200 {
		t.Errorf("stamp of 150015 is said to be in [%d, %d) (%v), want what was learned last", lo, hi, ok)
	}
}
