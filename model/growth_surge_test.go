package model_test

import (
	"slices"
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

// repeated is so many polls of the same growth.
func repeated(polls int, perPoll int64) []int64 {
	return slices.Repeat([]int64{perPoll}, polls)
}

// A burst of long ago is a precedent, though the points of then are too far apart to show it.
func TestWhatCameBeforeIsNoSurge(t *testing.T) {
	quiet, burst := repeated(300, 10), repeated(4, 1000)
	if _, ok := grown(slices.Concat(quiet, burst)...).Surge(); !ok {
		t.Error("the first burst is no surge")
	}
	if rate, ok := grown(slices.Concat(quiet, burst, quiet, burst)...).Surge(); ok {
		t.Errorf("the second burst is a surge of %v", rate)
	}
	if _, ok := grown(slices.Concat(quiet, burst, quiet, repeated(4, 10_000))...).Surge(); !ok {
		t.Error("a burst ten times as fast is no surge")
	}
}

// A surge is taken to go on for twice as long as it has gone on, and then as things went before.
func TestTimeInSurge(t *testing.T) {
	g := grown(slices.Concat(repeated(11, 10), repeated(5, 1000))...)
	for _, c := range []struct {
		amount int64
		want   model.Millis
	}{{0, 0}, {-1, 0}, {5000, 5000}, {10_000, 10_000}, {10_050, 15_000}} {
		if got, ok := g.TimeInSurge(c.amount, model.Maybe[float64]{}); !ok || got != c.want {
			t.Errorf("%d take %d (%v), want %d", c.amount, got, ok, c.want)
		}
	}
	calm := grown(0, 10, 10, 10, 10, 10)
	if got, ok := calm.TimeInSurge(20, model.Maybe[float64]{}); !ok || got != 2000 {
		t.Errorf("without a surge 20 take %d (%v), want 2000", got, ok)
	}
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
