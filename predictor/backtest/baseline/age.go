package baseline

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// age is that of the next unread record; 0 where nothing is unread.
func age(s track.Seen) float64 {
	next, ok := s.Next.Get()
	if !ok {
		return 0
	}
	return float64(s.At.Sub(next))
}

// ageGrows pages on a record that is old and was younger.
func ageGrows(t Terms) Judge {
	limit, limited := t.TimeLimit.Get()
	w := window{span: t.Retention / 96}
	return func(s track.Seen) Answer {
		now := age(s)
		w.add(s.At, now)
		return Answer{Page: limited && now > 0.8*float64(limit) && now > w.first().value}
	}
}

// leftOfAge is when the next unread record is as old as the time limit.
func leftOfAge(t Terms) estimator {
	return func(s track.Seen) model.Maybe[model.Instant] {
		limit, limited := t.TimeLimit.Get()
		next, unread := s.Next.Get()
		switch {
		case !limited:
			return unknown()
		case !unread:
			return model.Known(model.Forever)
		}
		return model.Known(max(next.Add(limit), s.At))
	}
}

// leftBySlope is when that age reaches the limit if it goes on growing as it did.
func leftBySlope(t Terms) estimator {
	w := window{span: t.Retention / 24}
	return func(s track.Seen) model.Maybe[model.Instant] {
		now := age(s)
		w.add(s.At, now)
		limit, limited := t.TimeLimit.Get()
		_, slope, ok := w.line(s.At)
		switch {
		case !limited:
			return unknown()
		case !s.Next.IsKnown():
			return model.Known(model.Forever)
		case !ok:
			return unknown()
		}
		return reaches(s.At, float64(limit)-now, -slope)
	}
}
