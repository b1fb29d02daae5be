package exporter

import (
	"iter"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// rows are the forecasts as /metrics tells them: without those over the limit and, by topic, one
// for all partitions of a topic that a group reads.
func (v *view) rows(s Shape) iter.Seq[predictor.Forecast] {
	if s.byTopic() {
		return folded(v.withinLimit())
	}
	return v.withinLimit()
}

// folded puts pairs that follow each other and differ only in the partition together.
func folded(pairs iter.Seq[predictor.Forecast]) iter.Seq[predictor.Forecast] {
	return func(yield func(predictor.Forecast) bool) {
		var all predictor.Forecast
		started := false
		for f := range pairs {
			f.Position = model.Maybe[model.Offset]{}
			switch {
			case started && f.Key.Group == all.Key.Group && f.Key.Topic == all.Key.Topic:
				all = together(all, f)
				continue
			case started && !yield(all):
				return
			}
			all, started = f, true
		}
		if started {
			yield(all)
		}
	}
}

// together is the forecast for what two pairs cover: the earliest instants, the largest ratio, the
// sums of what is counted, and the state of the one that loses first. What is unknown of one is
// taken from the other.
func together(a, b predictor.Forecast) predictor.Forecast {
	out := a
	if sooner(b, a) {
		out.State = b.State
	}
	out.NextStamp = least(a.NextStamp, b.NextStamp)
	out.Loss, out.Earliest, out.Latest = least(a.Loss, b.Loss), least(a.Earliest, b.Earliest), least(a.Latest, b.Latest)
	out.Stopped, out.Floor = least(a.Stopped, b.Stopped), least(a.Floor, b.Floor)
	out.Used = either(a.Used, b.Used, func(x, y float64) float64 { return max(x, y) })
	out.Closest = either(a.Closest, b.Closest, func(x, y model.Millis) model.Millis { return min(x, y) })
	out.Lag = sum(a.Lag, b.Lag)
	out.FailoverExposed = sum(a.FailoverExposed, b.FailoverExposed)
	out.LostOffsets = a.LostOffsets + b.LostOffsets
	return out
}

// sooner tells which of two has the earlier loss; one whose state is unknown has none to give.
func sooner(a, b predictor.Forecast) bool {
	if !a.State.IsKnown() || !b.State.IsKnown() {
		return a.State.IsKnown()
	}
	at, ok := a.Loss.Get()
	other, known := b.Loss.Get()
	return ok && (!known || at.Before(other))
}

// with adds another partition of the topic; offsets of several logs have no meaning together.
func (k kept) with(other kept) kept {
	return kept{
		size: sum(k.size, other.size), nextBytes: sum(k.nextBytes, other.nextBytes),
		oldest: least(k.oldest, other.oldest), next: least(k.next, other.next),
	}
}

// either joins two values; where only one is known, that is the value.
func either[T any](a, b model.Maybe[T], join func(x, y T) T) model.Maybe[T] {
	x, ok := a.Get()
	y, known := b.Get()
	switch {
	case !ok:
		return b
	case !known:
		return a
	}
	return model.Known(join(x, y))
}

func least(a, b model.Maybe[model.Instant]) model.Maybe[model.Instant] {
	return either(a, b, func(x, y model.Instant) model.Instant { return min(x, y) })
}

func sum[T ~int64](a, b model.Maybe[T]) model.Maybe[T] {
	return either(a, b, func(x, y T) T { return x + y })
}
