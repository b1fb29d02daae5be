package scenario

import (
	"slices"
	"time"
)

// losses judges the state and the count of lost records.
func (s *Score) losses(forecasts []*Forecast) {
	r := s.Record
	for _, f := range forecasts {
		switch lost := f.State == "lost"; {
		case s.surelyLost(f.MadeAt):
			s.LostAsked++
			if lost {
				s.LostSaid++
			}
		case lost && s.surelyWhole(f.MadeAt):
			s.FalselyLost++
		}
	}
	if len(forecasts) == 0 || slices.ContainsFunc(r.Happened, func(h Happening) bool { return h.Recreates }) {
		return // what was unread of a deleted topic is not known to the script
	}
	s.LostJudged = true
	last := forecasts[len(forecasts)-1]
	s.LostCount = last.Lost
	s.LostLeast, s.LostMost = s.lostUntil(last.MadeAt)
}

// surelyLost tells whether the position had been below the log start for longer than a poll when the
// forecast was made, and no commit was on its way. A gap of one offset may be a transaction marker for
// all that can be told from outside: then nothing need be said.
func (s *Score) surelyLost(m time.Time) bool {
	r := s.Record
	_, greatest, ok := r.Positions(m.Add(-2*r.PollEvery), m)
	return ok && !s.unsettledTopic(m) && greatest+1 < s.startSince(m.Add(-2*r.PollEvery))
}

// surelyWhole tells whether the position was never below the log start in the polls before the forecast.
func (s *Score) surelyWhole(m time.Time) bool {
	r := s.Record
	least, _, ok := r.Positions(m.Add(-2*r.PollEvery), m)
	if !ok || s.unsettledTopic(m) {
		return false
	}
	start := r.Start
	for _, c := range r.Moves {
		if !c.After.After(m) {
			start = c.To
		}
	}
	return least >= start
}

// startSince is the log start that had been seen by an instant.
func (s *Score) startSince(at time.Time) int64 {
	start := s.Record.Start
	for _, c := range s.Record.Moves {
		if !c.Before.After(at) {
			start = c.To
		}
	}
	return start
}

// unsettledTopic tells whether the topic was re-created shortly before.
func (s *Score) unsettledTopic(m time.Time) bool {
	return slices.ContainsFunc(s.Record.Happened, func(h Happening) bool {
		return h.Recreates && m.After(h.Begin) && m.Before(h.End.Add(s.Record.Scenario.Retention/4))
	})
}

// lostUntil bounds the records that were deleted unread: each move of the log start takes what lies
// between the position, or what was counted before, and its new value. Positions are read after log
// starts, so the exporter may have seen any that was in force from the move until two polls after it. A
// gap of one offset need not be counted.
func (s *Score) lostUntil(end time.Time) (least, most int64) {
	r := s.Record
	counted := r.Start
	for _, c := range r.Moves {
		low, high, ok := r.Positions(c.After, c.Before.Add(2*r.PollEvery))
		if ok && !c.After.After(end) {
			most += max(0, c.To-max(low, counted))
		}
		if ok && c.To-high > 1 && c.Before.Before(end.Add(-2*r.PollEvery)) {
			least += max(0, c.To-max(high, counted))
		}
		counted = max(counted, c.To)
	}
	return least, most
}
