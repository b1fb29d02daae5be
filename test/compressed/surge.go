package compressed

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// seenMost is the most offsets that polls up to the last of these saw come within an interval.
func seenMost(polls []track.Poll) float64 {
	most, every := 0.0, model.MillisOf(pollEvery)
	for i := 1; i < len(polls); i++ {
		before, p := &polls[i-1], &polls[i]
		over := float64(max(every, p.At.Sub(before.At))) / float64(every)
		most = max(most, float64(p.Seen.End-before.Seen.End)/over)
	}
	return most
}

// cameMost is the most offsets that came within an interval between two instants.
func (t *truth) cameMost(from, to model.Instant) float64 {
	most, all, j := int64(0), t.record.Samples, 0
	for i := range all {
		for all[i].Got.Sub(all[j].Got) > pollEvery {
			j++
		}
		if at := model.InstantOf(all[j].Got); at >= from.Add(-model.MillisOf(pollEvery)) && model.InstantOf(all[i].Got) <= to {
			most = max(most, all[i].End-all[j].End)
		}
	}
	return float64(most)
}

// surge tells, of a promise that was not kept, how many times more came within an interval than anybody could know to
// come. A scenario's records are all of one size, so that offsets tell as much as bytes. The end of a pause of
// the broker brings what producers held back.
func (t *truth) surge(polls []track.Poll) {
	for i := range polls {
		p := &polls[i]
		floor, promised := p.Said.Floor.Get()
		gone, known := p.Gone.Get()
		if !promised || !known || floor <= gone || gone <= p.At {
			continue
		}
		if seen := seenMost(polls[:i+1]); seen > 0 {
			p.Surge = model.Known(t.cameMost(p.At, gone) / seen)
		}
	}
}
