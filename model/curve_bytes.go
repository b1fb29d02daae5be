package model

import (
	"math"
	"sort"
)

// ByteCurve is the bytes of a partition's log against its offsets, on the leader: how many were
// appended up to an offset, counted from an arbitrary origin. Every size read extends it.
type ByteCurve struct {
	points []bytePoint // rising in offset and bytes
	last   Maybe[SizeRead]
	passed int // readings passed over since the last one that was taken in
	uneven uneven
	// watched is the end at the first reading: how the bytes lie before it was never seen.
	watched Offset
	based   bool    // the first point is a segment base
	gone    stretch // what was deleted last
}

// stretch is a piece of the log.
type stretch struct {
	offsets Offset
	bytes   Bytes
}

// bytePoint says that the log held total bytes up to an offset that is most likely at, and not
// beyond it by more than blur. slack is by how many of them it may be off, added up since the
// origin: those that were inferred instead of read.
type bytePoint struct {
	at    Offset
	total Bytes
	slack float32
	blur  int32 // how far beyond at it may be; less than 0 where it is at for certain
}

// sharp is a point that is where it is for certain.
const sharp = -1

func (p bytePoint) sharp() bool { return p.blur < 0 }

func (p bytePoint) after() Offset { return p.at + Offset(max(0, p.blur)) }

// blur is how far b lies beyond a.
func blur(a, b Offset) int32 { return int32(min(max(0, b-a), math.MaxInt32)) }

// maxBytePoints is what the curve keeps at most.
const maxBytePoints = 56

// maxBlurred is how many readings in a row are given up for a sharp one.
const maxBlurred = 2

// Observe takes in a size and tells whether it did. base tells whether the log start is a segment
// base (it is, after a retention step; it may not be after DeleteRecords): then the bytes below it
// are known exactly. A size read while the start moved is not used: it may be wrong by a whole
// segment. Nor is, while a sharper one may follow, the first after a deletion if records came
// while it was read: what is left says where the new base lies, and one record more or less puts
// all bases behind it one record off.
func (c *ByteCurve) Observe(r SizeRead, base bool) bool {
	if !r.Still || r.EndAfter < r.EndBefore {
		return false
	}
	prev, ok := c.last.Get()
	if !ok || len(c.points) == 0 {
		c.last, c.watched = Known(r), r.EndAfter
		c.points = append(c.points[:0],
			bytePoint{at: r.LogStart, blur: sharp}, r.point(r.Bytes))
		return true
	}
	deleted := r.LogStart != prev.LogStart || r.Bytes < prev.Bytes
	if deleted && r.EndBefore < r.EndAfter && c.passed < maxBlurred {
		c.passed++
		return false
	}
	if !deleted {
		c.uneven.observe(r, prev, c.PerOffset())
	}
	c.last, c.passed = Known(r), 0
	next := c.following(r, prev, deleted)
	c.extend(next)
	switch {
	case deleted && base:
		c.rebase(r.LogStart, next.total-r.Bytes)
	case deleted:
		c.based = false
	}
	return true
}

// following is the point of a reading after another one.
func (c *ByteCurve) following(r, prev SizeRead, deleted bool) bytePoint {
	tip := c.points[len(c.points)-1]
	next := r.point(tip.total + r.Bytes - prev.Bytes)
	next.slack = tip.slack
	if deleted {
		from := c.settled()
		offsets := next.at - from.at
		usual, inferred := c.infer(offsets), c.lately(from, offsets)
		slack := c.uneven.slack(usual) + max(usual-inferred, inferred-usual)
		next.total, next.slack = max(tip.total, from.total+inferred), tip.slack+float32(slack)
	}
	return next
}

// point is a reading on the curve.
func (r SizeRead) point(total Bytes) bytePoint {
	p := bytePoint{at: r.middle(), total: total, blur: sharp}
	if r.EndBefore != r.EndAfter {
		p.blur = blur(p.at, r.EndAfter)
	}
	return p
}

// evenReadings is how many it takes to tell how even bytes come.
const evenReadings = 8

// uneven is how far the bytes of an offset, from one reading to the next, are off their mean at most.
type uneven struct {
	readings int
	share    float64
}

// observe takes in two readings between which nothing was deleted.
func (u *uneven) observe(r, prev SizeRead, perOffset float64) {
	n := r.EndAfter - prev.EndAfter
	if n <= 0 || perOffset <= 0 || r.EndBefore != r.EndAfter || prev.EndBefore != prev.EndAfter {
		return
	}
	u.readings++
	off := math.Abs(float64(r.Bytes-prev.Bytes)/float64(n)/perOffset - 1)
	u.share = max(0.99*u.share, off)
}

// slack is how far off bytes may be that were inferred from the mean.
func (u *uneven) slack(inferred Bytes) Bytes {
	if u.readings < evenReadings {
		return inferred / 4
	}
	return Bytes(math.Ceil(float64(inferred) * max(1.5*u.share, 1.0/64)))
}

// settled is the newest point that a later reading does not give up: the last sharp one, or the
// tip where records always come while sizes are read.
func (c *ByteCurve) settled() bytePoint {
	n := len(c.points)
	for i := n - 1; i >= max(0, n-1-maxBlurred); i-- {
		if c.points[i].sharp() {
			return c.points[i]
		}
	}
	return c.points[n-1]
}

func (r SizeRead) middle() Offset { return r.EndBefore + (r.EndAfter-r.EndBefore)/2 }

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

// Settled is the bytes up to the newest point that later readings will not move.
func (c *ByteCurve) Settled() (Bytes, bool) {
	if len(c.points) == 0 {
		return 0, false
	}
	return c.settled().total, true
}

// End is the offset that Total goes up to, as nearly as it is known.
func (c *ByteCurve) End() (Offset, bool) {
	if len(c.points) == 0 {
		return 0, false
	}
	return c.points[len(c.points)-1].at, true
}

// At interpolates the bytes up to an offset. It extends past the end at the mean rate.
func (c *ByteCurve) At(o Offset) (Bytes, bool) {
	n := len(c.points)
	if n < 2 || c.points[n-1].at == c.points[0].at {
		return c.Total()
	}
	i := sort.Search(n, func(i int) bool { return c.points[i].at > o })
	switch {
	case i == 0:
		i = 1
	case i == n:
		end := c.points[n-1]
		return end.total + Bytes(c.PerOffset()*float64(o-end.at)), true
	}
	if unseen, ok := c.unseen(); i == 1 && ok && o >= c.points[0].at {
		return unseen.bytesAt(o), true
	}
	a, b := c.points[i-1], c.points[i]
	if b.at == a.at {
		return b.total, true
	}
	share := float64(o-a.at) / float64(b.at-a.at)
	return a.total + Bytes(share*float64(b.total-a.total)), true
}

// inferredSlack is how much of a record the bytes inferred across a deletion may be off: so much
// less than a whole one still counts as one.
const inferredSlack = 0.1

// Offset is the inverse of At: the offset up to which whole records make no more than the bytes.
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
		return end.at + Offset(float64(total-end.total)/rate+inferredSlack), true
	}
	if unseen, ok := c.unseen(); i == 1 && ok && total >= c.points[0].total {
		return unseen.offset(total), true
	}
	a, b := c.points[i-1], c.points[i]
	if b.total == a.total {
		return a.at, true
	}
	share := float64(total-a.total) / float64(b.total-a.total)
	return a.at + Offset(share*float64(b.at-a.at)+inferredSlack), true
}

// AtMost is an upper bound of the bytes from an offset to the end of the log as it was at the
// last size read.
func (c *ByteCurve) AtMost(from Offset) (Bytes, bool) {
	size, ok := c.last.Get()
	if !ok {
		return 0, false
	}
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].after() > from }) - 1
	if i < 1 { // below the first size read the shape of the log is not known: count it all
		return size.Bytes, true
	}
	tip := c.points[len(c.points)-1]
	return min(size.Bytes, tip.total-c.points[i].total+c.blunt(i)), true
}

// PerOffset is the mean bytes of one offset over the newer half of what is known.
func (c *ByteCurve) PerOffset() float64 {
	n := len(c.points)
	if n < 2 {
		return 0
	}
	a, b := c.points[n/2-1+n%2], c.settled()
	if b.at <= a.at || b.total <= a.total {
		a = c.points[0]
	}
	if b.at <= a.at {
		return 0
	}
	return float64(b.total-a.total) / float64(b.at-a.at)
}

func (c *ByteCurve) extend(p bytePoint) {
	for i := 0; i < maxBlurred && p.sharp() && len(c.points) > 1 && !c.points[len(c.points)-1].sharp(); i++ {
		c.points = c.points[:len(c.points)-1]
	}
	tip := &c.points[len(c.points)-1]
	if p.at <= tip.at || p.total <= tip.total {
		if after := max(tip.after(), p.after()); after > tip.at {
			tip.blur = blur(tip.at, after)
		}
		tip.total = max(tip.total, p.total)
		return
	}
	c.points = append(room(c.points, maxBytePoints), p)
	if len(c.points) > maxBytePoints {
		i := narrowest(len(c.points), func(i int) int64 { return int64(c.points[i+1].total - c.points[i-1].total) })
		c.points = append(c.points[:i], c.points[i+1:]...)
	}
}

// rebase puts an exact point at the new log start and forgets what lies below it.
func (c *ByteCurve) rebase(start Offset, total Bytes) {
	i := sort.Search(len(c.points), func(i int) bool {
		return c.points[i].at > start && c.points[i].total > total
	})
	if c.based = i < len(c.points); !c.based {
		return
	}
	if old := c.points[0]; start > old.at && total > old.total {
		c.gone = stretch{start - old.at, total - old.total}
	}
	first := bytePoint{at: start, blur: sharp, total: total, slack: c.points[i].slack}
	c.points = replace(c.points, 0, i, first, maxBytePoints)
}
