package predictor_test

import (
	"math/rand"
	"testing"

	"kafka-retention-exporter/model"
)

// bursts are records whose number changes every few seconds.
func bursts(seed int64) func(model.Instant) []model.Instant {
	random, n := rand.New(rand.NewSource(seed)), 1
	return func(now model.Instant) []model.Instant {
		if model.Millis(now)%5000 == 0 {
			n = []int{1, 1, 2, 3, 8}[random.Intn(5)]
		}
		batch := make([]model.Instant, n)
		for i := range batch {
			batch[i] = now
		}
		return batch
	}
}

// TestBandsAreAsWideAsForecastsAreWrong plays each rule until enough was learned: narrow where
// deadlines are known to the second, wide where bursts decide, and right in nine of ten either way.
// The group stands still half way up the log each time it is looked at.
func TestBandsAreAsWideAsForecastsAreWrong(t *testing.T) {
	for _, c := range []struct {
		name          string
		world         world
		atLeast, most float64 // mean width as a share of the time left
	}{
		{"time", world{settings: settings(120_000, -1, 12_000), produce: steadily(100, 1), check: 1000}, 0.01, 0.06},
		{"time, passes far apart", world{settings: settings(120_000, -1, 12_000), produce: steadily(100, 1), check: 5000}, 0.02, 0.10},
		{"size", world{settings: settings(-1, 200_000, 12_000), produce: steadily(100, 1), check: 1000}, 0.01, 0.10},
		{"size, in bursts", world{settings: settings(-1, 900_000, 12_000), produce: bursts(2), check: 1000}, 0.30, 0.90},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := c.world
			w.t, w.poll, w.phase, w.state, w.proto = t, 1000, 300, "Empty", "consumer"
			w.moves = func(_ model.Instant, _, start, end model.Offset) model.Offset { return (start + end) / 2 }
			w.run(2_400_000)
			var n, inside int
			var width float64
			for _, f := range w.made {
				truth, happened := w.lossOf(f.position)
				if !happened || f.at < epoch+900_000 {
					continue
				}
				lo, _ := f.Earliest.Get()
				hi, _ := f.Latest.Get()
				n++
				width += float64(hi.Sub(lo)) / float64(truth.Sub(f.at))
				if truth >= lo-500 && truth <= hi+500 {
					inside++
				}
			}
			coverage, mean := float64(inside)/float64(n), width/float64(n)
			t.Logf("%d forecasts: coverage %.3f, width %.3f of the time left", n, coverage, mean)
			if coverage < 0.88 || mean < c.atLeast || mean > c.most {
				t.Errorf("coverage %.3f, want 0.88; width %.3f, want %.2f to %.2f", coverage, mean, c.atLeast, c.most)
			}
			if a := w.pred.Report(w.now).Audit; a.BandHits*100 < a.Deadlines*88 {
				t.Errorf("%d of %d audited deadlines came within their bands", a.BandHits, a.Deadlines)
			}
		})
	}
}
