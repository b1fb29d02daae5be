package model

import (
	"math"
	"sort"
)

// infer is the bytes of so many offsets at the mean of all.
func (c *ByteCurve) infer(offsets Offset) Bytes {
	return Bytes(math.Round(c.PerOffset() * float64(max(0, offsets))))
}

// latelySpan is how many times as many offsets as are inferred their bytes are taken from.
const latelySpan = 4

// lately infers bytes from what came just before a point. Where records become larger or smaller in the course
// of a day, the mean of a long time is off the same way at one deletion after the other, and that adds
// up in all bases that lie below.
func (c *ByteCurve) lately(to bytePoint, offsets Offset) Bytes {
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].at > to.at-latelySpan*offsets }) - 1
	if i < 1 || offsets <= 0 { // how bytes lie below the first reading was never seen
		return c.infer(offsets)
	}
	from := c.points[i]
	return Bytes(math.Round(float64(to.total-from.total) / float64(to.at-from.at) * float64(offsets)))
}
