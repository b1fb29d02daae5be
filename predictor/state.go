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
	patienceIsOver := j.patienceIsOver()
	switch {
	case j.pair.pace.rewound && !patienceIsOver:
		return Rewound, true
	case j.group.Rebalancing() && len(j.pair.pace.samples) > 1:
		return Rebalancing, true
	case j.deserted():
		return Empty, true
	case !j.unread() || !patienceIsOver && j.keepsUp():
		return CaughtUp, true
	case patienceIsOver:
		return Stalled, true
	case j.pair.pace.advances >= 2:
		return Progressing, true
	}
	return 0, false
}

// deserted tells a group that had members and has none. Groups that only commit never have any.
func (j *judge) deserted() bool { return j.group.State == "Empty" && j.group.ProtocolType != "" }

// patienceIsOver tells a group that has not advanced for longer than it ever waits.
func (j *judge) patienceIsOver() bool {
	return j.pair.pace.idle(j.now) > j.pair.pace.patience(j.cfg.Poll, j.retention())
}

// keepsUp tells a group that is as far behind as its rhythm makes it: no more than what was
// produced in two of its commit gaps.
func (j *judge) keepsUp() bool {
	gap, ok := j.pair.pace.gap(0.5)
	arrival, known := j.part.ends.Rate(j.part.horizon())
	if !ok || !known || j.pair.pace.advances < 2 {
		return false
	}
	return float64(j.end-j.from()) <= 2*arrival*float64(max(gap, j.cfg.Poll))
}

// retention is how long records live here, by which patience is measured: the time limit, or what
// the size limit lasts as things go where that is less; a day where there is neither.
func (j *judge) retention() model.Millis {
	set, _ := j.part.settings.Get()
	age, timed := set.TimeLimit()
	if limit, sized := set.SizeLimit(); sized {
		if lasts, ok := j.plan.timeFor(int64(limit)); ok && (!timed || lasts < age) {
			return lasts
		}
	}
	if !timed {
		return 86_400_000
	}
	return age
}
