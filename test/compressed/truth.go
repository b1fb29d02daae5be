package compressed

import (
	"sort"
	"time"

	"kafka-retention-exporter/model"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/scenario"
)

// usual is how wide the window of a move of the log start is while the broker answers; a wider one
// ends with the first answer after a pause, and what happened in it happened at its end.
const usual = time.Second

// truth is what became of a pair.
type truth struct {
	record *scenario.Record
	falls  []fall
}

// fall is a stretch of time in which the committed offset lies below the log start.
type fall struct{ from, to model.Instant }

func truthOf(r *scenario.Record) *truth {
	t := &truth{record: r}
	t.findFalls()
	return t
}

// instant is when a move happened: the middle of its window.
func instant(c kafkatest.Change) model.Instant {
	width := min(c.Before.Sub(c.After), usual/5)
	return model.InstantOf(c.Before.Add(-width / 2))
}

// findFalls walks along the moves. A commit under way while the log start moved counts as done.
func (t *truth) findFalls() {
	for _, c := range t.record.Moves {
		n := len(t.falls)
		below := n > 0 && t.falls[n-1].to == model.Forever
		if below {
			if back, ok := t.back(t.falls[n-1].from, model.InstantOf(c.Before)); ok {
				t.falls[n-1].to, below = back, false
			}
		}
		_, greatest, ok := t.record.Positions(c.After, c.Before)
		switch {
		case c.Recreated && below:
			t.falls[n-1].to = instant(c)
		case c.Recreated || below || !ok || greatest >= c.To:
		default:
			t.falls = append(t.falls, fall{instant(c), model.Forever})
		}
	}
	if n := len(t.falls); n > 0 && t.falls[n-1].to == model.Forever {
		if back, ok := t.back(t.falls[n-1].from, model.Forever); ok {
			t.falls[n-1].to = back
		}
	}
}

// back is when a group that fell was on the log again, before another instant.
func (t *truth) back(from, until model.Instant) (model.Instant, bool) {
	for _, c := range t.record.Commits {
		at := model.InstantOf(c.Acked)
		if at > from && at < until && c.Offset >= t.startAt(at) {
			return at, true
		}
	}
	return 0, false
}

// startAt is the log start at an instant.
func (t *truth) startAt(at model.Instant) int64 {
	start := t.record.Start
	for _, c := range t.record.Moves {
		if instant(c) > at {
			break
		}
		start = c.To
	}
	return start
}

// gone is when the log start passed a position that was read at an instant. A promise that ends within the window of
// the move is not shown to be late: then it is the end of the window.
func (t *truth) gone(position model.Offset, at model.Instant, promised model.Maybe[model.Instant]) model.Maybe[model.Instant] {
	moves := t.record.Moves
	first := sort.Search(len(moves), func(i int) bool { return instant(moves[i]) > at })
	if position < model.Offset(t.startAt(at)) {
		return model.Known(t.passed(position, first))
	}
	for _, c := range moves[first:] {
		if !c.Recreated && model.Offset(c.To) <= position {
			continue
		}
		end := model.InstantOf(c.Before)
		if floor, ok := promised.Get(); ok && floor > instant(c) && floor <= end {
			return model.Known(end)
		}
		return model.Known(instant(c))
	}
	return model.Maybe[model.Instant]{}
}

// passed is when the log start came above a position that it is above already.
func (t *truth) passed(position model.Offset, before int) model.Instant {
	at := model.Instant(0)
	for i := before - 1; i >= 0; i-- {
		if c := t.record.Moves[i]; model.Offset(c.To) > position {
			at = instant(c)
		}
	}
	return at
}

// next is the fall that begins after an instant, or that it lies in.
func (t *truth) next(at model.Instant) (f fall, ok bool) {
	for _, f := range t.falls {
		if f.to > at {
			return f, true
		}
	}
	return f, false
}
