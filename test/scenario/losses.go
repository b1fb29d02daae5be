package scenario

import "time"

// Losses are the instants at which the log start surely passed the position, oldest first: the earliest at
// which it may have done so, but not before an event that may have made it.
func (r *Record) Losses() []time.Time {
	var all []time.Time
	for _, c := range r.Moves {
		_, greatest, ok := r.Positions(c.After, c.Before)
		switch {
		case !ok || c.Recreated || greatest >= c.To:
		case r.brokenBetween(c.After, c.Before):
			all = append(all, c.Before)
		default:
			all = append(all, c.After)
		}
	}
	return all
}

// Surprises are the instants at which events began that nobody could foresee.
func (r *Record) Surprises() []time.Time {
	var all []time.Time
	for _, h := range r.Happened {
		if h.Breaks {
			all = append(all, h.Begin)
		}
	}
	return all
}
