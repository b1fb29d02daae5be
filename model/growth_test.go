package model_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

func TestWhenAValueWasLastNotReached(t *testing.T) {
	var g model.Growth
	for i, v := range []int64{10, 10, 20, 30} {
		g.Add(model.Instant(100*i), v)
	}
	for value, want := range map[int64]model.Maybe[model.Instant]{
		5: {}, 10: {}, // before the watch
		11: model.Known[model.Instant](100), 20: model.Known[model.Instant](100), 21: model.Known[model.Instant](200),
		31: {}, // not yet
	} {
		at, ok := g.Before(value)
		if got := (model.Maybe[model.Instant]{}); ok && model.Known(at) != want || !ok && got != want {
			t.Errorf("%d: %v %v, want %v", value, at, ok, want)
		}
	}
}
