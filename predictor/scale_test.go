package predictor_test

import (
	"math"
	"testing"

	"kafka-retention-exporter/model"
)

// TestSameWorldAtAnyScale plays one world with all durations multiplied: seconds, minutes or
// days, the shares of retention are the same.
func TestSameWorldAtAnyScale(t *testing.T) {
	var want []float64
	for _, scale := range []model.Millis{1, 60, 1440} {
		got := sharesAt(t, scale)
		if want == nil {
			want = got
		}
		for i := range got {
			if math.Abs(got[i]-want[i]) > 0.005 {
				t.Errorf("scale %d: shares are %.4f, want %.4f", scale, got, want)
				break
			}
		}
	}
}

// sharesAt is the used ratio, and how far away floor, runway and loss are, in retentions.
func sharesAt(t *testing.T, scale model.Millis) []float64 {
	retention := 2000 * second * scale
	s := newSceneAt(t, settings(retention, -1, 200*second*scale), 5*second*scale)
	s.check = 10 * second * scale
	s.newest = rising(-2000*second*scale, second*scale/10)
	g := s.reads("g", 0)
	s.during(0, 400*second*scale, func(at model.Millis) {
		s.end = model.Offset((at + 2000*second*scale) * 10 / (second * scale))
		s.start = 2000 * model.Offset(at/(200*second*scale))
		g.position = 12_000 + 7*model.Offset(at/(second*scale))
	})
	f := s.of("g")
	used, ok := f.Used.Get()
	if !ok {
		t.Fatalf("scale %d: used ratio is unknown", scale)
	}
	shares := []float64{used}
	for _, m := range []model.Maybe[model.Instant]{f.Floor, f.Stopped, f.Loss} {
		at, ok := m.Get()
		if !ok || at == model.Forever {
			t.Fatalf("scale %d: an instant is %v (known %v)", scale, at, ok)
		}
		shares = append(shares, float64(at.Sub(s.now))/float64(retention))
	}
	return shares
}
