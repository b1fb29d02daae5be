package score

import "kafka-retention-exporter/model"

// worst is the error of having seen no loss at all.
const worst = 9.99

// hours of a retention of one day, as a share.
func hours(h float64) float64 { return h / 24 }

// Ranges are the ranges of time left, as shares of R, that are judged for size of error.
type Ranges [Far + 1][2]float64

// Daily are those that the tables of the simulation tell as hours.
func Daily() Ranges {
	return Ranges{Near: {hours(0.5), hours(2)}, Mid: {hours(4), hours(8)}, Far: {hours(16), hours(30)}}
}

// when finds the range that the truth lies in.
func (ranges *Ranges) when(left float64) (int, bool) {
	for i, r := range ranges {
		if left >= r[0] && left <= r[1] {
			return i, true
		}
	}
	return 0, false
}

// deadlines judges what was said of the position if the group stopped now.
func (tr *trial) deadlines(i int) {
	p := &tr.t.Polls[i]
	gone, ok := p.Gone.Get()
	if !ok || gone == model.Forever || tr.t.Disturbed(p.At, gone) {
		return
	}
	left := tr.share(gone.Sub(p.At))
	in, ranged := tr.ranges.when(left)
	for player := range tr.players {
		if !tr.players[player].Frozen {
			continue
		}
		at := tr.said[i][player].stopped
		if ranged {
			tr.off(deadline, in, player, at, gone, p.At)
		}
		if tr.warm[i] && left <= hours(8) {
			tr.off(deadline, Warm, player, at, gone, p.At)
		}
		if i >= tr.begun && left <= hours(8) {
			tr.off(deadline, Begun, player, at, gone, p.At)
		}
		if i < 2 && ranged && in == Mid {
			tr.off(deadline, Cold, player, at, gone, p.At)
		}
	}
}

// losses judges what was said of the moving group.
func (tr *trial) losses(i int) {
	p := &tr.t.Polls[i]
	at, ok := p.Loss.Get()
	if !ok || tr.unforeseen(p.At, at) {
		return
	}
	if at == model.Forever {
		tr.neverLost(i)
		return
	}
	left := tr.share(at.Sub(p.At))
	in, ranged := tr.ranges.when(left)
	if !ranged {
		return
	}
	for player := range tr.players {
		s := &tr.said[i][player]
		if tr.players[player].Estimates {
			tr.off(loss, in, player, s.loss, at, p.At)
		}
		if s.banded {
			tr.band(in, player, s, at, p.At)
		}
	}
}

// unforeseen tells that an event or the onset of a fault lies between a forecast and the loss;
// where there is none, within R of the forecast.
func (tr *trial) unforeseen(from, until model.Instant) bool {
	until = min(until, from.Add(2*tr.t.Retention))
	return tr.t.Disturbed(from, until) || tr.faulted(from, until)
}

// neverLost counts instants of loss within R for a group that is never lost.
func (tr *trial) neverLost(i int) {
	p := &tr.t.Polls[i]
	for player := range tr.players {
		if !tr.players[player].Estimates {
			continue
		}
		tr.never[player].den++
		if said, ok := tr.said[i][player].loss.Get(); ok && said.Sub(p.At) <= tr.t.Retention {
			tr.never[player].num++
		}
	}
}

// off adds the error of an instant.
func (tr *trial) off(w what, when, player int, said instant, truth, now model.Instant) {
	s := &tr.scratch[w][when][player]
	s.asked++
	at, ok := said.Get()
	if !ok {
		return
	}
	s.present++
	left := float64(truth.Sub(now))
	relative := float64(max(at.Sub(truth), truth.Sub(at))) / left
	if at == model.Forever || relative > worst {
		relative = worst
	}
	s.a = append(s.a, float32(relative))
	if w == deadline {
		s.b = append(s.b, float32(relative*left/float64(tr.t.Check)))
	}
}

// band judges the 90 % band. An edge that is absent is unlimited.
func (tr *trial) band(when, player int, said *said, truth, now model.Instant) {
	s := &tr.scratch[band][when][player]
	s.asked++
	earliest, low := said.earliest.Get()
	latest, high := said.latest.Get()
	if low && high {
		s.present++
	}
	if !low {
		earliest = now
	}
	if !high {
		latest = model.Forever
	}
	held, width := float32(0), float32(unlimited)
	if earliest <= truth && truth <= latest {
		held = 1
	}
	if latest != model.Forever {
		width = float32(min(unlimited, float64(latest.Sub(earliest))/float64(truth.Sub(now))))
	}
	s.a = append(s.a, held)
	s.b = append(s.b, width)
}

// unlimited is the width of a band without a latest edge.
const unlimited = 1e9
