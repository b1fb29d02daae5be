package scenario

import "time"

// When is an instant that may be unknown or never come. The zero When is unknown.
type When struct {
	at    time.Time
	never bool
	known bool
}

// At is a known instant.
func At(t time.Time) When { return When{at: t, known: true} }

// Never is the +Inf of a forecast: known not to come.
func Never() When { return When{never: true, known: true} }

// Known tells whether there is an answer at all.
func (w When) Known() bool { return w.known }

// Never tells whether the answer is that it does not come.
func (w When) Never() bool { return w.never }

// Time is the instant; ok is false if it is unknown or never comes.
func (w When) Time() (t time.Time, ok bool) { return w.at, w.known && !w.never }

// Forecast is all that was said about a pair at one instant.
type Forecast struct {
	Pair        Pair
	MadeAt      time.Time
	Position    int64 // the committed offset it stands on
	HasPosition bool
	Floor       When
	Stopped     When
	Loss        When
	Earliest    When
	Latest      When
	State       string // of metrics.md; empty when unknown
	Reason      string // why Loss is unknown; empty when it is known
	Lost        int64  // lost records so far
}
