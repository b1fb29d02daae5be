package predictor

import "kafka-retention-exporter/model"

// looks bounds at how many segments on its way a group is looked at.
const looks = 24

// approach is how close the log start comes to a group that will make it: the least time that is left
// to a segment when the group leaves it, on the way to today's end. The expected deadlines are meant,
// not bounds.
func (j *judge) approach(l line) model.Maybe[model.Millis] {
	from, to := j.plan.index(j.from()), j.plan.index(j.end-1)
	least := model.Millis(-1)
	for at := from; ; at = min(to, at+1+(to-from)/looks) {
		r, ok := j.plan.row(at)
		if !ok {
			return model.Maybe[model.Millis]{}
		}
		leaves, ok := j.reaches(l, j.plan.borderAfter(at))
		if !ok {
			return model.Maybe[model.Millis]{}
		}
		if left := max(0, r.due.Sub(leaves)); r.due != model.Forever && (least < 0 || left < least) {
			least = left
		}
		if at == to {
			break
		}
	}
	if least < 0 {
		return model.Maybe[model.Millis]{}
	}
	return model.Known(least)
}

// reaches is when a line will have committed an offset; ok is false where it never does.
func (j *judge) reaches(l line, o model.Offset) (model.Instant, bool) {
	left := float64(o) - l.mean(j.now)
	switch {
	case left <= 0:
		return j.now, true
	case l.perMs <= 0 || left/l.perMs > 1e15:
		return 0, false
	}
	return j.now.Add(model.Millis(left/l.perMs) + l.stride), true
}

// leftWhen is how long the runway still is at an instant.
func leftWhen(due model.Maybe[model.Instant], at model.Instant) model.Maybe[model.Millis] {
	t, ok := due.Get()
	if !ok || t == model.Forever {
		return model.Maybe[model.Millis]{}
	}
	return model.Known(max(0, t.Sub(at)))
}
