package model

import (
	"math"
	"slices"
	"sort"
)

// What a curve keeps at most. Where more would be needed the point is asked again.
const (
	maxTimePoints = 104
	maxTimeLimits = 63 // and one more before it is thinned out: so many fill a kilobyte
)

// TimeCurve is what is known of a partition's running largest stamp P(o): the newest stamp in
// [log start, o]. It is the quantity retention goes by, since a pass stops at the first segment
// it must keep and a segment is judged by its largest stamp (UnifiedLog.deletableSegments).
//
// It is built from answers to "first record stamped T or later" (ListOffsets by timestamp,
// UnifiedLog.fetchOffsetByTimestamp). An answer (offset o, stamp s) says two things that stay
// true as long as o is in the log: P(o) = s, and every record before o is older than T.
type TimeCurve struct {
	points []knot  // rising in offset and stamp
	limits []limit // rising in offset and below
	recent recent
}

// recent is the offsets of the newest answers. They are not thinned out: whoever narrows a
// bracket would otherwise lose each answer to the next one, since a narrow bracket is what tells
// least of the whole curve.
type recent struct {
	offsets [32]uint32 // their low halves: no two of so few are taken for one another
	turn    int
}

func (r *recent) note(o Offset) {
	r.offsets[r.turn%len(r.offsets)] = uint32(o)
	r.turn++
}

func (r *recent) has(o Offset) bool {
	return slices.Contains(r.offsets[:min(r.turn, len(r.offsets))], uint32(o))
}

// knot is a record that sets P.
type knot struct {
	offset Offset
	stamp  Instant
}

func (k knot) stamped() Stamped { return Stamped{Offset: k.offset, Stamp: k.stamp, Found: true} }

// limit says that every record before an offset is older than below. There are many: whether it
// was told by "none", which is no proof, is the lowest bit beside the offset, which has no sign.
type limit struct {
	told  uint64
	below Instant
}

func limitAt(o Offset, below Instant, none bool) limit {
	l := limit{told: uint64(o) << 1, below: below}
	if none {
		l.told |= 1
	}
	return l
}

func (l limit) offset() Offset { return Offset(l.told >> 1) }

func (l limit) none() bool { return l.told&1 != 0 }

// Learn takes in an answer. end is a high watermark read before the question was asked: "none"
// means that nothing before it is stamped so late, which holds but for the cases of broker.md
// 9.2, so that limits serve estimates and never the floor.
func (c *TimeCurve) Learn(a TimeAnswer, end Offset) {
	if !a.Found {
		c.recent.note(end)
		c.addLimit(limitAt(end, a.At, true))
		return
	}
	c.recent.note(a.Offset)
	c.addPoint(knot{a.Offset, a.Stamp})
	c.addLimit(limitAt(a.Offset, a.At, false))
}

// LearnOldest takes in the record at the log start: nothing stamped comes before it.
func (c *TimeCurve) LearnOldest(r Stamped) {
	if r.Found {
		c.addPoint(knot{r.Offset, r.Stamp})
	}
}

// Trim forgets what lies below the log start: the stamp of a deleted record protects nothing.
func (c *TimeCurve) Trim(start Offset) {
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].offset >= start })
	c.points = append(c.points[:0], c.points[i:]...)
	j := sort.Search(len(c.limits), func(j int) bool { return c.limits[j].offset() > start })
	c.limits = append(c.limits[:0], c.limits[j:]...)
}

// Reset forgets everything, for a log that is no longer the same one.
func (c *TimeCurve) Reset() { *c = TimeCurve{} }

// Newest brackets P(o): at is the newest stamp known at or before o, exact if a record at o
// itself was seen to set it; below is a stamp that nothing up to o reaches.
func (c *TimeCurve) Newest(o Offset) (at, below Maybe[Instant]) {
	if i := c.lastPoint(o); i >= 0 {
		at = Known(c.points[i].stamp)
		if c.points[i].offset == o {
			return at, Known(c.points[i].stamp + 1)
		}
	}
	if j := c.firstLimit(o); j < len(c.limits) {
		below = Known(c.limits[j].below)
	}
	return at, below
}

// Protector is the record that sets the bracket's lower end: the one whose stamp keeps o.
func (c *TimeCurve) Protector(o Offset) (r Stamped, ok bool) {
	i := c.lastPoint(o)
	if i < 0 {
		return Stamped{}, false
	}
	return c.points[i].stamped(), true
}

// FirstPoint is the first record known to set P.
func (c *TimeCurve) FirstPoint() (r Stamped, ok bool) {
	if len(c.points) == 0 {
		return Stamped{}, false
	}
	return c.points[0].stamped(), true
}

// Head is the last record known to set P.
func (c *TimeCurve) Head() (r Stamped, ok bool) {
	if len(c.points) == 0 {
		return Stamped{}, false
	}
	return c.points[len(c.points)-1].stamped(), true
}

// Estimate interpolates P(o) between the records known around it; after the last of them it
// leans towards the given (end, stamp at the end). ok is false before the first.
func (c *TimeCurve) Estimate(o, end Offset, endStamp Instant) (Instant, bool) {
	i := c.lastPoint(o)
	if i < 0 {
		return 0, false
	}
	a, b := c.points[i], knot{end, endStamp}
	if i+1 < len(c.points) {
		b = c.points[i+1]
	}
	est := a.stamp
	if b.offset > a.offset && b.stamp > a.stamp {
		share := float64(o-a.offset) / float64(b.offset-a.offset)
		est += Instant(share * float64(b.stamp.Sub(a.stamp)))
	}
	if j := c.firstLimit(o); j < len(c.limits) && est >= c.limits[j].below {
		est = max(a.stamp, c.limits[j].below-1)
	}
	return est, true
}

// First brackets the first offset stamped t or later: not before lo (by limits), and at hi where
// a record there is known to be.
func (c *TimeCurve) First(t Instant) (lo Offset, hi Maybe[Offset]) {
	j := sort.Search(len(c.limits), func(j int) bool { return c.limits[j].below > t })
	if j > 0 {
		lo = c.limits[j-1].offset()
	}
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].stamp >= t })
	if i > 0 {
		lo = max(lo, c.points[i-1].offset+1)
	}
	if i < len(c.points) {
		hi = Known(c.points[i].offset)
	}
	return lo, hi
}

// NotBefore is an offset before which certainly no record is stamped t or later.
func (c *TimeCurve) NotBefore(t Instant) (lo Offset) {
	j := sort.Search(len(c.limits), func(j int) bool { return c.limits[j].below > t }) - 1
	for j >= 0 && c.limits[j].none() {
		j--
	}
	if j >= 0 {
		lo = c.limits[j].offset()
	}
	if i := sort.Search(len(c.points), func(i int) bool { return c.points[i].stamp >= t }); i > 0 {
		lo = max(lo, c.points[i-1].offset+1)
	}
	return lo
}

// NotAfter is the first record known to be stamped t or later.
func (c *TimeCurve) NotAfter(t Instant) (o Offset, ok bool) {
	r, ok := c.FirstSince(t)
	return r.Offset, ok
}

// Below is a stamp that certainly nothing before an offset reaches; ok is false where none is known.
func (c *TimeCurve) Below(o Offset) (t Instant, ok bool) {
	t = Forever
	for j := c.firstLimit(o - 1); j < len(c.limits); j++ {
		if !c.limits[j].none() {
			t = c.limits[j].below
			break
		}
	}
	if i := sort.Search(len(c.points), func(i int) bool { return c.points[i].offset >= o-1 }); i < len(c.points) {
		t = min(t, c.points[i].stamp.Add(1))
	}
	return t, t < Forever
}

func (c *TimeCurve) lastPoint(o Offset) int {
	return sort.Search(len(c.points), func(i int) bool { return c.points[i].offset > o }) - 1
}

func (c *TimeCurve) firstLimit(o Offset) int {
	return sort.Search(len(c.limits), func(j int) bool { return c.limits[j].offset() > o })
}

// addPoint keeps points rising both ways; one that contradicts older ones replaces them.
func (c *TimeCurve) addPoint(r knot) {
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].offset >= r.offset })
	from := i
	for from > 0 && c.points[from-1].stamp > r.stamp {
		from--
	}
	to := i
	for to < len(c.points) && (c.points[to].offset == r.offset || c.points[to].stamp < r.stamp) {
		to++
	}
	c.points = replace(c.points, from, to, r, maxTimePoints)
	if len(c.points) > maxTimePoints {
		c.thin()
	}
}

// addLimit keeps the strongest limits: for a later offset only a later bound is worth keeping.
func (c *TimeCurve) addLimit(l limit) {
	j := c.firstLimit(l.offset() - 1)
	if j < len(c.limits) && c.limits[j].below <= l.below {
		return
	}
	from := j
	for from > 0 && c.limits[from-1].below >= l.below {
		from--
	}
	to := j
	if to < len(c.limits) && c.limits[to].offset() == l.offset() {
		to++
	}
	c.limits = replace(c.limits, from, to, l, maxTimeLimits)
	if len(c.limits) > maxTimeLimits {
		i := narrowest(len(c.limits), func(i int) int64 {
			return c.span(c.limits[i].offset(), c.limits[i-1].below, c.limits[i+1].below)
		})
		c.limits = append(c.limits[:i], c.limits[i+1:]...)
	}
}

func (c *TimeCurve) thin() {
	i := narrowest(len(c.points), func(i int) int64 {
		return c.span(c.points[i].offset, c.points[i-1].stamp, c.points[i+1].stamp)
	})
	c.points = append(c.points[:i], c.points[i+1:]...)
}

// span is what would be left open without the entry at o, between its neighbours' stamps.
func (c *TimeCurve) span(o Offset, from, to Instant) int64 {
	if c.recent.has(o) {
		return math.MaxInt64
	}
	return int64(to.Sub(from))
}

// narrowest is the inner index whose neighbours are closest: the one that tells least.
func narrowest(n int, span func(i int) int64) int {
	best := 1
	for i := 2; i < n-1; i++ {
		if span(i) < span(best) {
			best = i
		}
	}
	return best
}

// replace puts v in the place of s[from:to], which holds no more than most.
func replace[T any](s []T, from, to int, v T, most int) []T {
	if from == to {
		s = append(room(s, most), v)
		copy(s[from+1:], s[from:])
		s[from] = v
		return s
	}
	s[from] = v
	return append(s[:from+1], s[to:]...)
}

// room makes a full slice larger as append would, but not beyond what it will ever hold: most, and
// one more before it is thinned out.
func room[T any](s []T, most int) []T {
	if len(s) < cap(s) {
		return s
	}
	larger := make([]T, len(s), max(len(s)+1, min(2*len(s)+2, most+1)))
	copy(larger, s)
	return larger
}
