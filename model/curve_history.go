package model

import "sort"

// What the curve tells of how the log was written: its records' own stamps are the only clock of
// what came before the watch.

// Widest is the stretch of stamps in which least is known of how records lie, between two of those
// known: from is a known one, and none of those up to the next known record reaches below. Where no
// record lies between the two, nothing is left to know.
func (c *TimeCurve) Widest() (from, below Instant) {
	j := 0
	for i := 0; i+1 < len(c.points); i++ {
		a, b := c.points[i], c.points[i+1]
		for j < len(c.limits) && c.limits[j].offset() < b.offset {
			j++
		}
		upTo := b.stamp
		if j < len(c.limits) {
			upTo = min(upTo, c.limits[j].below)
		}
		if b.offset-a.offset > 1 && upTo.Sub(a.stamp) > below.Sub(from) {
			from, below = a.stamp, upTo
		}
	}
	return from, below
}

// Fastest is the most offsets a millisecond that lie in any stretch of stamps of a window or more,
// as far as it is known; 0 where no stretch is as long.
func (c *TimeCurve) Fastest(window Millis) float64 {
	best := 0.0
	for i := range c.points {
		a := c.points[i]
		j := i + 1 + sort.Search(len(c.points)-i-1, func(k int) bool { return c.points[i+1+k].stamp.Sub(a.stamp) >= window })
		if j < len(c.points) {
			b := c.points[j]
			best = max(best, float64(b.offset-a.offset)/float64(b.stamp.Sub(a.stamp)))
		}
	}
	return best
}

// Reached is how many offsets were stamped by an instant, as nearly as it is known: in a straight line
// between two records known to set the newest stamp. ok is false before the first of them and after
// the last.
func (c *TimeCurve) Reached(t Instant) (o float64, ok bool) {
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].stamp > t }) - 1
	if i < 0 || i+1 == len(c.points) && c.points[i].stamp < t {
		return 0, false
	}
	a := c.points[i]
	if i+1 == len(c.points) {
		return float64(a.offset), true
	}
	b := c.points[i+1]
	share := float64(t.Sub(a.stamp)) / float64(b.stamp.Sub(a.stamp))
	return float64(a.offset) + share*float64(b.offset-a.offset), true
}
