package sim

import (
	"sort"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// comes is when so many bytes more are expected to have come.
type comes func(model.Bytes) model.Instant

// expecting is what an exporter expects to come. It is the oracle's expectation too: where less is
// known of what will come, knowing the segments makes nobody the better forecaster.
func (w *world) expecting(e *exporter) comes {
	return func(amount model.Bytes) model.Instant {
		if amount <= 0 {
			return w.now
		}
		if at, ok := e.pred.Comes(key, amount, e.clock(w)); ok {
			if at == model.Forever {
				return at
			}
			return max(w.now, at.Add(-e.Skew))
		}
		return w.records.comes(w.now, amount)
	}
}

// within is the bytes that are expected to come in so long.
func (c comes) within(now model.Instant, span model.Millis, most model.Bytes) model.Bytes {
	return model.Bytes(sort.Search(int(most), func(n int) bool { return c(model.Bytes(n)+1).Sub(now) > span }))
}

// knowing is the forecast of an oracle: it is told where the segments of the leader begin, which
// stamps and bytes they hold and when the passes run, and nothing of the future. Of the group it
// knows the pace that the forecast beside it estimated, and of the bytes to come what that expects, so
// that what it is better by is owed to the segments and the phase alone. Of a job that works in runs it
// knows all runs there were.
func (w *world) knowing(said predictor.Forecast, c comes) predictor.Forecast {
	out := predictor.Forecast{Key: said.Key, State: said.State, Position: said.Position, Floor: said.Floor}
	position, ok := said.Position.Get()
	if !ok || position < w.log.Start() {
		out.Loss, out.Stopped = said.Loss, said.Stopped
		return out
	}
	due := w.deletions(c)
	out.Stopped = model.Known(due.of(position))
	if floor, ok := w.floor(position); ok {
		out.Floor = model.Known(floor)
	}
	if !said.Loss.IsKnown() {
		return out
	}
	out.Loss = model.Known(model.Forever)
	if next, ok := w.group.nextRun(w.now); ok && next < due.of(position) {
		return out
	}
	if state, _ := said.State.Get(); state != predictor.CaughtUp {
		pace, _ := said.Inputs.Pace.Get()
		out.Loss = model.Known(due.meets(w.now, position, pace/1000, w.log.End(), w.rate()))
	}
	return out
}

// floor is the promise of who knows the segments: none before the newest stamp up to the end of
// the position's own has expired. ok is false where a size limit acts, which hangs on the future.
func (w *world) floor(position model.Offset) (model.Instant, bool) {
	s := w.log.Settings()
	age, timed := s.TimeLimit()
	if _, sized := s.SizeLimit(); sized || !timed || position >= w.log.End() || s.Policy.Compacts() {
		return 0, false
	}
	newest := model.Instant(0)
	for i, segment := range w.log.Segments() {
		newest = max(newest, segment.Stamp())
		if model.Upper(w.log.Segments(), i, w.log.End()) > position {
			break
		}
	}
	return newest.Add(age).Add(1).Add(-clockError), true
}

// deletions is when each segment is expected to go, in order: the last one stands for all that
// will follow, one like it after another.
type deletions []deletion

type deletion struct {
	upper model.Offset // the first offset that stays
	at    model.Instant
}

// rate is how many records come in a millisecond, by the last retention time; none where nothing
// has come for much longer than usual.
func (w *world) rate() float64 {
	end := w.log.End()
	span := w.plan.Retention
	if w.records.idle(w.now) > max(10*w.plan.Producer.Every, 3*w.plan.Exporter.Poll) {
		return 0
	}
	first := w.records.firstSince(w.now.Add(-span), w.log.Start())
	if !first.Found {
		return 0
	}
	return float64(end-first.Offset) / float64(max(1, w.now.Sub(max(first.Stamp, w.now.Add(-span)))))
}

// deletions runs the broker's rules over the true segments. So many bytes more are taken to come
// in the time in which the last so many came.
func (w *world) deletions(c comes) deletions {
	segments, s := w.log.Segments(), w.log.Settings()
	if s.Policy.Compacts() {
		segments = w.cleaner.view(segments)
	}
	age, timed := s.TimeLimit()
	limit, sized := s.SizeLimit()
	rate := w.rate()
	out := make(deletions, 0, len(segments))
	after, last := w.log.Size(), w.now
	for i := range segments {
		after -= segments[i].Size
		upper, newest, missing := model.Upper(segments, i, w.log.End()), segments[i].Stamp(), limit-after
		if i == len(segments)-1 && rate > 0 {
			rolls := w.rolls(segments[i], c)
			newest = max(newest, rolls)
			upper += model.Offset(rate * float64(rolls.Sub(w.now)))
			if sized {
				missing += c.within(w.now, rolls.Sub(w.now), s.SegmentBytes-segments[i].Size)
			}
		}
		at := model.Forever
		if timed {
			at = newest.Add(age).Add(1)
		}
		if sized {
			at = min(at, c(missing))
		}
		last = max(at, last)
		out = append(out, deletion{upper, w.passAfter(last)})
	}
	return out
}

// rolls is when the active segment is expected to roll.
func (w *world) rolls(active model.Segment, c comes) model.Instant {
	s := w.log.Settings()
	at := c(s.SegmentBytes - active.Size)
	if first, ok := w.records.stampOf(active.Base).Get(); ok {
		at = min(at, max(w.now, first.Add(s.SegmentMs)))
	}
	return at
}

// passAfter is the first pass at or after an instant.
func (w *world) passAfter(t model.Instant) model.Instant {
	next, every := w.passes[w.leader], w.every()
	if t == model.Forever || t <= next {
		return max(t, next)
	}
	return next.Add((t.Sub(next) + every - 1) / every * every)
}

// of is when the log start passes an offset.
func (d deletions) of(o model.Offset) model.Instant {
	for _, x := range d {
		if x.upper > o {
			return x.at
		}
	}
	if len(d) == 0 {
		return model.Forever
	}
	return d[len(d)-1].at
}

// meets is the first deletion that takes what a group has not read by then, at a pace. Beyond the
// last segment the group and the log go on evenly.
func (d deletions) meets(now model.Instant, position model.Offset, perMs float64, end model.Offset, rate float64) model.Instant {
	if position >= end && perMs >= rate {
		return model.Forever
	}
	reach := func(t model.Instant) float64 { return float64(position) + perMs*float64(t.Sub(now)) }
	for _, x := range d {
		if x.at == model.Forever {
			return model.Forever
		}
		if reach(x.at) < float64(x.upper) && reach(x.at) < float64(end)+rate*float64(x.at.Sub(now)) {
			return x.at
		}
	}
	if len(d) == 0 || rate <= perMs {
		return model.Forever
	}
	tail := d[len(d)-1]
	ahead := reach(tail.at) - float64(tail.upper)
	return tail.at.Add(model.Millis(min(ahead/(rate-perMs), 1e15)))
}
