package model_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

func TestReachedIsTheInverseOfTheNewestStamp(t *testing.T) {
	var c model.TimeCurve
	for _, r := range []model.Stamped{{Offset: 0, Stamp: 1000}, {Offset: 100, Stamp: 2000}, {Offset: 400, Stamp: 3000}} {
		r.Found = true
		c.Learn(model.TimeAnswer{Stamped: r, TimeQuestion: model.TimeQuestion{At: r.Stamp}}, 500)
	}
	for at, want := range map[model.Instant]float64{1000: 0, 1500: 50, 2000: 100, 2500: 250, 3000: 400} {
		if got, ok := c.Reached(at); !ok || got != want {
			t.Errorf("at %d offset %v was reached (%v), want %v", at, got, ok, want)
		}
	}
	for _, at := range []model.Instant{999, 3001} {
		if got, ok := c.Reached(at); ok {
			t.Errorf("at %d offset %v is said to be reached", at, got)
		}
	}
}
