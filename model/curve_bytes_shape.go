package model

import "sort"

// What was there before the first reading was never seen: only how many bytes it is all in all. But
// the bytes of an offset drift, they do not jump: the stretch begins as the segment was that was
// deleted before it, and ends as what comes after it. So it is bent to fit both ends
// (a cubic Hermite curve of the bytes), which bears estimates only, never a bound.

// bent is that stretch, with the bytes of an offset at its two ends.
type bent struct {
	from, to    bytePoint
	first, last float64
}

// unseen is the stretch before the first reading; ok is false where nothing is left of it, or
// where no end of it is known.
func (c *ByteCurve) unseen() (b bent, ok bool) {
	if len(c.points) < 3 || c.points[0].at >= c.watched {
		return bent{}, false
	}
	b.from, b.to = c.points[0], c.points[1]
	long, size := b.to.at-b.from.at, b.to.total-b.from.total
	if long <= 0 || size <= 0 {
		return bent{}, false
	}
	mean := float64(size) / float64(long)
	b.first, b.last = mean, mean
	if c.gone.offsets > 0 && c.gone.bytes > 0 {
		b.first = float64(c.gone.bytes) / float64(c.gone.offsets)
	}
	after := c.points[1+sort.Search(len(c.points)-2, func(i int) bool { return c.points[1+i].at >= b.to.at+long/8 })]
	if after.at > b.to.at && after.total > b.to.total {
		seen := after.at - b.to.at
		weight := float64(seen) / float64(seen+long/64)
		b.last = mean + weight*(float64(after.total-b.to.total)/float64(seen)-mean)
	}
	b.first, b.last = min(b.first, 3*mean), min(b.last, 3*mean) // beyond that the curve would turn back
	return b, true
}

// at is the bytes from the stretch's beginning to a share of it.
func (b *bent) at(share float64) float64 {
	long, size := float64(b.to.at-b.from.at), float64(b.to.total-b.from.total)
	rest := 1 - share
	return size*share*share*(3-2*share) + long*share*rest*(b.first*rest-b.last*share)
}

// share is the inverse of at.
func (b *bent) share(bytes float64) float64 {
	lo, hi := 0.0, 1.0
	for range 40 {
		if mid := (lo + hi) / 2; b.at(mid) <= bytes {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// bytesAt is the bytes up to an offset of it, in the curve's count.
func (b *bent) bytesAt(o Offset) Bytes {
	return b.from.total + Bytes(b.at(float64(o-b.from.at)/float64(b.to.at-b.from.at)))
}

// offset is the inverse.
func (b *bent) offset(total Bytes) Offset {
	share := b.share(float64(total - b.from.total))
	return b.from.at + Offset(share*float64(b.to.at-b.from.at)+inferredSlack)
}
