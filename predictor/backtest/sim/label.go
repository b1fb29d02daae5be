package sim

import (
	"sort"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/track"
)

// moment is what the truth says about a poll at its time.
type moment struct {
	at          model.Instant
	topic       int
	position    model.Offset
	has         bool // there is a position
	end         model.Offset
	fallen      bool // it lies below the log start
	listed      string
	stands      bool
	running     bool
	still       model.Millis // since it advanced last
	rewound     model.Maybe[model.Instant]
	advances    int
	late        bool
	least, most float64                  // records that come in a millisecond
	old         bool                     // the commits could not be read: the position is of a poll before
	sized       model.Maybe[model.Bytes] // what had come when the size was read
	restart     bool                     // the first poll of an exporter
}

// label adds to a poll what became of it.
func (w *world) label(p *track.Poll, m moment, seen float64) {
	p.Gone, p.Loss, p.States = w.gone(m), w.loss(m), w.states(m)
	if m.old && p.Seen.Start > m.position { // where the group is by now nobody can say
		p.Gone = model.Maybe[model.Instant]{}
	}
	gone, ok := p.Gone.Get()
	if floor, said := p.Said.Floor.Get(); ok && said && floor > gone {
		p.Surge = model.Known(w.most(p.At, gone) / seen)
	}
}

// most is the fastest that bytes came within a poll interval between two instants, per millisecond.
func (w *world) most(from, to model.Instant) float64 {
	return w.records.fastest(from.Add(-w.plan.Exporter.Poll), to, w.plan.Exporter.Poll, w.plan.Exporter.Poll/4)
}

// fastest is the most bytes per millisecond within any stretch of a length between two instants.
func (r *records) fastest(from, to model.Instant, length, step model.Millis) float64 {
	most := model.Bytes(0)
	for t := from; t.Add(length) <= to; t = t.Add(step) {
		most = max(most, r.arrivedBy(t.Add(length))-r.arrivedBy(t))
	}
	return float64(most) / float64(length)
}

// witness is how fast an exporter can know that bytes ever came: as its polls saw it, and before
// its start as the time index of the log shows it by the hour of a day's retention.
type witness struct {
	most  float64
	total model.Bytes // of the log up to the last size that was read
	at    model.Instant
}

// begin is what can be known at a start.
func (r *records) begin(at model.Instant, retention model.Millis) witness {
	return witness{most: r.fastest(at.Add(-retention), at, retention/24, retention/96)}
}

// see takes in a size.
func (s *witness) see(at model.Instant, total model.Bytes, poll model.Millis) {
	if s.at != 0 && at > s.at {
		s.most = max(s.most, float64(total-s.total)/float64(max(poll, at.Sub(s.at))))
	}
	s.total, s.at = total, at
}

// gone is when the log start passed a position; unknown where it did not by the end.
func (w *world) gone(m moment) model.Maybe[model.Instant] {
	i := sort.Search(len(w.starts), func(i int) bool {
		s := w.starts[i]
		return s.topic > m.topic || s.topic == m.topic && s.start > m.position
	})
	if !m.has || i == len(w.starts) {
		return model.Maybe[model.Instant]{}
	}
	return model.Known(w.starts[i].at)
}

// loss is when the log start next passed the position of the moving group: Forever where it is
// known that it never will. For a position that is lost already it is when that happened.
func (w *world) loss(m moment) model.Maybe[model.Instant] {
	if !m.has {
		return model.Maybe[model.Instant]{}
	}
	i := sort.Search(len(w.fell), func(i int) bool { return w.fell[i].to > m.at })
	switch {
	case i < len(w.fell):
		return model.Known(w.fell[i].from)
	case w.group.Sound || w.quiet():
		return model.Known(model.Forever)
	}
	return model.Maybe[model.Instant]{}
}

// quiet tells that nothing unread is left and nothing will come.
func (w *world) quiet() bool {
	return w.group.committed >= w.log.End() && w.producer.next() == model.Forever
}

// look is the moment of the read of the commits.
func (w *world) look() moment {
	g := w.group
	m := moment{
		at: w.now, topic: w.topic, position: g.committed, has: g.exists, end: w.log.End(),
		fallen: g.exists && g.committed < w.log.Start(), listed: g.listed(w.now), stands: g.stands(w.now), running: g.running,
		still: w.now.Sub(g.still), rewound: g.rewound, advances: g.advances, late: within(g.Late, w.now),
	}
	m.least, m.most = w.arrives(w.now, w.gap())
	return m
}

// gap is between advances that polls can see.
func (w *world) gap() model.Millis { return max(w.group.Gap, w.plan.Exporter.Poll) }

// read is the moment as the exporter has it: where the commits could not be read, with the position
// of the moment before.
func (m moment) read(before moment, read bool) moment {
	if !read {
		m.topic, m.position, m.has, m.old = before.topic, before.position, before.has, true
	}
	return m
}

// states are the words that are right at a moment. Where the turn from one to another is a matter
// of patience, both are.
func (w *world) states(m moment) []predictor.State {
	gap := w.gap()
	switch {
	case !m.has || m.old:
		return nil
	case m.fallen:
		return []predictor.State{predictor.Lost}
	}
	var right []predictor.State
	add := func(s predictor.State) { right = append(right, s) }
	if _, ok := m.rewound.Get(); ok && m.advances < 4 {
		add(predictor.Rewound)
	}
	if g := (model.Group{State: m.listed}); g.Rebalancing() {
		add(predictor.Rebalancing)
	}
	batch := len(w.group.Runs) > 0
	if batch {
		add(predictor.Batch)
	}
	if m.listed == "Empty" && w.group.Protocol != "" {
		return append(right, predictor.Empty)
	}
	lag := float64(m.end - m.position)
	if lag <= 2*2*m.most*float64(gap) || lag == 0 {
		add(predictor.CaughtUp)
	}
	idle := m.still > 3*gap+6*w.plan.Exporter.Poll && lag > 0
	if m.still > gap && lag > 0 && (m.stands || idle) {
		add(predictor.Stalled)
	}
	if !idle && lag > 0.5*2*m.least*float64(gap) {
		add(predictor.Progressing)
	}
	return right
}

// arrives is how many records came in a millisecond up to an instant, by what one may take for
// lately: a commit gap, a twenty-fourth of the retention or a quarter of it.
func (w *world) arrives(at model.Instant, gap model.Millis) (least, most float64) {
	end := w.records.endBy(at)
	for i, span := range [...]model.Millis{gap, w.plan.Retention / 24, w.plan.Retention / 4} {
		rate := float64(end-w.records.endBy(at.Add(-span))) / float64(span)
		if i == 0 {
			least = rate
		}
		least, most = min(least, rate), max(most, rate)
	}
	return least, most
}
