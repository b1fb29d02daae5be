package predictor

import "kafka-retention-exporter/model"

// loss fills in the best estimate of the loss of a group that moves as it does now, with its band.
func (j *judge) loss(f *Forecast, runway deadline) (Reason, bool) {
	due := runway.due <= j.now
	state, told := j.stands.Get()
	switch {
	case due, j.deserted(), told && state == Stalled:
		j.stoppedLoss(f, runway)
		return 0, true
	case !told || state == Rewound:
		return NotEnoughHistory, false
	}
	l, ok := j.pair.pace.fit(j.cfg.Poll)
	if !ok {
		if state == CaughtUp {
			f.Loss, f.Latest, f.Earliest = infinite(), infinite(), f.Stopped
			return 0, true
		}
		return NotEnoughHistory, false
	}
	f.Inputs.Pace = model.Known(l.perMs * 1000)
	j.movingLoss(f, l, state, runway)
	return 0, true
}

// stoppedLoss is the loss of a group that stands still: its runway, with the bounds of the
// deadline widened for the segments not being known for certain.
func (j *judge) stoppedLoss(f *Forecast, runway deadline) {
	f.Loss = f.Stopped
	f.Earliest = model.Known(j.soften(runway.lo, runway.due, -1))
	f.Latest = model.Known(j.soften(runway.hi, runway.due, +1).Add(j.part.check))
}

// band is how far off, as a share of the time left, nine deadlines in ten are before anything
// was scored: an eighth.
const band = 8

// soften moves an edge to where the usual error of a deadline puts it, inside its bound.
func (j *judge) soften(bound, due model.Instant, side model.Millis) model.Instant {
	if due == model.Forever {
		return bound
	}
	usual := max(due.Sub(j.now), 0)/band + j.part.check
	if side < 0 {
		return max(bound, due.Add(-usual))
	}
	return max(due, min(bound, due.Add(usual)))
}

// movingLoss finds where the log start overtakes the group's line, and how that shifts if the
// pace is a little less or more than it seems.
func (j *judge) movingLoss(f *Forecast, l line, state State, runway deadline) {
	if state == CaughtUp {
		f.Loss, f.Latest, f.Earliest = infinite(), infinite(), f.Stopped
		return
	}
	margin := 2*l.stdErr + 0.01*l.perMs
	slow, fast := l, l
	slow.perMs, fast.perMs = max(0, l.perMs-margin), l.perMs+margin
	central := j.crossing(l)
	f.Loss = model.Known(j.pass(central))
	f.Earliest = model.Known(j.soften(runway.lo, j.crossing(slow), -1))
	f.Latest = model.Known(j.pass(j.crossing(fast)))
	if central != model.Forever && f.Latest != infinite() {
		at, _ := f.Latest.Get()
		f.Latest = model.Known(at.Add(max(0, central.Sub(j.now))/band + j.part.check))
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
// records that exist; beyond its end, of records that will arrive at today's rate.
func (j *judge) crossing(l line) model.Instant {
	arrival, ok := usualRate(&j.part.ends, j.part.horizon())
	if !ok {
		arrival = 0
	}
	reach := j.reachesEnd(l)
	if t, ok := j.crossingInLog(l, reach); ok {
		return t
	}
	if reach != model.Forever && l.perMs >= arrival*0.999 {
		return model.Forever
	}
	return j.crossingBeyond(l, arrival)
}

// reachesEnd is when the line passes today's log end, or Forever.
func (j *judge) reachesEnd(l line) model.Instant {
	left := float64(j.end) - l.on(j.now)
	switch {
	case left <= 0:
		return j.now
	case l.perMs <= 0:
		return model.Forever
	}
	return j.now.Add(model.Millis(min(left/l.perMs, 1e17)))
}

// crossingInLog searches between now and the time today's end is reached. The deadline of where
// the group will be falls behind the clock exactly once it loses, so the first step of a coarse
// walk that shows it is then halved down to a millisecond.
func (j *judge) crossingInLog(l line, reach model.Instant) (model.Instant, bool) {
	last, ok := j.part.deadlineOf(j.end-1, j.now)
	if !ok {
		return 0, false
	}
	until := min(reach, last.due)
	if until == model.Forever || until <= j.now {
		return j.now, until <= j.now && last.due <= j.now
	}
	const steps = 48
	span := until.Sub(j.now)
	good := j.now
	for i := model.Millis(1); i <= steps; i++ {
		t := j.now.Add(span / steps * i)
		if !j.lostBy(l, t) {
			good = t
			continue
		}
		return j.halve(l, good, t), true
	}
	return 0, false
}

func (j *judge) halve(l line, good, bad model.Instant) model.Instant {
	for bad.Sub(good) > 1 {
		mid := good.Add(bad.Sub(good) / 2)
		if j.lostBy(l, mid) {
			bad = mid
		} else {
			good = mid
		}
	}
	return bad
}

// lostBy tells whether the position the line reaches by t is due by then. The committed offset
// only moves in steps, and never back: the line is not taken below what is committed already.
func (j *judge) lostBy(l line, t model.Instant) bool {
	o := max(j.from(), min(model.Offset(l.on(t)), j.end-1))
	d, ok := j.part.deadlineOf(o, j.now)
	return ok && d.due <= t
}

// crossingBeyond continues past today's end in a straight line: the group at t stands at the
// record that arrived at tau(t), and a record lives as long as one that arrives now would.
func (j *judge) crossingBeyond(l line, arrival float64) model.Instant {
	fresh, ok := j.part.deadlineOf(j.end, j.now)
	if !ok || fresh.due == model.Forever || arrival <= l.perMs || arrival <= 0 {
		return model.Forever
	}
	life := float64(fresh.due.Sub(j.now))
	lag := (float64(j.end) - l.on(j.now)) / arrival
	t := (life - lag) / (1 - l.perMs/arrival)
	if t > 1e17 {
		return model.Forever
	}
	return j.now.Add(model.Millis(max(0, t)))
}
