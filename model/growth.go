package model

import "sort"

// maxGrowthPoints bounds a Growth; growthRecent of them are the newest ones, kept as they came.
const (
	maxGrowthPoints = 48
	growthRecent    = 24
)

// Growth is a rising quantity over time as it was seen poll by poll: a log end, or the bytes
// appended. Older history is kept ever more coarsely.
type Growth struct {
	points  []growthPoint
	rose    Instant // when it was last seen to have risen
	risen   bool
	gapMean float64 // smoothed milliseconds between polls that saw it rise
	surge   int32   // the point at which a stretch without precedent begins that still goes on; 0 for none
	ended   float32 // the fastest, per millisecond, of the steps that much slower ones came after
}

type growthPoint struct {
	at    Instant
	value int64
}

// Add takes in a value. A value that falls restarts the series: it is not the same log any more.
func (g *Growth) Add(at Instant, value int64) {
	n := len(g.points)
	if n > 0 && at <= g.points[n-1].at {
		return
	}
	if n > 0 && value < g.points[n-1].value {
		*g = Growth{}
		n = 0
	}
	if n > 0 && value > g.points[n-1].value {
		g.noteRise(at)
	}
	if n := len(g.points); n == maxGrowthPoints { // before it is added: 48 points fill their memory
		old := n + 1 - growthRecent
		i := narrowest(old, func(i int) int64 { return int64(g.points[i+1].at-g.points[i-1].at) * int64(old-i+8) })
		g.points = append(g.points[:i], g.points[i+1:]...)
	}
	g.points = append(room(g.points, maxGrowthPoints-1), growthPoint{at, value})
	g.noteEnded()
	g.surge = int32(g.findSurge())
}

func (g *Growth) noteRise(at Instant) {
	if g.risen {
		gap := float64(at.Sub(g.rose))
		if g.gapMean == 0 {
			g.gapMean = gap
		}
		g.gapMean += (gap - g.gapMean) / 4
	}
	g.rose, g.risen = at, true
}

// Idle reports whether nothing has come for three times as long as it usually takes, and for
// no less than the given patience.
func (g *Growth) Idle(now Instant, patience Millis) bool {
	if len(g.points) == 0 {
		return true
	}
	since := g.points[0].at
	if g.risen {
		since = g.rose
	}
	return now.Sub(since) > max(patience, Millis(3*g.gapMean))
}

// Rose is when the quantity was last seen to have risen; ok is false if it never was.
func (g *Growth) Rose() (at Instant, ok bool) { return g.rose, g.risen }

// Passed is when the quantity was first seen to have reached a value; ok is false if it had done
// so before the watch, or has not yet.
func (g *Growth) Passed(value int64) (at Instant, ok bool) {
	i := sort.Search(len(g.points), func(i int) bool { return g.points[i].value >= value })
	if i == 0 || i == len(g.points) {
		return 0, false
	}
	return g.points[i].at, true
}

// Before is when the quantity was last seen not to have reached a value that it has reached since; ok is
// false if it had done so before the watch, or has not yet.
func (g *Growth) Before(value int64) (at Instant, ok bool) {
	i := sort.Search(len(g.points), func(i int) bool { return g.points[i].value >= value })
	if i == 0 || i == len(g.points) {
		return 0, false
	}
	return g.points[i-1].at, true
}

// Span is how long it has been watched.
func (g *Growth) Span() Millis {
	if len(g.points) < 2 {
		return 0
	}
	return g.points[len(g.points)-1].at.Sub(g.points[0].at)
}

// Rate is the mean growth per millisecond over the last window, or over all there is if that is
// less. ok is false before two values were seen.
func (g *Growth) Rate(window Millis) (perMs float64, ok bool) {
	n := len(g.points)
	if n < 2 {
		return 0, false
	}
	tip := g.points[n-1]
	from := g.points[min(g.before(window), n-2)]
	return float64(tip.value-from.value) / float64(tip.at.Sub(from.at)), true
}

// TimeFor is how long the next amount is expected to take: as long as the last amount took.
// Where that reaches back before the watch, the rest goes at the given earlier rate, or at the
// mean of the watch if that is not known. ok is false where nothing is expected to come.
func (g *Growth) TimeFor(amount int64, earlier Maybe[float64]) (d Millis, ok bool) {
	if amount <= 0 {
		return 0, true
	}
	n := len(g.points)
	rest, spent := float64(amount), Millis(0)
	if n >= 2 {
		tip := g.points[n-1]
		target := tip.value - amount
		if i := sort.Search(n, func(i int) bool { return g.points[i].value > target }) - 1; i >= 0 {
			a, b := g.points[i], g.points[i+1]
			share := float64(target-a.value) / float64(b.value-a.value)
			return tip.at.Sub(a.at) - Millis(share*float64(b.at.Sub(a.at))), true
		}
		rest -= float64(tip.value - g.points[0].value)
		spent = g.Span()
	}
	rate, known := earlier.Get()
	if !known {
		rate, _ = g.Rate(spent)
	}
	if rate <= 0 {
		return 0, false
	}
	return spent + Millis(rest/rate), true
}

// First is the oldest value and when it was seen.
func (g *Growth) First() (at Instant, value int64, ok bool) {
	if len(g.points) == 0 {
		return 0, 0, false
	}
	return g.points[0].at, g.points[0].value, true
}

// Last is the newest value and when it was seen.
func (g *Growth) Last() (value int64, at Instant, ok bool) {
	if len(g.points) == 0 {
		return 0, 0, false
	}
	p := g.points[len(g.points)-1]
	return p.value, p.at, true
}

// Since is how much came within the last window, seen from the newest value; covered is the
// time it really covers, which is at least the window unless the watch is shorter.
func (g *Growth) Since(window Millis) (amount int64, covered Millis) {
	n := len(g.points)
	if n < 2 {
		return 0, 0
	}
	tip, from := g.points[n-1], g.points[g.before(window)]
	return tip.value - from.value, tip.at.Sub(from.at)
}

// before is the newest point that lies at least the window before the last one, or the first of all.
func (g *Growth) before(window Millis) int {
	from := g.points[len(g.points)-1].at.Add(-window)
	return max(0, sort.Search(len(g.points), func(i int) bool { return g.points[i].at > from })-1)
}

// At is the value at an instant, as nearly as it is known: between two values seen in a straight
// line, before the first and after the last as they are.
func (g *Growth) At(t Instant) float64 {
	n := len(g.points)
	i := sort.Search(n, func(i int) bool { return g.points[i].at > t })
	switch {
	case n == 0:
		return 0
	case i == 0:
		return float64(g.points[0].value)
	case i == n:
		return float64(g.points[n-1].value)
	}
	a, b := g.points[i-1], g.points[i]
	share := float64(t.Sub(a.at)) / float64(b.at.Sub(a.at))
	return float64(a.value) + share*float64(b.value-a.value)
}

// Sketch is a few of its points, the oldest first: the newest, and ever fewer before it. Added one
// by one to another Growth they make one of about the same rates.
func (g *Growth) Sketch() (at []Instant, values []int64) {
	for i, p := range g.points {
		left := len(g.points) - 1 - i
		if left&(left+1) == 0 || i == 0 {
			at, values = append(at, p.at), append(values, p.value)
		}
	}
	return at, values
}
