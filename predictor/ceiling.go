package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// ceilingFactor is how much faster than ever seen a producer is assumed to be able to get. The
// floor under size retention stands on it; it is named in the metric's help.
const ceilingFactor = 1.5

// ceiling is the fastest that bytes ever came: the most within one poll. Means over longer
// stretches are no ceiling, since a producer that paused comes back at its full rate.
type ceiling struct {
	poll model.Millis
	most int64
}

// observe takes in the newest point of the volume. Where readings lie further apart than polls
// should, the rate between them is what was seen.
func (c *ceiling) observe(volume *model.Growth) {
	amount, covered := volume.Since(c.poll)
	if covered > 0 {
		c.most = max(c.most, int64(math.Ceil(float64(amount)*float64(c.poll)/float64(max(covered, c.poll)))))
	}
}

// safe is a time within which amount bytes cannot come, under the ceiling. earlier is a rate
// (bytes per millisecond) known from before the watch. ok is false if nothing was ever seen to
// come, so that no ceiling exists.
func (c *ceiling) safe(amount model.Bytes, earlier model.Maybe[float64]) (d model.Millis, ok bool) {
	rate, known := earlier.Get()
	known = known && rate > 0
	switch {
	case amount <= 0:
		return 0, true
	case c.most <= 0 && !known:
		return 0, false
	}
	best := model.Millis(math.MaxInt64)
	if c.most > 0 { // what came within a poll may have come at its end: one poll is not counted
		polls := math.Ceil(float64(amount)/(ceilingFactor*float64(c.most))) - 1
		best = model.Millis(polls) * c.poll
	}
	if known {
		best = min(best, model.Millis(float64(amount)/(ceilingFactor*rate)))
	}
	return best, true
}
