package score

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// recovery is how forecasts fare in the R after an event.
type recovery struct {
	cause     track.Cause
	states    part
	late      int64   // floors promised after it that were broken without a cause
	labelled  int64   // of so many
	judged    bool    // deadlines after it are known
	recovered bool    // three in a row were good
	after     float32 // so long after it, in shares of R
}

// A deadline is good again when it is off by at most this share of what is left, and a check and
// a poll.
const (
	goodShare = 0.1
	goodInRow = 3
)

// recoveries judges what follows each event, until the next one.
func (tr *trial) recoveries() []recovery {
	var all []recovery
	for k, e := range tr.t.Events {
		until := e.At.Add(tr.t.Retention)
		if k+1 < len(tr.t.Events) {
			until = min(until, tr.t.Events[k+1].At)
		}
		all = append(all, tr.recovery(e, until))
	}
	return all
}

func (tr *trial) recovery(e track.Event, until model.Instant) recovery {
	r := recovery{cause: e.Cause}
	row := 0
	var first model.Instant
	for i := range tr.t.Polls {
		p := &tr.t.Polls[i]
		if p.At <= e.At || p.At > until {
			continue
		}
		if right, judged := tr.stateRight(i); judged {
			r.states.den++
			if right {
				r.states.num++
			}
		}
		gone, ok := p.Gone.Get()
		if !ok || isLost(p) || tr.t.Disturbed(tr.readAt(i, 0), gone) {
			continue
		}
		r.judged = true
		if floor, ok := tr.said[i][0].floor.Get(); ok {
			r.labelled++
			if floor > gone {
				r.late++
			}
		}
		if !tr.good(i, gone) {
			row = 0
			continue
		}
		if row++; row == 1 {
			first = p.At
		}
		if row == goodInRow && !r.recovered {
			r.recovered, r.after = true, float32(tr.share(first.Sub(e.At)))
		}
	}
	return r
}

func (tr *trial) good(i int, gone model.Instant) bool {
	p := &tr.t.Polls[i]
	stopped, ok := tr.said[i][0].stopped.Get()
	if !ok || tr.t.Compacts {
		return ok
	}
	off := max(stopped.Sub(gone), gone.Sub(stopped))
	return float64(off) <= goodShare*float64(gone.Sub(p.At))+float64(tr.t.Check+tr.t.Poll)
}
