package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// ceilingFactor is how much faster than ever seen a producer is assumed to be able to get. The
// floor under size retention stands on it; it is named in the metric's help.
const ceilingFactor = 1.5

// unreadFactor is how many times that is assumed as long as little is known of the log's own history: where little of it is known, day and night look alike.
const unreadFactor = 2.0

// ceiling is the fastest that bytes ever came: the most within one poll. Means over longer
// stretches are no ceiling, since a producer that paused comes back at its full rate.
type ceiling struct {
	poll    model.Millis
	most    int64
	indexed int64 // what the log itself tells of, by the stamps of its records
}

// observe takes in the newest point of the volume. Where readings lie further apart than polls
// should, the rate between them is what was seen.
func (c *ceiling) observe(volume *model.Growth) {
	amount, covered := volume.Since(c.poll)
	if covered > 0 {
		c.most = max(c.most, int64(math.Ceil(float64(amount)*float64(c.poll)/float64(max(covered, c.poll)))))
	}
}

// index takes in how fast records came by their own stamps, over stretches no shorter than the stamps
// are known finely.
func (c *ceiling) index(times *model.TimeCurve, finest, seen model.Millis, perOffset float64) {
	if c.poll <= seen {
		c.indexed = max(c.indexed, int64(times.Fastest(max(c.poll, finest))*perOffset*float64(c.poll)))
	}
}

// safe is a time within which amount bytes cannot come, under the ceiling, at so many times the most that was seen. earlier is the mean rate
// (bytes per millisecond) known from before the watch. ok is false if nothing was ever seen to come,
// so that no ceiling exists.
func (c *ceiling) safe(amount model.Bytes, earlier model.Maybe[float64], factor float64) (d model.Millis, ok bool) {
	rate, _ := earlier.Get()
	most := factor * float64(max(c.most, c.indexed))
	switch {
	case amount <= 0:
		return 0, true
	case most <= 0 && rate <= 0:
		return 0, false
	}
	d = model.Millis(math.MaxInt64)
	if most > 0 { // what came within a poll may have come at its end: one poll is not counted
		d = model.Millis(math.Min(math.Ceil(float64(amount)/most)-1, float64(math.MaxInt64/4/max(1, c.poll)))) * c.poll
	}
	if rate > 0 {
		d = min(d, model.Millis(float64(amount)/(factor*rate)))
	}
	return d, true
}
