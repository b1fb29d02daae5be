package model_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

func grown(perPoll ...int64) *model.Growth {
	var g model.Growth
	value := int64(0)
	for i, n := range perPoll {
		value += n
		g.Add(model.Instant(1000*i), value)
	}
	return &g
}

func TestSurgeIsGrowthWithoutPrecedent(t *testing.T) {
	for _, c := range []struct {
		name   string
		growth *model.Growth
		want   float64
	}{
		{"import", grown(0, 10, 10, 10, 10, 10, 1000, 1000, 1000), 1},
		{"import that wavers", grown(0, 10, 10, 10, 10, 10, 800, 1000, 1200), 1},
		{"steady", grown(0, 10, 10, 10, 10, 10, 10, 10, 10), 0},
		{"one step", grown(0, 10, 10, 10, 10, 10, 10, 10, 1000), 0},
		{"seen before", grown(0, 10, 10, 1000, 1000, 1000, 10, 10, 10, 1000, 1000, 1000), 0},
		{"from the start", grown(0, 1000, 1000, 1000, 1000), 0},
		{"over", grown(0, 10, 10, 10, 10, 10, 1000, 1000, 1000, 10), 0},
		{"twice as fast", grown(0, 10, 10, 10, 10, 10, 20, 20, 20), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, ok := c.growth.Surge(); ok != (c.want > 0) || got != c.want {
				t.Errorf("surge %v (%v), want %v", got, ok, c.want)
			}
		})
	}
}

func TestPassedKnowsOnlyWhatCameUnderWatch(t *testing.T) {
	g := grown(5, 5, 0, 5)
	for value, want := range map[int64]model.Instant{6: 1000, 10: 1000, 11: 3000, 15: 3000} {
		if at, ok := g.Passed(value); !ok || at != want {
			t.Errorf("%d passed at %d (%v), want %d", value, at, ok, want)
		}
	}
	for _, value := range []int64{3, 5, 16} {
		if at, ok := g.Passed(value); ok {
			t.Errorf("%d is said to be passed at %d", value, at)
		}
	}
}
