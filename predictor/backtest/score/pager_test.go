package score

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// With a retention of a day the horizon is 4 h, it waits 2 min and lingers 15.
func TestPager(t *testing.T) {
	const minute = model.Millis(60_000)
	type step struct {
		at   int // minutes
		left int // minutes to the loss; below 0: unknown
		want bool
	}
	lost := model.Known(predictor.Lost)
	for _, c := range []struct {
		what  string
		state model.Maybe[predictor.State]
		steps []step
	}{
		{"waits", model.Maybe[predictor.State]{}, []step{{0, 239, false}, {1, 239, false}, {2, 239, true}}},
		{"not at the horizon", model.Maybe[predictor.State]{}, []step{{0, 240, false}, {5, 240, false}}},
		{"waits anew after a gap", model.Maybe[predictor.State]{}, []step{{0, 100, false}, {1, 300, false}, {2, 100, false}, {3, 100, false}, {4, 100, true}}},
		{"holds on within the margin", model.Maybe[predictor.State]{}, []step{{0, 100, false}, {2, 100, true}, {60, 311, true}, {120, 311, true}}},
		{"lingers beyond the margin", model.Maybe[predictor.State]{}, []step{{0, 100, false}, {2, 100, true}, {10, 312, true}, {24, 312, true}, {25, 312, false}}},
		{"lingering begins anew", model.Maybe[predictor.State]{}, []step{{0, 100, false}, {2, 100, true}, {10, 400, true}, {24, 100, true}, {26, 400, true}, {40, 400, true}, {41, 400, false}}},
		{"after the end it waits again", model.Maybe[predictor.State]{}, []step{{0, 100, false}, {2, 100, true}, {3, 400, true}, {18, 400, false}, {19, 300, false}, {25, 300, false}, {26, 100, false}, {28, 100, true}}},
		{"unknown is not near", model.Maybe[predictor.State]{}, []step{{0, -1, false}, {5, -1, false}}},
		{"overdue is near", model.Maybe[predictor.State]{}, []step{{0, 0, false}, {5, 0, true}}},
		{"lost has no time left", lost, []step{{0, 100, false}, {5, 100, false}}},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := newPager(day, pagePart, pageWait)
			for _, s := range c.steps {
				now := model.Instant(0).Add(model.Millis(s.at) * minute)
				f := predictor.Forecast{State: c.state}
				if s.left >= 0 {
					f.Loss = model.Known(now.Add(model.Millis(s.left) * minute))
				}
				if got := p.at(now, &f); got != s.want {
					t.Errorf("after %d min: %t", s.at, got)
				}
			}
		})
	}
}

// Horizons and waits are shares of the retention.
func TestPagerScales(t *testing.T) {
	for _, c := range []struct {
		part         model.Millis
		wait         model.Millis
		horizon, its model.Millis
	}{
		{pagePart, pageWait, 400_000, 3_333},
		{warnPart, warnWait, 1_200_000, 16_666},
	} {
		p := newPager(2_400_000, c.part, c.wait)
		if p.horizon != c.horizon || p.wait != c.its || p.linger != 25_000 {
			t.Errorf("got %+v", p)
		}
	}
}
