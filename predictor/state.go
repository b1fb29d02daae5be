package predictor

import "kafka-retention-exporter/model"

// state is the word for where the group stands; unknown until it can be told.
func (j *judge) state() model.Maybe[State] {
	if _, lost := j.lost(); lost {
		return model.Known(Lost)
	}
	return j.stands
}

// standing is the state of a pair that is not lost: the first that applies.
func (j *judge) standing() (State, bool) {
	p := &j.pair.pace
	switch {
	case p.rewound.IsKnown() && !p.stalled:
		return Rewound, true
	case j.group.Rebalancing() && p.polls > 1:
		return Rebalancing, true
	case j.onTime():
		return Batch, true
	case j.deserted():
		return Empty, true
	case !j.unread() || p.near:
		return CaughtUp, true
	case p.stalled:
		return Stalled, true
	case p.advances >= 2:
		return Progressing, true
	}
	return 0, false
}

// deserted tells a group that had members and has none. Groups that only commit never have any.
func (j *judge) deserted() bool { return j.group.State == "Empty" && j.group.ProtocolType != "" }

// onTime tells a group that works in regular runs and whose next one is not overdue.
func (j *judge) onTime() bool {
	r, ok := j.rhythm()
	return ok && j.now <= r.overdue(j.cfg.Poll)
}

// rhythm is that of its runs. Two are enough for a group that went to rest.
func (j *judge) rhythm() (rhythm, bool) {
	p := &j.pair.pace
	if r, ok := p.runs.rhythm(); ok || !p.rests {
		return r, ok
	}
	return p.runs.supposed()
}

// overdue is when a run that has not come is called late.
func (r rhythm) overdue(poll model.Millis) model.Instant {
	return r.last.Add(r.period + r.period*15/100 + 3*poll)
}

// keepsUp tells a group that is as far behind as its rhythm makes it: no more than what was
// produced in two of its commit gaps. One that was is held to be for half a gap more, so that it does
// not go back and forth.
func (p *pace) keepsUp(lag model.Offset, part *partition) bool {
	gap, ok := p.waits.quantile(0.5)
	if lag <= 0 || !ok || p.stalled || p.advances < 2 && !p.near {
		return lag <= 0
	}
	room := 2 * max(gap, part.poll)
	switch {
	case p.near:
		room += room / 4
	case 2*gap > 3*part.poll: // it must be near also right before the next commit
		room -= max(0, gap-p.seen.Sub(p.lively))
	}
	usual, _ := part.ends.Rate(part.horizon())
	lately, _ := part.ends.Rate(2 * gap)
	return float64(lag) <= max(usual, lately)*float64(room)
}

// retention is how long records live here, by which patience is measured: the time limit, or what
// the size limit lasts as things go where that is less; a day where there is neither.
func (p *partition) retention(now model.Instant) model.Millis {
	set, _ := p.settings.Get()
	age, timed := set.TimeLimit()
	if limit, sized := set.SizeLimit(); sized {
		if lasts, ok := p.volume.TimeFor(int64(limit), p.earlierRate(now)); ok && (!timed || lasts < age) {
			return lasts
		}
	}
	if !timed {
		return 86_400_000
	}
	return age
}
