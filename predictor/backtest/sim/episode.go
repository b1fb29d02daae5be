package sim

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// Play plays an episode: history, then the watch, then as much more of the world as shows what
// became of the forecasts.
func Play(p *Plan) *track.Track {
	w, e := newWorld(p), newExporter(p)
	w.advance(p.Start)
	w.fallBehind()
	w.watchers = true
	polls, moments := watch(w, e)
	lost := w.lost
	w.settle(moments)
	t := &track.Track{
		Family: p.Family, Axis: p.Axis, Tuned: p.Tuned, Episode: p.Episode, Seed: p.Seed,
		Rule: p.Rule, Retention: p.Retention, Check: p.Check, Poll: p.Exporter.Poll, Skew: p.Exporter.Skew, Settings: p.Settings,
		Compacts: p.Settings.Policy.Compacts(), Onset: p.Onset, OnTime: p.OnTime, Events: p.Events,
		Polls: polls, LostTrue: lost, LostSaid: e.saidLost + e.counter, Spent: model.MillisOf(e.spent),
	}
	var seen witness
	for i, m := range moments {
		if m.restart {
			seen = w.records.begin(m.at, p.Retention)
		}
		if total, ok := m.sized.Get(); ok {
			seen.see(m.at, total, p.Exporter.Poll)
		}
		w.label(&t.Polls[i], m, seen.most)
	}
	return t
}

// fallBehind puts the group where it is to be when the watch begins.
func (w *world) fallBehind() {
	if w.plan.Reader.Behind <= 0 {
		return
	}
	first := w.records.firstSince(w.now.Add(-w.plan.Reader.Behind), w.log.Start())
	if first.Found && first.Offset < w.group.committed {
		w.group.committed, w.group.read = first.Offset, float64(first.Offset)
	}
}

// watch polls until the end, or until some time after the group has lost something: what follows
// is the same over and over.
func watch(w *world, e *exporter) ([]track.Poll, []moment) {
	most := w.plan.Watch/e.Poll + 1
	polls, moments := make([]track.Poll, 0, most), make([]moment, 0, most)
	var m moment
	after := model.Millis(w.random.Int63n(int64(w.plan.Retention / 5)))
	for due := w.plan.Start; due < w.plan.end(); due = due.Add(e.Poll) {
		at := e.schedule(due)
		w.advance(at)
		if w.enough(after) {
			break
		}
		if e.misses(at) {
			continue
		}
		e.look = func(read bool) { m = w.look().read(m, read) }
		if poll, ok := e.poll(w); ok {
			poll.Knowing = w.knowing(poll.Said, w.expecting(e))
			m.sized, m.restart = e.sized, e.forgot()
			polls, moments = append(polls, poll), append(moments, m)
		}
	}
	return polls, moments
}

// enough tells that the group's loss lies so far back that nothing new will be seen. Groups that
// may get well again are watched to the end.
func (w *world) enough(after model.Millis) bool {
	return len(w.fell) > 0 && !w.group.Sound && w.now.Sub(w.fell[0].from) > after
}

// settle plays on, unwatched, until the log start has passed where the group stood last, and a
// group that is bound to lose has lost.
func (w *world) settle(moments []moment) {
	if len(moments) == 0 {
		return
	}
	last := moments[len(moments)-1]
	for limit := w.now.Add(8 * w.plan.Retention); w.now < limit; {
		if w.gone(last).IsKnown() && (w.group.Sound || w.loss(last).IsKnown()) || w.quiet() {
			return
		}
		w.advance(w.now.Add(w.plan.Retention / 8))
	}
}
