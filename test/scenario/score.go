package scenario

import (
	"math"
	"slices"
	"time"
)

// Score is how well a pair was forecast. A count of things asked that is 0 means that nothing of that kind could be
// judged.
type Score struct {
	Record *Record

	Forecasts     int // distinct ones
	WrongPosition int // forecasts that stand on an offset that was not committed at the time

	FloorAsked, FloorPresent int           // polls after the second in which the pair had a commit
	FloorLabelled            int           // floors whose outcome is known
	FloorLate                int           // of these, later than the log start was seen to pass
	FloorWorst               time.Duration // by how much at most
	Tight                    []float64     // of these, (floor - now) / (real - now)

	StoppedAsked, StoppedWrong int     // from half the retention before the loss on
	StoppedWorst               string  // the wrong one that was furthest off, in words
	StoppedError               float64 // their median error relative to the time left

	NeverAsked, NeverBroken int // topics on which nothing is deleted: instants other than +Inf

	LostAsked, LostSaid int // forecasts while records were lost and not yet skipped over
	FalselyLost         int // forecasts that say lost although nothing was
	LostCount           int64
	LostLeast, LostMost int64 // between which the true count lies
	LostJudged          bool  // the count can be judged

	NearLoss int // healthy groups: losses forecast nearer than a share of the retention

	ReasonAsked, ReasonSaid int // groups without a commit: forecasts that must say so and give no instant
}

// ScoreAll scores every record.
func ScoreAll(records []*Record) []Score {
	var all []Score
	for _, r := range records {
		all = append(all, ScoreOf(r))
	}
	return all
}

// ScoreOf scores one pair.
func ScoreOf(r *Record) Score {
	s := Score{Record: r}
	forecasts := r.forecasts()
	s.Forecasts = len(forecasts)
	if r.Group.Silent {
		s.silence(forecasts)
		return s
	}
	s.presence()
	for _, f := range forecasts {
		s.position(f)
	}
	s.floors(forecasts)
	s.stopped(forecasts)
	s.never(forecasts)
	s.losses(forecasts)
	s.near(forecasts)
	return s
}

// position checks that the forecast stands on what the script had committed when the exporter may have read it:
// whether MadeAt is the begin or the end of its poll is left open.
func (s *Score) position(f *Forecast) {
	r := s.Record
	if f.HasPosition && !r.committedAt(f.Position, f.MadeAt.Add(-2*r.PollEvery), f.MadeAt.Add(r.PollEvery)) {
		s.WrongPosition++
	}
}

// presence counts the polls in which a floor was due and was there: from the third poll on, once a commit is old
// enough to have been polled, and not while a re-created topic is new or one offset is missing, which may or
// may not have been a record.
func (s *Score) presence() {
	r := s.Record
	for i, p := range r.Polls {
		if i < 2 || !s.settled(p.At) || p.Forecast != nil && p.Forecast.Reason == "single_offset_gap" && s.oneMissing(p.At) {
			continue
		}
		s.FloorAsked++
		if p.Forecast != nil && p.Forecast.Floor.Known() {
			s.FloorPresent++
		}
	}
}

// oneMissing tells whether the log start may have been just one above the position around a poll.
func (s *Score) oneMissing(at time.Time) bool {
	every := 2 * s.Record.PollEvery
	least, greatest, ok := s.Record.Positions(at.Add(-every), at.Add(every))
	one := func(start int64) bool { return least < start && start <= greatest+1 }
	// The next step of the log start may lie within the window: it is one too many only from then on.
	return ok && (one(s.startSince(at.Add(-every))) || one(s.startSince(at)) || one(s.startSince(at.Add(every))))
}

// settled tells whether the pair has had a commit on the present topic for some polls.
func (s *Score) settled(at time.Time) bool {
	r := s.Record
	born := time.Time{}
	for _, h := range r.Happened {
		if h.Recreates && !at.Before(h.Begin) {
			born = h.End
		}
	}
	if !born.IsZero() && at.Before(born.Add(r.Scenario.Retention/4)) {
		return false
	}
	return slices.ContainsFunc(r.Commits, func(c Commit) bool {
		return c.Sent.After(born) && c.Acked.Before(at.Add(-3*r.PollEvery))
	})
}

// never counts forecasts that give anything but +Inf where retention deletes nothing.
func (s *Score) never(forecasts []*Forecast) {
	if s.Record.Scenario.Rule != ByNone {
		return
	}
	for i, f := range forecasts {
		if i < 2 {
			continue
		}
		s.NeverAsked++
		if !f.Loss.Never() || !f.Stopped.Never() || !f.Floor.Never() {
			s.NeverBroken++
		}
	}
}

// near counts losses that a healthy group is told to be close to.
func (s *Score) near(forecasts []*Forecast) {
	if !s.Record.Group.Healthy {
		return
	}
	for _, f := range forecasts {
		if at, ok := f.Loss.Time(); ok && at.Sub(f.MadeAt) < time.Duration(nearShare*float64(s.Record.Scenario.Retention)) {
			s.NearLoss++
		}
	}
}

// silence judges a group that never commits: no instant, and the reason once it is known.
func (s *Score) silence(forecasts []*Forecast) {
	for i, f := range forecasts {
		if i < 2 {
			continue
		}
		s.ReasonAsked++
		if f.Reason == "no_commit" && !f.Loss.Known() && !f.Floor.Known() && !f.Stopped.Known() {
			s.ReasonSaid++
		}
	}
}

// median of some values; NaN of none, which only tables see.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
