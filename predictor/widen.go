package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// widen widens the band of a moving group for more or less coming than expected, which moves the
// deadlines and the end of the log that the group runs for. That and the pace being as wrong as they
// ever are at once is unlikely: their log ratios add up as squares do.
func (j *judge) widen(f *Forecast, l line) {
	at, _ := f.Loss.Get()
	life, _ := j.plan.life()
	left := at.Sub(j.now)
	if less := j.part.past.off(left, life, -1); less > 0 {
		edge, _ := f.Earliest.Get()
		f.Earliest = model.Known(j.apart(at, edge, j.pass(j.crossingIf(l, math.Exp(-less)))))
	}
	if more := j.part.past.off(left, life, +1); more > 0 {
		edge, _ := f.Latest.Get()
		f.Latest = model.Known(j.apart(at, edge, j.pass(j.crossingIf(l, math.Exp(more)))))
	}
}

// apart is as far from an instant as two others together, which lie on the same side of it.
func (j *judge) apart(at, a, b model.Instant) model.Instant {
	if a == model.Forever || b == model.Forever {
		return max(a, b)
	}
	left := float64(max(at.Sub(j.now), 1))
	off := func(t model.Instant) float64 { return math.Log(float64(max(t.Sub(j.now), 1)) / left) }
	x, y := off(a), off(b)
	if x*y <= 0 {
		return a
	}
	return j.now.Add(model.Millis(left * math.Exp(math.Copysign(math.Hypot(x, y), x))))
}

// crossingIf is the crossing if what is to come takes so many times as long as expected.
func (j *judge) crossingIf(l line, times float64) model.Instant {
	j.times = times
	at := j.crossing(l)
	j.times = 1
	return at
}

// due is when a row goes, by how long what is to come is taken to take.
func (j *judge) due(r *row) model.Instant { return j.stretched(r.due, r.rule) }

func (j *judge) stretched(at model.Instant, by model.Maybe[Rule]) model.Instant {
	if rule, _ := by.Get(); rule != BySize || at == model.Forever || at <= j.now {
		return at
	}
	return j.now.Add(model.Millis(float64(at.Sub(j.now)) * j.times))
}
