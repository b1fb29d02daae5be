package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// A replay of a season ago is taken at the level of the last hours against the same hours then, within
// these bounds.
const (
	levelHours = model.Millis(7_200_000)
	levelLeast = 0.7
	levelMost  = 1.4
)

// expects is how long so many bytes were to be expected to take at an instant, by what had come until
// then: what came a season before, at the level of the present, where the past reaches so far back;
// else what came last. ok is false where it reaches back for neither.
func (q *past) expects(now model.Instant, amount float64) (d float64, ok bool) {
	if level, ok := q.level(now); ok {
		return q.replay(now, amount/level)
	}
	at, ok := q.when(q.at(now) - amount)
	return float64(now.Sub(at)), ok
}

// level is how much comes at an instant against a season before; ok is false where the past does not
// reach so far back.
func (q *past) level(now model.Instant) (level float64, ok bool) {
	if q.step > 2*pastStep || now.Add(-season-levelHours) < q.first {
		return 0, false
	}
	lately := max(0, q.at(now)-q.at(now.Add(-levelHours))) // rounding may make it less
	before := max(1, q.at(now.Add(-season))-q.at(now.Add(-season-levelHours)))
	return min(max(math.Sqrt(lately/before), levelLeast), levelMost), true
}

// replay is how long an amount took from a season before on, again and again.
func (q *past) replay(now model.Instant, amount float64) (d float64, ok bool) {
	then := now.Add(-season)
	begin := q.at(then)
	whole := q.at(now) - begin
	if whole < 1 {
		return 0, false
	}
	days := math.Floor(amount / whole)
	at, _ := q.when(begin + min(amount-days*whole, whole))
	return days*season + float64(at.Sub(then)), true
}
