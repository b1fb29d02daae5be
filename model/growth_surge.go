package model

// How a surge is told: so many steps of growth in a row that are about as fast as each other,
// and together so many times as fast as anything before them.
const (
	surgeSteps  = 3
	surgeFactor = 4
)

// Surge is the rate per millisecond of a stretch of growth without precedent that is still
// going on: an import, a replay. Of such a stretch the past says nothing, neither how fast it is
// nor how long it lasts. ok is false where growth is as it has been before, or where nothing was
// seen before.
func (g *Growth) Surge() (perMs float64, ok bool) { return g.surge.Get() }

func (g *Growth) findSurge() (perMs float64, ok bool) {
	n := len(g.points)
	begin := n - 1
	newest := g.rateBetween(n-2, n-1)
	for begin > 0 && newest > 0 && g.rateBetween(begin-1, begin) >= newest/2 {
		begin--
	}
	if begin < surgeSteps || n-1-begin < surgeSteps {
		return 0, false
	}
	perMs = g.rateBetween(begin, n-1)
	for i := surgeSteps; i <= begin; i++ {
		if g.rateBetween(i-surgeSteps, i)*surgeFactor > perMs {
			return 0, false
		}
	}
	return perMs, true
}

func (g *Growth) rateBetween(from, to int) float64 {
	if from < 0 || to <= from {
		return 0
	}
	a, b := g.points[from], g.points[to]
	return float64(b.value-a.value) / float64(b.at.Sub(a.at))
}
