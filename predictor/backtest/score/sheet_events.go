package score

import (
	"slices"

	"kafka-retention-exporter/predictor/backtest/track"
)

// Event is how forecasts fare where something happens that nobody can foresee, of both halves.
type Event struct {
	Cause     track.Cause
	Episodes  int
	Excused   int64  // promises made before it and broken by it
	Late      int64  // promises made within R after it and broken without a cause
	Labelled  int64  // of so many
	States    Figure // share of polls within R after it with a right word
	Recovered Figure // share of events after which deadlines were good again
	After50   Figure // when, in shares of R after it
	After90   Figure
}

// events are tabled by cause, from the episodes that were kept.
func (s *Scorer) events() []Event {
	var kept []*episode
	var excused [causes]int64
	for _, tuned := range []bool{false, true} {
		for _, b := range s.ordered(tuned) {
			for i, n := range b.floors[0].by {
				excused[i] += n
			}
			for _, e := range b.kept {
				if len(e.events) > 0 {
					kept = append(kept, e)
				}
			}
		}
	}
	var all []Event
	for _, cause := range Causes() {
		if e := newEvent(cause, kept, s.seed); e.Episodes > 0 {
			e.Excused = excused[cause]
			all = append(all, e)
		}
	}
	return all
}

func newEvent(cause track.Cause, kept []*episode, seed int64) Event {
	has := func(r recovery) bool { return r.cause == cause }
	var with []*episode
	for _, e := range kept {
		if slices.ContainsFunc(e.events, has) {
			with = append(with, e)
		}
	}
	s, out := newSample(with, seed), Event{Cause: cause, Episodes: len(with)}
	sum := func(of func(recovery) part) func(*episode) part {
		return func(e *episode) part {
			var p part
			for _, r := range e.events {
				if has(r) {
					p.num += of(r).num
					p.den += of(r).den
				}
			}
			return p
		}
	}
	for _, e := range with {
		for _, r := range e.events {
			if has(r) {
				out.Late += r.late
				out.Labelled += r.labelled
			}
		}
	}
	out.States = s.share(sum(func(r recovery) part { return r.states }))
	out.Recovered = s.share(sum(func(r recovery) part { return part{count(r.recovered), count(r.judged)} }))
	after := s.quantiles(func(e *episode) []float32 {
		var values []float32
		for _, r := range e.events {
			if has(r) && r.recovered {
				values = append(values, r.after)
			}
		}
		return values
	}, 0.5, 0.9)
	out.After50, out.After90 = after[0], after[1]
	return out
}
