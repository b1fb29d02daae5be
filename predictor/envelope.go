package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// ceilingFactor is how much faster than ever seen a producer is assumed to be able to get. The
// floor under size retention stands on it; it is named in the metric's help.
const ceilingFactor = 1.5

// envelope is the most bytes that came within any window of 2^i polls: an arrival curve in the
// sense of network calculus. Since arrivals are sub-additive, what n windows bring is at most n
// times what one brought.
type envelope struct {
	poll model.Millis
	most [8]int64
}

// observe takes in the newest point of the volume.
func (e *envelope) observe(volume *model.Growth) {
	for i := range e.most {
		amount, covered := volume.Since(e.window(i))
		if covered > 0 {
			e.most[i] = max(e.most[i], amount)
		}
	}
}

func (e *envelope) window(i int) model.Millis { return e.poll << i }

// safe is a time within which amount bytes cannot come, under the ceiling. earlier is a rate
// (bytes per millisecond) known from before the watch. ok is false if nothing was ever seen to
// come, so that no ceiling exists.
func (e *envelope) safe(amount model.Bytes, earlier model.Maybe[float64]) (d model.Millis, ok bool) {
	if amount <= 0 {
		return 0, true
	}
	best := model.Millis(-1)
	for i, most := range e.most {
		if most <= 0 {
			continue
		}
		n := math.Ceil(float64(amount)/(ceilingFactor*float64(most))) - 1
		best = max(best, model.Millis(n)*e.window(i))
	}
	rate, known := earlier.Get()
	if best < 0 && !(known && rate > 0) {
		return 0, false
	}
	if known && rate > 0 {
		byRate := model.Millis(float64(amount) / (ceilingFactor * rate))
		if best < 0 || byRate < best {
			best = byRate
		}
	}
	return best, true
}
