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
// tells neither, but for one that works in runs and whose next one is not overdue. Nor does what was before it
// went back.
func (p *pace) learn(way []model.Passed, now model.Instant, poll model.Millis) {
	if p.advances >= 2 || p.rewound.IsKnown() {
		return
	}
	way = sinceRewind(way)
	if len(way) < 3 {
		return
	}
	tip := way[len(way)-1]
	var learned pace
	learned.recall(memoryOf(way, poll), tip.At, tip.Offset)
	if job, within := runsOf(way, poll); job.due(tip.At, now, poll) {
		learned.runs, learned.waits = job, within
		learned.resumed = false // it is known not to have moved since
		*p = learned
		return
	}
	patience, ok := learned.patience(poll)
	if !ok || p.stalled || learned.advances < 2 || tip.At > now || now.Sub(tip.At) > patience {
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

// due tells that they have a rhythm by which the next one is not overdue, if the group moved last at tip.
func (r runs) due(tip, now model.Instant, poll model.Millis) bool {
	rhythm, ok := r.rhythm()
	return ok && tip <= now && now <= rhythm.overdue(poll)
}

// runsOf are the runs that a way tells of, and the waits within. Not all positions of a run are in it: one
// ends as long before the next one as that waited.
func runsOf(way []model.Passed, poll model.Millis) (r runs, within waits) {
	pause := longWait(way, poll)
	for _, w := range way {
		wait, ok := w.Wait.Get()
		if ok && wait <= pause {
			within.add(max(wait, poll))
		}
		switch begins := ok && wait > pause; {
		case begins && len(r) == 0:
			r.ended(w.At.Add(-wait))
			r.advance(w.At, true)
		case begins:
			if ended := w.At.Add(-wait); ended > r.nth(0).start {
				r.advance(ended, false)
			}
			r.advance(w.At, true)
		case len(r) > 0:
			r.advance(w.At, false)
		}
	}
	return r, within
}

// longWait is the wait that parts runs, where most that are listed may be such.
func longWait(way []model.Passed, poll model.Millis) model.Millis {
	var waits waits
	for _, w := range way {
		if wait, ok := w.Wait.Get(); ok {
			waits.add(wait)
		}
	}
	usual, _ := waits.quantile(0.2)
	return max(8*poll, 3*usual)
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
