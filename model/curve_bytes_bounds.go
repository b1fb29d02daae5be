package model

import (
	"math"
	"sort"
)

// What follows is the curve with nothing taken for granted but that offsets have about the same
// bytes within a stretch as they have from one stretch to the next. Totals are in the curve's own
// count.

// NotBefore is an offset up to which the log held no more than so many bytes.
func (c *ByteCurve) NotBefore(total Bytes) Offset {
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].total+c.blunt(i) > total }) - 1
	if i < 0 {
		return 0
	}
	a := c.points[i]
	if rate, off, ok := c.between(i); ok {
		return max(a.before(), a.at+Offset(float64(total-a.total-c.blunt(i)-off)/rate))
	}
	return a.before()
}

// NotAfter is an offset up to which the log held more than so many bytes; ok is false where no
// size read shows it.
func (c *ByteCurve) NotAfter(total Bytes) (o Offset, ok bool) {
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].total-c.blunt(i) > total })
	if i == len(c.points) {
		return 0, false
	}
	b := c.points[i]
	if rate, off, ok := c.between(i - 1); ok {
		return min(b.after(), b.at-Offset(float64(b.total-c.blunt(i)-off-total)/rate)+1), true
	}
	return b.after(), true
}

// Least is no more than the bytes up to an offset.
func (c *ByteCurve) Least(o Offset) Bytes {
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].after() > o }) - 1
	if i < 0 {
		return 0
	}
	a := c.points[i]
	least := a.total - c.blunt(i)
	if rate, off, ok := c.between(i); ok {
		least = max(least, least-off+Bytes(rate*float64(o-a.at)))
	}
	return least
}

// Most is no less than the bytes up to an offset; ok is false where no size read shows it.
func (c *ByteCurve) Most(o Offset) (total Bytes, ok bool) {
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].before() >= o })
	if i == len(c.points) {
		return 0, false
	}
	b := c.points[i]
	most := b.total + c.blunt(i)
	if rate, off, ok := c.between(i - 1); ok {
		most = min(most, most+off-Bytes(rate*float64(b.at-o)))
	}
	return most, true
}

// between is the bytes of an offset between a point and the next, and how many bytes a straight line
// between them may be off; ok is false where that cannot be told, as in what was there before.
func (c *ByteCurve) between(i int) (perOffset float64, off Bytes, ok bool) {
	if i < 0 || i+1 >= len(c.points) || c.uneven.readings < evenReadings {
		return 0, 0, false
	}
	a, b := c.points[i], c.points[i+1]
	if !a.sharp() || !b.sharp() || a.at < c.watched || b.at <= a.at || b.total <= a.total {
		return 0, 0, false
	}
	size := float64(b.total - a.total)
	return size / float64(b.at-a.at), Bytes(math.Ceil(size * max(3*c.uneven.share, 1.0/64))), true
}

// Base is the total at the log start where that is a segment base whose bytes were read off a step.
func (c *ByteCurve) Base() (Bytes, bool) {
	if !c.based || len(c.points) == 0 {
		return 0, false
	}
	return c.points[0].total, true
}

// blunt is how far off a point's total may be against the newest ones.
func (c *ByteCurve) blunt(i int) Bytes {
	return Bytes(math.Ceil(float64(c.points[len(c.points)-1].slack - c.points[i].slack)))
}

// before is an offset that the point's total certainly reaches up to.
func (p bytePoint) before() Offset {
	if p.sharp() {
		return p.at
	}
	return p.at - Offset(p.blur) - 1
}
