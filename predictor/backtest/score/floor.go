package score

import (
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/track"
)

// causes is one more than the last cause.
const causes = int(track.Reset) + 1

// floorTally counts the promises of a player.
type floorTally struct {
	due, present int64
	labelled     int64         // promises whose outcome is known
	late         int64         // of these, broken without a cause that excuses it
	by           [causes]int64 // of these, broken with one
	surged       int64         // of these, broken because more came than the ceiling of the size rule
	worst        float64       // by how much at most without a cause, in shares of R
	at           model.Instant // and when that was promised
}

func (f *floorTally) add(g *floorTally) {
	f.due += g.due
	f.present += g.present
	f.labelled += g.labelled
	f.late += g.late
	f.surged += g.surged
	for i := range f.by {
		f.by[i] += g.by[i]
	}
	if g.worst > f.worst {
		f.worst, f.at = g.worst, g.at
	}
}

// floor holds the promises of a poll against what became of the position. It is due from the
// second poll on, while there is a position that is not lost.
func (tr *trial) floor(i int) {
	p := &tr.t.Polls[i]
	lost := isLost(p) || slices.Contains(p.States, predictor.Lost)
	gone, labelled := p.Gone.Get()
	for player := range tr.players {
		if !tr.players[player].Promises {
			continue
		}
		tally := &tr.floors[player]
		floor, ok := tr.said[i][player].floor.Get()
		if i > 0 && !lost && p.Seen.Committed >= 0 && !remoteBytes(tr.t) {
			tally.due++
			if ok {
				tally.present++
			}
		}
		if ok && labelled && !lost {
			tr.promise(tally, i, player, floor, gone)
		}
	}
}

// promise judges one whose outcome is known.
func (tr *trial) promise(tally *floorTally, i, player int, floor, gone model.Instant) {
	p := &tr.t.Polls[i]
	tally.labelled++
	cause, excused := tr.excuse(tr.readAt(i, player), gone)
	switch late := tr.share(floor.Sub(gone)); {
	case floor <= gone && gone != model.Forever && !tr.t.Disturbed(p.At, gone):
		share := float32(max(0, float64(floor.Sub(p.At))/float64(gone.Sub(p.At))))
		tr.tightness(Anytime, player, share)
		if tr.warm[i] {
			tr.tightness(Warm, player, share)
		}
		if i >= tr.begun {
			tr.tightness(Begun, player, share)
		}
	case floor <= gone:
	case excused:
		tally.by[cause]++
	case tr.surged(p):
		tally.surged++
	default:
		tally.late++
		if late > tally.worst {
			tally.worst, tally.at = late, p.At
		}
	}
}

func (tr *trial) tightness(when, player int, share float32) {
	s := &tr.scratch[tight][when][player]
	s.asked++
	s.present++
	s.a = append(s.a, share)
}

// excuse is the first event in between that the promise excepts. That a producer stops, that a
// stamp lies in the future or that a group is reset brings no deletion forward, and old records
// do so only by their bytes.
func (tr *trial) excuse(from, until model.Instant) (track.Cause, bool) {
	for _, e := range tr.t.Events {
		if !e.Between(from, until) {
			continue
		}
		switch e.Cause {
		case track.ConfigChanged, track.RecordsDeleted, track.Recreated, track.Failover:
			return e.Cause, true
		case track.Backfill:
			if tr.t.Rule != track.ByTime {
				return e.Cause, true
			}
		case track.ProducerStopped, track.FutureStamp, track.Reset:
		}
	}
	return 0, false
}

// Ceiling is how many times the most bytes that ever came within a poll the promise of the size
// rule stands on.
const Ceiling = 1.5

// surged tells that more came than that.
func (tr *trial) surged(p *track.Poll) bool {
	surge, ok := p.Surge.Get()
	return ok && surge > Ceiling && tr.t.Rule != track.ByTime
}

// readAt is the oldest reading that a promise stands on: what happened after that could not be
// known.
func (tr *trial) readAt(i, player int) model.Instant {
	p := &tr.t.Polls[i]
	f := &p.Said
	if tr.players[player].Kind == Oracle {
		f = &p.Knowing
	}
	if read, ok := f.InputsAt.Get(); ok && tr.players[player].Kind != Baseline {
		return min(read, p.At)
	}
	return p.At
}
