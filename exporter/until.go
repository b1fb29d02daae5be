package exporter

import "kafka-retention-exporter/model"

// horizon finds the first instant at which one of the noted readings becomes stale.
type horizon struct {
	fresh freshness
	until model.Instant
}

func (h *horizon) note(at model.Instant) {
	if h.fresh.since(at) {
		h.until = min(h.until, h.fresh.expiry(at))
	}
}

func (h *horizon) maybe(m model.Maybe[model.Instant]) {
	if at, ok := m.Get(); ok {
		h.note(at)
	}
}

func noteRead[T any](h *horizon, r model.Read[T]) {
	if at, ok := r.At(); ok {
		h.note(at)
	}
}

// size has two ends: its own and, while its broker answers, that of the time in which it need not
// be read again.
func (h *horizon) size(r model.Read[model.SizeRead], told model.Read[struct{}]) {
	at, ok := r.At()
	if !ok {
		return
	}
	h.note(at)
	if heard, ok := told.At(); ok && h.fresh.since(heard) {
		h.note(at.Add(h.fresh.sizes))
	}
}

// unchangedUntil is the last instant at which a view of s says the same as it does now: no
// reading that it stands on becomes stale before.
func (s *state) unchangedUntil(fresh freshness) model.Instant {
	h := horizon{fresh: fresh, until: model.Forever}
	noteRead(&h, s.published)
	if s.snapshot != nil {
		h.snapshot(s.snapshot)
	}
	if s.report != nil {
		h.note(s.report.At)
		for i := range s.report.Pairs {
			h.maybe(s.report.Pairs[i].PositionAt)
			h.maybe(s.report.Pairs[i].InputsAt)
		}
	}
	return h.until
}

func (h *horizon) snapshot(s *model.Snapshot) {
	h.note(s.At)
	noteRead(h, s.Local)
	for _, p := range s.Partitions {
		if at, ok := p.LogStartAsOf(); ok {
			h.note(at)
		}
		noteRead(h, p.End)
		h.size(p.Size, s.Brokers[p.Leader].LastAnswer)
	}
	for _, b := range s.Brokers {
		noteRead(h, b.LastAnswer)
		for _, v := range b.Dirs {
			if at, ok := v.Usable.At(); ok {
				h.note(at)
				h.note(at.Add(h.fresh.sizes))
			}
		}
	}
	for _, g := range s.Groups {
		noteRead(h, g.OffsetsRead)
	}
	for _, t := range s.Topics {
		for _, r := range t.Settings {
			noteRead(h, r)
		}
	}
}
