package model

import "sort"

// ByteCurve is the bytes of a partition's log against its offsets, on the leader: how many were
// appended up to an offset, counted from an arbitrary origin. Every size read extends it.
type ByteCurve struct {
	points []bytePoint // rising in offset and bytes
	last   Maybe[SizeRead]
}

// bytePoint says that the log held total bytes up to an offset between before and after. slack
// is how many of them, added up since the origin, were inferred instead of read.
type bytePoint struct {
	before, after Offset
	total         Bytes
	slack         Bytes
}

func (p bytePoint) middle() Offset { return p.before + (p.after-p.before)/2 }

// Observe takes in a size. base tells whether the log start is a segment base (it is, after a
// retention step; it may not be after DeleteRecords): then the bytes below it are known exactly.
// A size read while the start moved is not used: it may be wrong by a whole segment.
func (c *ByteCurve) Observe(r SizeRead, base bool) {
	if !r.Still || r.EndAfter < r.EndBefore {
		return
	}
	prev, ok := c.last.Get()
	c.last = Known(r)
	if !ok || len(c.points) == 0 {
		c.points = append(c.points[:0],
			bytePoint{before: r.LogStart, after: r.LogStart},
			bytePoint{before: r.EndBefore, after: r.EndAfter, total: r.Bytes})
		return
	}
	tip := c.points[len(c.points)-1]
	next := bytePoint{before: r.EndBefore, after: r.EndAfter, slack: tip.slack}
	deleted := r.LogStart != prev.LogStart || r.Bytes < prev.Bytes
	if !deleted {
		next.total = tip.total + r.Bytes - prev.Bytes
	} else {
		inferred := c.infer(next.middle() - tip.middle())
		next.total, next.slack = tip.total+inferred, tip.slack+inferred/4
	}
	c.extend(next)
	if deleted && base {
		c.rebase(r.LogStart, next.total-r.Bytes)
	}
}

// Size is the last size taken in.
func (c *ByteCurve) Size() (SizeRead, bool) { return c.last.Get() }

// Reset forgets everything.
func (c *ByteCurve) Reset() { *c = ByteCurve{} }

// Total is the bytes up to the newest size read.
func (c *ByteCurve) Total() (Bytes, bool) {
	if len(c.points) == 0 {
		return 0, false
	}
	return c.points[len(c.points)-1].total, true
}

// End is the offset that Total goes up to, as nearly as it is known.
func (c *ByteCurve) End() (Offset, bool) {
	if len(c.points) == 0 {
		return 0, false
	}
	return c.points[len(c.points)-1].middle(), true
}

// At interpolates the bytes up to an offset. It extends past the end at the mean rate.
func (c *ByteCurve) At(o Offset) (Bytes, bool) {
	n := len(c.points)
	if n < 2 || c.points[n-1].middle() == c.points[0].middle() {
		return c.Total()
	}
	i := sort.Search(n, func(i int) bool { return c.points[i].middle() > o })
	switch {
	case i == 0:
		i = 1
	case i == n:
		end := c.points[n-1]
		return end.total + Bytes(c.PerOffset()*float64(o-end.middle())), true
	}
	a, b := c.points[i-1], c.points[i]
	if b.middle() == a.middle() {
		return b.total, true
	}
	share := float64(o-a.middle()) / float64(b.middle()-a.middle())
	return a.total + Bytes(share*float64(b.total-a.total)), true
}

// Offset is the inverse of At.
func (c *ByteCurve) Offset(total Bytes) (Offset, bool) {
	n := len(c.points)
	if n < 2 {
		return 0, false
	}
	i := sort.Search(n, func(i int) bool { return c.points[i].total > total })
	switch i {
	case 0:
		i = 1
	case n:
		rate, end := c.PerOffset(), c.points[n-1]
		if rate <= 0 {
			return 0, false
		}
		return end.middle() + Offset(float64(total-end.total)/rate), true
	}
	a, b := c.points[i-1], c.points[i]
	if b.total == a.total {
		return a.middle(), true
	}
	share := float64(total-a.total) / float64(b.total-a.total)
	return a.middle() + Offset(share*float64(b.middle()-a.middle())), true
}

// AtMost is an upper bound of the bytes from an offset to the end of the log as it was at the
// last size read.
func (c *ByteCurve) AtMost(from Offset) (Bytes, bool) {
	size, ok := c.last.Get()
	if !ok {
		return 0, false
	}
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].after > from }) - 1
	if i < 1 { // below the first size read the shape of the log is not known: count it all
		return size.Bytes, true
	}
	tip := c.points[len(c.points)-1]
	return min(size.Bytes, tip.total-c.points[i].total+tip.slack-c.points[i].slack), true
}

// PerOffset is the mean bytes of one offset over the newer half of what is known.
func (c *ByteCurve) PerOffset() float64 {
	n := len(c.points)
	if n < 2 {
		return 0
	}
	a, b := c.points[n/2-1+n%2], c.points[n-1]
	if b.middle() <= a.middle() || b.total <= a.total {
		a = c.points[0]
	}
	if b.middle() <= a.middle() {
		return 0
	}
	return float64(b.total-a.total) / float64(b.middle()-a.middle())
}

func (c *ByteCurve) infer(offsets Offset) Bytes {
	return Bytes(c.PerOffset() * float64(max(0, offsets)))
}

func (c *ByteCurve) extend(p bytePoint) {
	tip := &c.points[len(c.points)-1]
	if p.middle() <= tip.middle() || p.total <= tip.total {
		tip.after = max(tip.after, p.after)
		tip.total = max(tip.total, p.total)
		return
	}
	c.points = append(c.points, p)
	if len(c.points) > maxCurvePoints {
		i := narrowest(len(c.points), func(i int) int64 { return int64(c.points[i+1].total - c.points[i-1].total) })
		c.points = append(c.points[:i], c.points[i+1:]...)
	}
}

// rebase puts an exact point at the new log start and forgets what lies below it.
func (c *ByteCurve) rebase(start Offset, total Bytes) {
	i := sort.Search(len(c.points), func(i int) bool {
		return c.points[i].middle() > start && c.points[i].total > total
	})
	if i == len(c.points) {
		return
	}
	first := bytePoint{before: start, after: start, total: total, slack: c.points[i].slack}
	c.points = append([]bytePoint{first}, c.points[i:]...)
}
