package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// ceilingFactor is how much faster than ever seen a producer is assumed to be able to get. The
// floor under size retention stands on it; it is named in the metric's help.
const ceilingFactor = 1.5

// ceilingWindows is how many windows a ceiling has, each twice as long as the one before.
const ceilingWindows = 13

// ceilingRepeats is how many times as long as a window the watch must be for it to count.
const ceilingRepeats = 8

// ceiling is the fastest that bytes ever came: the most within a poll, two polls, four and so on. A
// window counts once enough was seen: of a short watch the mean is no ceiling, since a producer that
// paused comes back at its full rate.
type ceiling struct {
	poll    model.Millis
	most    [ceilingWindows]int64
	longest int                   // how many of the windows count, beyond the first
	recent  float64               // what a poll brings by the last few
	indexed [ceilingWindows]int64 // what the log itself tells of, by the stamps of its records
}

// observe takes in the newest point of the volume. Where readings lie further apart than polls
// should, the rate between them is what was seen.
func (c *ceiling) observe(volume *model.Growth) {
	amount, covered := volume.Since(c.poll)
	if covered <= 0 {
		return
	}
	c.recent = recentRate(volume, c.poll) * float64(c.poll)
	c.most[0] = max(c.most[0], int64(math.Ceil(float64(amount)*float64(c.poll)/float64(max(covered, c.poll)))))
	for i := 1; i < ceilingWindows; i++ {
		amount, ok := volume.Within(c.window(i))
		if !ok {
			return
		}
		c.most[i] = max(c.most[i], int64(math.Ceil(amount)))
		if volume.Span() >= ceilingRepeats*c.window(i) {
			c.longest = max(c.longest, i)
		}
	}
}

// index takes in how fast records came by their own stamps. Of windows shorter than the stamps are known
// finely, it is the fastest that can be told.
func (c *ceiling) index(times *model.TimeCurve, finest, seen model.Millis, perOffset float64) {
	perMs := 0.0
	for i := range c.indexed {
		w := c.window(i)
		if w > seen {
			return
		}
		if w >= finest || i == 0 {
			perMs = times.Fastest(max(w, finest)) * perOffset
		}
		c.indexed[i] = max(c.indexed[i], int64(perMs*float64(w)))
	}
}

func (c *ceiling) window(i int) model.Millis { return c.poll << i }

// within is the most that comes within a window, under the ceiling: no less than comes now, since what
// was seen of a long window may be of another time.
func (c *ceiling) within(i int) float64 {
	return ceilingFactor * max(float64(max(c.most[i], c.indexed[i])), c.recent*float64(int64(1)<<i))
}

// ceilingRecent is how many polls tell how much comes now.
const ceilingRecent = 2

// recentRate is the bytes a millisecond of the last polls.
func recentRate(volume *model.Growth, poll model.Millis) float64 {
	amount, covered := volume.Since(ceilingRecent * poll)
	if covered <= 0 {
		return 0
	}
	return float64(amount) / float64(max(covered, poll))
}

// safe is a time within which amount bytes cannot come, under the ceiling: as many windows as
// together hold no more, the longest first. earlier is the mean rate (bytes per millisecond)
// known from before the watch. ok is false if nothing was ever seen to come, so that no ceiling
// exists.
func (c *ceiling) safe(amount model.Bytes, earlier model.Maybe[float64]) (d model.Millis, ok bool) {
	rate, _ := earlier.Get()
	if amount <= 0 {
		return 0, true
	}
	if c.most[0] <= 0 && c.indexed[0] <= 0 && rate <= 0 {
		return 0, false
	}
	d = model.Millis(math.MaxInt64)
	if c.within(0) > 0 {
		d = c.filled(float64(amount))
	}
	if rate > 0 {
		d = min(d, model.Millis(float64(amount)/(ceilingFactor*rate)))
	}
	return d, true
}

// filled is how long the windows are that an amount fills. What came within a poll may have come at
// its end: one poll is not counted.
func (c *ceiling) filled(amount float64) model.Millis {
	var d model.Millis
	for i := c.longest; i >= 0; i-- {
		if most := c.within(i); most > 0 {
			n := math.Min(math.Floor(amount/most), float64(math.MaxInt64/4/c.window(i)))
			d += model.Millis(n) * c.window(i)
			amount -= n * most
		}
	}
	if amount > 0 { // the last poll is not full
		d += c.poll
	}
	return d - c.poll
}
