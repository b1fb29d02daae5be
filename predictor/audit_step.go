package predictor

import (
	"slices"

	"kafka-retention-exporter/model"
)

// stepped is one step of the log start, with what tells who made it.
type stepped struct {
	to     model.Offset
	after  model.Instant              // the old log start was still told here
	at     model.Instant              // by now it was done
	pass   model.Maybe[model.Instant] // when the broker's phase says it was
	due    bool                       // by the rules a pass could have made it
	filled bool                       // the size rule was met
	onBase bool                       // it ended where a segment was believed to begin
}

// tooEarly is a floor that was late.
type tooEarly struct {
	key  model.PartitionKey
	id   model.TopicID
	mark mark
	step stepped
}

// maxHeld bounds the late floors that wait for newer settings. They come from a few steps at most,
// and all of one step have one cause.
const maxHeld = 1000

// truth is when the pass was: as its phase says, since log starts rest between passes, else as nearly
// as readings tell; ok is false where they were too far apart to tell.
func (s stepped) truth(poll, check model.Millis) (model.Instant, bool) {
	if at, ok := s.pass.Get(); ok {
		return at, true
	}
	gap := s.at.Sub(s.after)
	return s.after.Add(gap / 2), gap <= max(3*poll, check)
}

// noteStep takes down a step of the log start, while the chain is still what was believed before.
func (p *partition) noteStep(to model.Offset, after, at model.Instant, due bool) {
	p.audit.step = &stepped{to: to, after: after, at: at, pass: p.passWithin(after, at), due: due, filled: p.filled(to), onBase: p.nearBase(to)}
}

// passWithin is the pass between two readings, where the phase is known and there was one only.
func (p *partition) passWithin(after, until model.Instant) (none model.Maybe[model.Instant]) {
	if p.phase == nil {
		return none
	}
	if _, sharp := p.phase.middle(); !sharp || p.phase.period != p.check {
		return none
	}
	at := p.phase.next(after, p.check)
	if at > until || at.Add(p.check) <= until {
		return none
	}
	return model.Known(at)
}

// filled tells whether the bytes from an offset on were enough for the size rule to act.
func (p *partition) filled(o model.Offset) bool {
	set, _ := p.settings.Get()
	limit, sized := set.SizeLimit()
	total, t := p.bytes.Total()
	below, b := p.bytes.At(o)
	return sized && t && b && float64(total-below) >= 0.95*float64(limit)
}

// nearBase tells whether a segment was believed to begin at an offset, give or take a thirtieth of
// a segment. The end of a log is no base: a pass that empties it needs all of it to be expired.
func (p *partition) nearBase(o model.Offset) bool {
	if end, ok := p.end.Get(); ok && o >= end {
		return false
	}
	bases := p.chain.bases
	i, found := slices.BinarySearch(bases, o)
	if found || len(bases) < 2 {
		return true
	}
	near := func(i int) bool {
		return i > 0 && i < len(bases) && max(bases[i]-o, o-bases[i]) <= (bases[i]-bases[i-1])/30
	}
	return near(i-1) || near(i)
}

// settle scores what the log start has passed, and gives up what can no longer be scored. old is
// the poll before.
func (p *partition) settle(s, old *model.Snapshot, f model.Partition, sc *score) {
	a := &p.audit
	end, _ := p.end.Get()
	var isr []model.BrokerID
	if old != nil {
		isr = old.Partitions[f.Key].ISR
	}
	a.events.observe(f, isr, end, p.settings, s.At)
	_, looked := f.LogStart.FreshSince(s.Started)
	step := a.step
	a.step = nil
	if step != nil { // what arrived in this poll is known by now
		step.filled = step.filled || p.filled(step.to)
	}
	a.marks = slices.DeleteFunc(a.marks, func(m mark) bool {
		switch {
		case step != nil && m.offset < step.to:
			p.passed(m, *step, sc)
			return true
		case looked && m.overdue(s.At):
			if !a.events.overtook(m) && !m.empty {
				sc.add(m, s.At, false)
				p.learn(m, s.At)
			}
			return true
		}
		return false
	})
}

// overdue tells a deadline that has been over for so long that it is time to say by how much; or
// a floor that was told for a record that never came, once it is over.
func (m mark) overdue(now model.Instant) bool {
	if m.empty {
		return now > m.floor
	}
	return m.ahead(now) > 8*m.due
}

// passed scores one forecast. What was told of another log, other settings or another leader, or
// what someone deleted by hand, is no deadline; but a late floor is a late floor.
func (p *partition) passed(m mark, step stepped, sc *score) {
	if step.at < m.floor {
		if len(sc.held) < maxHeld {
			sc.held = append(sc.held, tooEarly{p.key, p.id, m, step})
		}
		return
	}
	truth, sharp := step.truth(p.poll, p.check)
	if !p.audit.events.overtook(m) && sharp && step.due && !m.empty {
		sc.add(m, truth, false)
		p.learn(m, truth)
	}
}

// explain counts the late floors by cause, once settings were read that are newer than the step:
// a change of settings that was acted upon at once is seen only then.
func (p *Predictor) explain(s *model.Snapshot) {
	p.score.held = slices.DeleteFunc(p.score.held, func(h tooEarly) bool {
		part := p.partitions[h.key]
		if part == nil || part.id != h.id {
			return true
		}
		read, ok := s.Topics[h.key.Topic].Settings[part.leader].At()
		set, known := part.settings.Get()
		if !ok || !known || read <= h.step.at {
			return false
		}
		cause := part.audit.events.blame(h.mark, h.step, set)
		p.score.late(cause)
		if truth, sharp := h.step.truth(part.poll, part.check); cause.foreseeable() && sharp && !h.mark.empty {
			p.score.add(h.mark, truth, true)
		}
		return true
	})
}
