package scenario

import (
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// Record is all that happened to a pair and all that was said about it.
type Record struct {
	Pair      Pair
	Scenario  Scenario
	Group     Group
	Start     int64              // log start offset when the first poll was made
	Samples   []kafkatest.Sample // of the log, oldest first
	Moves     []kafkatest.Change // of the log start, oldest first
	Commits   []Commit           // oldest first
	Happened  []Happening        // to the topic, oldest first
	Polls     []Poll             // oldest first
	PollEvery time.Duration
	Check     time.Duration // log.retention.check.interval.ms of the broker
}

// Commit is a committed offset. It took effect between Sent and Acked.
type Commit struct {
	Offset      int64
	Sent, Acked time.Time
}

// Happening is an event as it was carried out.
type Happening struct {
	Name       string
	Kind       Accident
	Group      string // of which it is the matter; empty where it is the topic's
	Mends      bool   // a group that stood still goes on
	Begin, End time.Time
	Breaks     bool // nobody could foresee it, and it changes what will be deleted
	Recreates  bool // offsets before and after are not of one log
}

// Poll is one look at the forecasts. Forecast is nil when there was none for the pair.
type Poll struct {
	At       time.Time
	Forecast *Forecast
}

// label is what became of a position: the log start moved beyond it within the window of a Change.
type label struct {
	move kafkatest.Change
	// across is set when something that could not be foreseen happened in between.
	across bool
	// ok is false when the position was not passed before the run ended, or the topic was.
	ok bool
	// already is set when the log start was beyond the position when the forecast was made.
	already bool
}

// label finds what became of position p after the instant m.
func (r *Record) label(p int64, m time.Time) label {
	start := r.Start
	for _, c := range r.Moves {
		if !c.Before.After(m) {
			start = c.To
			continue
		}
		switch {
		case start > p:
			return label{already: true}
		case c.Recreated:
			return label{across: true}
		case c.To > p:
			return label{move: c, ok: true, across: r.brokenBetween(m, c.Before)}
		}
	}
	return label{already: start > p}
}

// brokenBetween tells whether an unforeseeable event was under way at some instant of the span.
func (r *Record) brokenBetween(from, to time.Time) bool {
	for _, h := range r.Happened {
		if h.Breaks && h.Begin.Before(to) && h.End.After(from) {
			return true
		}
	}
	return false
}

// Positions are the least and the greatest committed offset in force at some instant of the span; ok is
// false where there was none.
func (r *Record) Positions(from, to time.Time) (least, greatest int64, ok bool) {
	for i, c := range r.Commits {
		if !r.inForce(i, from, to) {
			continue
		}
		if !ok {
			least, greatest, ok = c.Offset, c.Offset, true
		}
		least, greatest = min(least, c.Offset), max(greatest, c.Offset)
	}
	return least, greatest, ok
}

// committedAt tells whether an offset was committed and in force at some instant of the span.
func (r *Record) committedAt(offset int64, from, to time.Time) bool {
	for i, c := range r.Commits {
		if c.Offset == offset && r.inForce(i, from, to) {
			return true
		}
	}
	return false
}

// dropDelay is how long a broker may take to drop the commits on a topic that was deleted.
const dropDelay = 2 * time.Second

// inForce tells whether the i-th commit may have been what a broker answered at some instant of the span: from
// when it was sent until the next one was acknowledged, or its topic had gone.
func (r *Record) inForce(i int, from, to time.Time) bool {
	c := r.Commits[i]
	if c.Sent.After(to) || i+1 < len(r.Commits) && r.Commits[i+1].Acked.Before(from) {
		return false
	}
	for _, h := range r.Happened {
		if h.Recreates && c.Sent.Before(h.Begin) && h.End.Add(dropDelay).Before(from) {
			return false
		}
	}
	return true
}

// forecasts are the distinct forecasts, oldest first: a poll that finds the snapshot of the one before
// gives no new one.
func (r *Record) forecasts() []*Forecast {
	var all []*Forecast
	for _, p := range r.Polls {
		if f := p.Forecast; f != nil && (len(all) == 0 || f.MadeAt.After(all[len(all)-1].MadeAt)) {
			all = append(all, f)
		}
	}
	return all
}
