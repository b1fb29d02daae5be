package scenario

import (
	"fmt"
	"math"
	"time"
)

// floors holds every floor against what became of its position.
func (s *Score) floors(forecasts []*Forecast) {
	for _, f := range forecasts {
		if !f.HasPosition || !f.Floor.Known() {
			continue
		}
		l := s.Record.label(f.Position, f.MadeAt)
		if !l.ok || l.across {
			continue
		}
		s.FloorLabelled++
		s.late(f, l)
		if floor, ok := f.Floor.Time(); ok && middle(l).After(f.MadeAt) {
			s.Tight = append(s.Tight, floor.Sub(f.MadeAt).Seconds()/middle(l).Sub(f.MadeAt).Seconds())
		}
	}
}

// late counts a floor that lies after the instant at which the log start was seen beyond the position.
func (s *Score) late(f *Forecast, l label) {
	by := time.Duration(math.MaxInt64)
	if floor, ok := f.Floor.Time(); ok {
		by = floor.Sub(l.move.Before)
	}
	if by > 0 {
		s.FloorLate++
		s.FloorWorst = max(s.FloorWorst, by)
	}
}

// stopped holds the estimate for a group that stops against what became of its position, from half the retention
// before that on.
func (s *Score) stopped(forecasts []*Forecast) {
	r := s.Record
	share := stoppedShareTime
	if r.Scenario.Rule != ByTime {
		share = stoppedShareSize
	}
	var errors []float64
	var worst time.Duration
	for _, f := range forecasts {
		l := r.label(f.Position, f.MadeAt)
		if !f.HasPosition || !l.ok || l.across {
			continue
		}
		left := middle(l).Sub(f.MadeAt)
		if left <= 0 || left > r.Scenario.Retention/2 {
			continue
		}
		s.StoppedAsked++
		at, ok := f.Stopped.Time()
		if !ok {
			s.StoppedWrong++
			continue
		}
		off := at.Sub(middle(l)).Abs()
		errors = append(errors, off.Seconds()/left.Seconds())
		window := l.move.Before.Sub(l.move.After) / 2 // what the truth itself does not know
		if off > time.Duration(share*float64(left))+r.Check+r.PollEvery+window {
			s.StoppedWrong++
			if off > worst {
				worst = off
				s.StoppedWorst = fmt.Sprintf(": %s at position %d, %v before its loss, said %v", f.State, f.Position, left.Round(time.Millisecond), at.Sub(f.MadeAt).Round(time.Millisecond))
			}
		}
	}
	s.StoppedError = median(errors)
}

// middle is the most likely instant of a move.
func middle(l label) time.Time {
	return l.move.After.Add(l.move.Before.Sub(l.move.After) / 2)
}
