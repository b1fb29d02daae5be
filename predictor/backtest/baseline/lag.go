package baseline

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// tableSize is how many polls kafka-lag-exporter remembers.
const tableSize = 60

// lagTable reads off when the log end stood where the group is, in a table of the last polls, and
// adds the retention. Below its oldest point the line through the oldest and the newest is extended.
func lagTable(t Terms) estimator {
	var table []track.Seen
	return func(s track.Seen) model.Maybe[model.Instant] {
		// A log that stands still is two points, not sixty.
		if n := len(table); n > 1 && table[n-1].End == s.End && table[n-2].End == s.End {
			table = table[:n-1]
		}
		table = append(table, s)
		if len(table) > tableSize {
			table = table[:copy(table, table[1:])]
		}
		limit, ok := t.TimeLimit.Get()
		if !ok {
			return unknown()
		}
		if s.Committed >= s.End {
			return model.Known(model.Forever)
		}
		i := 1 // the pair of points that the position is between, or the ends
		for i < len(table) && table[i].End < s.Committed {
			i++
		}
		a, b := table[0], s
		if s.Committed >= a.End && i < len(table) {
			a, b = table[i-1], table[i]
		}
		return stampBetween(a.At, a.End, b.At, b.End, s, limit)
	}
}

// twoAnchors puts the group on one straight line between the two ends of the log: the stamp of
// its first record and now.
func twoAnchors(t Terms) estimator {
	return func(s track.Seen) model.Maybe[model.Instant] {
		limit, limited := t.TimeLimit.Get()
		oldest, ok := s.Oldest.Get()
		switch {
		case !limited:
			return unknown()
		case s.Committed >= s.End:
			return model.Known(model.Forever)
		case !ok:
			return unknown()
		}
		return stampBetween(oldest, s.Start, s.At, s.End, s, limit)
	}
}

// stampBetween adds the time limit to the instant at which a line through two points of
// (time, offset) is at the position. A flat line says nothing.
func stampBetween(at model.Instant, from model.Offset, until model.Instant, to model.Offset, s track.Seen, limit model.Millis) model.Maybe[model.Instant] {
	if to <= from {
		return unknown()
	}
	lag := float64(until.Sub(at)) * float64(to-s.Committed) / float64(to-from)
	return after(s.At, float64(limit)-float64(s.At.Sub(until))-lag)
}

// lagRatio pages on the share of the log that is unread.
func lagRatio(Terms) Judge {
	return func(s track.Seen) Answer {
		return Answer{Page: s.End > s.Start && float64(s.End-s.Committed) > 0.8*float64(s.End-s.Start)}
	}
}
