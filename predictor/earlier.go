package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// learn takes in the way of a pair, if there is one.
func (q *pair) learn(part *partition, way []model.Passed, now model.Instant) {
	if len(way) > 0 {
		q.follow(part)
		q.pace.learn(way, now, part.poll)
	}
}

// learn takes in how a pair came to where it is before anyone watched, oldest first. It counts where
// the pace is not known yet, and only while the pair has moved as lately as it usually does: one
// that has been still for longer may have had nothing to read or may have stopped, and what it did before
// tells neither. Nor does what was before it went back.
func (p *pace) learn(way []model.Passed, now model.Instant, poll model.Millis) {
	if p.advances >= 2 || p.stalled || p.rewound.IsKnown() {
		return
	}
	way = sinceRewind(way)
	if len(way) < 3 {
		return
	}
	tip := way[len(way)-1]
	var learned pace
	learned.recall(memoryOf(way, poll), tip.At, tip.Offset)
	patience, ok := learned.patience(poll)
	if !ok || learned.advances < 2 || tip.At > now || now.Sub(tip.At) > patience {
		return
	}
	*p = learned
}

// sinceRewind is the part of a way that only goes on.
func sinceRewind(way []model.Passed) []model.Passed {
	for i := len(way) - 1; i > 0; i-- {
		if way[i].Offset <= way[i-1].Offset || way[i].At <= way[i-1].At {
			return way[i:]
		}
	}
	return way
}

// memoryOf is a way as it would be remembered by one who had watched it at polls.
func memoryOf(way []model.Passed, poll model.Millis) (m PaceMemory) {
	way = sincePause(way, poll)
	tip := way[len(way)-1]
	m.Advances = len(way) - 1
	m.Regime = tip.At.Sub(way[0].At)
	m.Behind = m.Regime
	for i, w := range way {
		if i < len(way)-1 {
			m.Trail = append(m.Trail, [2]int64{int64(tip.At.Sub(w.At)), int64(tip.Offset - w.Offset)})
		}
		if wait, ok := w.Wait.Get(); ok && i > 0 {
			m.Waits = append(m.Waits, int32(min(max(wait, poll), math.MaxInt32)))
		}
	}
	return m
}

// sincePause is the part of a way without a pause, behind which it may have gone otherwise: parting is
// the same for one who watches.
func sincePause(way []model.Passed, poll model.Millis) []model.Passed {
	var waits waits
	for _, w := range way[1:] {
		if wait, ok := w.Wait.Get(); ok {
			waits.add(max(wait, poll))
		}
	}
	pause := (&pace{waits: waits}).parting(poll)
	for i := len(way) - 1; i > 0; i-- {
		if wait, ok := way[i].Wait.Get(); !ok || wait > pause {
			return way[i:]
		}
	}
	return way
}
