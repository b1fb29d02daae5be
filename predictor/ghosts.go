package predictor

import "kafka-retention-exporter/model"

// ghostLife is how long a group whose offsets expired is still spoken of.
const ghostLife = model.Millis(24 * 3_600_000)

// observeTenures takes in how groups are listed, and what became of those that are not. A
// coordinator deletes a group without members once its last offset has expired: whoever reads on
// starts anew, somewhere. Such a group is kept for a while, so that it does not vanish in
// silence. One that cannot have expired was deleted by someone, and is forgotten.
func (p *Predictor) observeTenures(s *model.Snapshot) {
	for name, g := range s.Groups {
		t := p.tenures[name]
		if t == nil {
			t = &tenure{}
			p.tenures[name] = t
			if m, ok := take(p.recalled.groups, name); ok {
				t.busy = model.Known(m.Busy)
			}
		}
		t.observe(s, g)
	}
	clock, known := p.expiryClock()
	var byGroup map[string]commits
	for name, t := range p.tenures {
		if _, listed := s.Groups[name]; listed {
			continue
		}
		if !s.Portion.Owns(name) {
			delete(p.tenures, name) // another exporter answers for it
			continue
		}
		if !t.gone.IsKnown() && byGroup == nil {
			byGroup = p.commitsByGroup(true)
		}
		since, gone := t.gone.Get()
		switch {
		case gone && s.At.Sub(since) > ghostLife:
			delete(p.tenures, name)
		case !gone && known && !t.group.HasMembers() && t.group.Kind != model.KindShare && mayHaveExpired(clock.expires(t, byGroup), s.At):
			t.gone = model.Known(s.At)
		case !gone:
			delete(p.tenures, name)
		}
	}
}

// mayHaveExpired also holds where the clock was not seen to start.
func mayHaveExpired(earliest model.Maybe[model.Instant], now model.Instant) bool {
	at, ok := earliest.Get()
	return !ok || at <= now
}

// gone are the groups that are gone with their offsets.
func (p *Predictor) gone() []model.Group {
	var out []model.Group
	for name, t := range p.tenures {
		if t.gone.IsKnown() {
			g := t.group
			g.Name = name
			out = append(out, g)
		}
	}
	return out
}
