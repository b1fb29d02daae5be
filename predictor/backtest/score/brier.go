package score

import "kafka-retention-exporter/model"

// horizonShares are the horizons of Brier scores, as shares of R.
func horizonShares() [horizons]model.Millis { return [horizons]model.Millis{24, 4, 1} }

// probabilities judges P(T <= h) at every horizon.
func (tr *trial) probabilities(i int) {
	p := &tr.t.Polls[i]
	for h, share := range horizonShares() {
		until := p.At.Add(tr.t.Retention / share)
		happened, ok := tr.happened(i, until)
		if !ok {
			continue
		}
		for player := range tr.players {
			if !tr.players[player].Estimates {
				continue
			}
			off := probability(&tr.said[i][player], p.At, until) - happened
			tr.brier[h][player].num += off * off
			tr.brier[h][player].den++
		}
	}
}

// happened is 1 if the loss came by an instant and 0 if not; not ok where that did not show or
// could not be foreseen.
func (tr *trial) happened(i int, until model.Instant) (float64, bool) {
	p := &tr.t.Polls[i]
	at, known := p.Loss.Get()
	if !known {
		at = model.Forever
		if tr.seen[i] < until {
			return 0, false
		}
	}
	if shown := min(at, until); tr.t.Disturbed(p.At, shown) || tr.faulted(p.At, shown) {
		return 0, false
	}
	if at <= until {
		return 1, true
	}
	return 0, true
}

// point is one of the line that probabilities are read off.
type point struct {
	at model.Instant
	p  float64
}

// probability is that of a loss by an instant, by what was said.
func probability(s *said, now, until model.Instant) float64 {
	loss, ok := s.loss.Get()
	if !ok {
		return 0.5
	}
	if !s.banded {
		if loss <= until {
			return 1
		}
		return 0
	}
	line := []point{{now, 0}}
	if earliest, ok := s.earliest.Get(); ok {
		line = append(line, point{earliest, 0.05})
	}
	line = append(line, point{loss, 0.5})
	if latest, ok := s.latest.Get(); ok {
		line = append(line, point{latest, 0.95}, point{latest.Add(latest.Sub(loss)), 1})
	}
	return read(line, until)
}

// read is the height of a line at an instant. It stays level from where the next point is Forever,
// and after its end.
func read(line []point, at model.Instant) float64 {
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		switch {
		case b.at == model.Forever:
			return a.p
		case at < b.at:
			if at <= a.at {
				return a.p
			}
			return a.p + (b.p-a.p)*float64(at.Sub(a.at))/float64(b.at.Sub(a.at))
		}
	}
	return line[len(line)-1].p
}
