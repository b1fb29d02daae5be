package model

// How a surge is told: so many steps of growth in a row that are about as fast as each other,
// and that many times as fast as anything before them. It is taken to go on for so many times as
// long as it has gone on.
const (
	surgeSteps  = 3
	surgeFactor = 4
	surgeLasts  = 2
)

// Surge is the rate per millisecond of a stretch of growth without precedent that is still
// going on: an import, a replay. Of such a stretch the past says nothing, neither how fast it is
// nor how long it lasts. ok is false where growth is as it has been before, or where nothing was
// seen before.
func (g *Growth) Surge() (perMs float64, ok bool) {
	if g.surge == 0 {
		return 0, false
	}
	return g.rateBetween(int(g.surge), len(g.points)-1), true
}

// findSurge is the point at which one begins; 0 for none.
func (g *Growth) findSurge() int {
	n := len(g.points)
	begin := n - 1
	newest := g.rateBetween(n-2, n-1)
	for begin > 0 && newest > 0 && g.rateBetween(begin-1, begin) >= newest/2 {
		begin--
	}
	if begin < surgeSteps || n-1-begin < surgeSteps {
		return 0
	}
	perMs := g.rateBetween(begin, n-1)
	if float64(g.ended)*surgeFactor > perMs {
		return 0
	}
	for i := surgeSteps; i <= begin; i++ {
		if g.rateBetween(i-surgeSteps, i)*surgeFactor > perMs {
			return 0
		}
	}
	return begin
}

// noteEnded takes in that the step before the newest was the last of its stretch. What comes again
// and again is no surge, though old points are too far apart to show it.
func (g *Growth) noteEnded() {
	n := len(g.points)
	if rate := g.rateBetween(n-3, n-2); g.rateBetween(n-2, n-1) < rate/2 {
		g.ended = max(g.ended, float32(rate))
	}
}

// TimeInSurge is TimeFor while a surge goes on. Nobody knows for how long it does: the longer it
// went on, the longer it is expected to.
func (g *Growth) TimeInSurge(amount int64, earlier Maybe[float64]) (d Millis, ok bool) {
	rate, ok := g.Surge()
	if !ok {
		return g.TimeFor(amount, earlier)
	}
	first, last := g.points[g.surge], g.points[len(g.points)-1]
	came, took := last.value-first.value, last.at.Sub(first.at)
	if amount <= surgeLasts*came {
		return Millis(float64(max(amount, 0)) / rate), true
	}
	// As long as the last bytes took, but for the surge itself, which comes more than once.
	d, ok = g.TimeFor(amount-(surgeLasts-1)*came, earlier)
	return d + (surgeLasts-1)*took, ok
}

func (g *Growth) rateBetween(from, to int) float64 {
	if from < 0 || to <= from {
		return 0
	}
	a, b := g.points[from], g.points[to]
	return float64(b.value-a.value) / float64(b.at.Sub(a.at))
}
