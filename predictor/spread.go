package predictor

import (
	"math"
	"slices"

	"kafka-retention-exporter/model"
)

// portions of retention.bytes whose time to come is held against what it took in the past.
var portions = [...]float64{1. / 24, 1. / 8, 1. / 4, 1. / 2, 1}

// instants is at how many past instants a forecast is tried.
const instants = 32

const (
	leastTried = 4
	// otherSide is how much of an error to one side is expected to the other: the instants overlap, and
	// may all lie on one slope of a day.
	otherSide = 0.5
	// unseen is how many times the odds of the largest portion are taken for those that the past is too
	// short for.
	unseen      = 2
	seasonShare = 0.7
	coldLong    = 0.4 // of what takes most of what a record lives, which a young log has not seen twice
)

// odds are how far off forecasts of the time for a portion of retention.bytes would have been: log
// ratios of the time it took to the time that was expected, nine tenths of them between less and more.
type odds struct {
	limit      float64
	until      model.Instant
	less, more [len(portions)]float32
	known      int // portions that the past is long enough for
}

// reckon works them out, once a step.
func (q *past) reckon(limit float64) {
	if q.odds.limit == limit && q.until < q.odds.until.Add(q.step) {
		return
	}
	q.odds = odds{limit: limit, until: q.until}
	for i, share := range portions {
		less, more, ok := q.trial(share * limit)
		if !ok {
			break
		}
		q.odds.less[i], q.odds.more[i] = float32(less), float32(more)
		q.odds.known = i + 1
	}
}

// trial holds what was to be expected at past instants against what came.
func (q *past) trial(amount float64) (less, more float64, ok bool) {
	var ratios [instants]float64
	n := 0
	from, certain := q.tryFrom(amount)
	for i := range instants {
		t := from.Add(q.until.Sub(from) * model.Millis(i) / instants)
		at, came := q.when(q.at(t) + amount)
		if !came {
			break
		}
		if d, ok := q.expects(t, amount); ok && d > 0 && at > t {
			ratios[n] = math.Log(float64(at.Sub(t)) / d)
			n++
		}
	}
	if n < leastTried {
		return 0, 0, false
	}
	slices.Sort(ratios[:n])
	k := n / 20
	low, high := max(-ratios[k], 0), max(ratios[n-1-k], 0)
	return -certain * max(low, otherSide*high), certain * max(high, otherSide*low), true
}

// tryFrom is from when on the past shows how good forecasts like the present one were, and by how much
// of the error there the present one is taken to be off: less where it replays a season and the past is
// too short to have seen such a replay through.
func (q *past) tryFrom(amount float64) (from model.Instant, share float64) {
	if _, seasonal := q.level(q.until); !seasonal {
		return q.first, 1
	}
	from = q.first.Add(season + levelHours)
	if d, ok := q.expects(q.until, amount); !ok || 4*float64(q.until.Sub(from)) < 5*d {
		return q.first, seasonShare
	}
	return from, 1
}

// of is the odds of a share of the limit.
func (o *odds) of(share float64) (less, more float64) {
	if o.known == 0 {
		return 0, 0
	}
	i := 0
	for i+1 < o.known && portions[i] < share {
		i++
	}
	less, more = float64(o.less[i]), float64(o.more[i])
	if portions[i] < share && i+1 < len(portions) {
		return less * unseen, more * unseen
	}
	if i == 0 || portions[i] < share {
		return less, more
	}
	w := math.Log(share/portions[i-1]) / math.Log(portions[i]/portions[i-1])
	return float64(o.less[i-1])*(1-w) + less*w, float64(o.more[i-1])*(1-w) + more*w
}

// off is how far off the time left is in nine cases of ten, on one side.
func (q *past) off(left, life, side model.Millis) float64 {
	if q == nil || life <= 0 {
		return 0
	}
	less, more := q.odds.of(float64(left) / float64(life))
	if side < 0 {
		return -less
	}
	return more
}

// sizeWidth is the log ratio of a band's edge by size: no less than what the past of the bytes tells of
// such an amount, half of which counts once the deadlines themselves have told.
func (p *partition) sizeWidth(width float64, learned bool, left, life, side model.Millis) float64 {
	off := p.past.off(left, life, side)
	switch {
	case learned && off > width:
		return (width + off) / 2
	case !learned && 2*left > life:
		return max(coldLong, off)
	}
	return max(width, off)
}
