package predictor

import "kafka-retention-exporter/model"

// loss fills in the best estimate of the loss of a group that moves as it does now, with its band.
func (j *judge) loss(f *Forecast, runway deadline) (Reason, bool) {
	state, told := j.stands.Get()
	switch {
	case runway.due <= j.now:
		j.stoppedLoss(f, runway)
		return 0, true
	case told && state == Batch:
		j.batchLoss(f, runway)
		return 0, true
	case j.deserted(), told && state == Stalled:
		j.stoppedLoss(f, runway)
		return 0, true
	case !told || state == Rewound:
		return NotEnoughHistory, false
	}
	l, ok := j.pair.pace.fit(j.cfg.Poll, j.now)
	if ok {
		f.Inputs.Pace = model.Known(l.perMs * 1000)
	}
	switch {
	case state == CaughtUp:
		j.noLoss(f)
		f.Closest = leftWhen(f.Stopped, j.now)
	case !ok && j.pair.pace.stalled:
		j.stoppedLoss(f, runway)
	case !ok:
		return NotEnoughHistory, false
	default:
		j.movingLoss(f, l, runway)
	}
	return 0, true
}

// noLoss is that of a group that will make it; at the earliest it loses something if it stops now.
func (j *judge) noLoss(f *Forecast) { f.Loss, f.Latest, f.Earliest = infinite(), infinite(), f.Stopped }

// stoppedLoss is the loss of a group that stands still: its runway, with the bounds of the
// deadline widened for the segments not being known for certain.
func (j *judge) stoppedLoss(f *Forecast, runway deadline) {
	f.Loss = f.Stopped
	expected := j.pass(runway.due)
	rule, _ := runway.rule.Get()
	f.Earliest = model.Known(j.soften(runway.lo, expected, rule, -1))
	f.Latest = model.Known(j.soften(j.pass(runway.hi).Add(j.part.check), expected, rule, +1))
}

// soften is an edge where the usual error of a deadline puts it. While that is a guess, it stays
// inside the bound that the segments give under the time rule; by size they bound nothing.
func (j *judge) soften(bound, expected model.Instant, rule Rule, side model.Millis) model.Instant {
	if expected == model.Forever {
		return bound
	}
	usual, learned := j.usual(expected, rule, side)
	if learned || rule == BySize {
		return expected.Add(side * usual)
	}
	if side < 0 {
		return max(bound, expected.Add(-usual))
	}
	return max(expected, min(bound, expected.Add(usual)))
}

// movingLoss finds where the log start overtakes the group's line, and how that shifts if the
// pace is a little less or more than it seems.
func (j *judge) movingLoss(f *Forecast, l line, runway deadline) {
	rule, _ := runway.rule.Get()
	margin := 2*l.stdErr + 0.01*l.perMs
	slow, fast := l, l
	slow.perMs, fast.perMs = max(0, l.perMs-margin), l.perMs+margin
	central := max(j.crossing(l), runway.due) // what is further on in the log goes no earlier
	f.Loss = model.Known(j.pass(central))
	early, late := j.pass(j.crossing(slow)), j.pass(j.crossing(fast))
	f.Earliest = model.Known(j.soften(runway.lo, early, rule, -1))
	f.Latest = model.Known(late)
	if central == model.Forever {
		f.Closest = j.approach(l)
	} else if late != model.Forever {
		usual, _ := j.usual(j.pass(central), rule, +1)
		f.Latest = model.Known(late.Add(usual))
	}
	if rule == BySize && central != model.Forever {
		j.widen(f, l)
	}
}

func (j *judge) pass(t model.Instant) model.Instant {
	if t == model.Forever {
		return t
	}
	return j.expected(t)
}

// crossing is when the log start catches up with a line: the first instant t at which what the
// group will have reached by t is due by t. Within today's log the deadlines are those of
// records that exist; beyond its end (beyond.go), of records that are expected to arrive.
func (j *judge) crossing(l line) model.Instant {
	t, reached, ok := j.crossingInLog(l)
	if ok && !reached {
		return t
	}
	return j.crossingBeyond(l)
}

// crossingInLog goes from deadline to deadline. If the group is still in the segment when that
// goes, that is the loss. If it has moved on by then, it has lost nothing up to then, since what
// lies further on goes no earlier: so that the next deadline to look at is where it is then.
func (j *judge) crossingInLog(l line) (t model.Instant, reached, ok bool) {
	t = j.now
	at := j.plan.index(j.projected(l, t))
	for {
		r, ok := j.plan.row(at)
		if !ok {
			return 0, false, false
		}
		t = max(t, j.due(r))
		if t == model.Forever {
			return t, l.perMs > 0, true
		}
		o := j.projected(l, t)
		if o >= j.end {
			return t, true, true
		}
		next := j.plan.index(o)
		if next <= at {
			return t, false, true
		}
		at = next
	}
}

// projected is where the line is at an instant. The committed offset only moves in steps, and
// never back: the line is not taken below what is committed already.
func (j *judge) projected(l line, t model.Instant) model.Offset {
	return max(j.from(), model.Offset(min(l.on(t), float64(j.end))))
}
