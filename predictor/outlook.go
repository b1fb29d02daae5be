package predictor

import "kafka-retention-exporter/model"

// outlook is what the broker is expected to do to the partition next, whoever reads it.
func (p *partition) outlook(plan *schedule) Outlook {
	now := plan.now
	out := Outlook{
		Newest: p.newestAtMost(now), Blocker: p.blocker(now), Active: p.activeBytes(), ByteRate: p.byteRate(),
	}
	out.FailoverLogStart = p.failover
	if r, ok := out.Blocker.Get(); ok {
		_, out.Behind = p.chain.around(r.Offset)
	}
	if rose, ok := p.ends.Rose(); ok {
		out.Rose = model.Known(rose)
	}
	pass, ok := p.nextDeletion(plan)
	if !ok {
		return out
	}
	out.NextDeletion = model.Known(pass)
	if pass == model.Forever {
		return out
	}
	if n, ok := p.bytesTaken(plan, pass); ok {
		out.NextBytes = model.Known(n)
	}
	return out
}

// nextDeletion is the first pass that is expected to take the oldest segment: nothing behind it
// goes before it does. It is Forever where no limit acts or nothing is there to delete; ok is
// false where an input is missing.
func (p *partition) nextDeletion(plan *schedule) (pass model.Instant, ok bool) {
	set, known := p.settings.Get()
	start, s := p.start.Get()
	end, e := p.end.Get()
	if !known || !s || !e || p.foreign {
		return 0, false
	}
	if !limited(set) || start >= end {
		return model.Forever, true
	}
	if _, sized := set.SizeLimit(); sized && set.Tiered {
		return 0, false // log dirs show the local part only, and the limit is on the whole
	}
	d, ok := plan.due(start)
	if _, closed := p.baseAfter(start); !ok || d.at != model.Forever && !closed && p.ends.Span() == 0 {
		return 0, false // one look does not show whether anything arrives
	}
	return p.actsOn(d.at, plan.now), true
}

// bytesTaken is the bytes of the segments that a pass is expected to take: the walk stops at the
// first one that is not due by then. ok is false without sizes, or where a segment that goes is
// not known to end.
func (p *partition) bytesTaken(plan *schedule, pass model.Instant) (n model.Bytes, ok bool) {
	total, sized := p.bytes.Total()
	start, _ := p.start.Get()
	from, known := p.bytes.At(start)
	if !sized || !known {
		return 0, false
	}
	for i := plan.index(start); i < plan.segments; i++ {
		r, ok := plan.row(i)
		if !ok {
			return 0, false
		}
		if r.from > start && r.due > pass {
			upTo, ok := p.bytes.At(r.from)
			return max(0, upTo-from), ok
		}
	}
	return max(0, total-from), p.laid()
}

// baseAfter is the base of the segment behind the one that holds an offset; ok is false in the
// active segment and where the chain is not laid that far.
func (p *partition) baseAfter(o model.Offset) (model.Offset, bool) {
	_, next := p.chain.around(o)
	return next.Get()
}

// newestAtMost is a stamp that no record of the log exceeds; unknown where nothing bounds it.
func (p *partition) newestAtMost(now model.Instant) model.Maybe[model.Instant] {
	end, ok := p.end.Get()
	if !ok {
		return model.Maybe[model.Instant]{}
	}
	at, below := p.times.Newest(end - 1)
	known, stamped := at.Get()
	limit, bounded := below.Get()
	switch {
	case !stamped:
		return model.Maybe[model.Instant]{}
	case bounded:
		return model.Known(limit - 1)
	case known >= now:
		return model.Known(known)
	}
	return model.Maybe[model.Instant]{}
}

// blocker is the first record known to be stamped so far ahead that the time rule stops at its
// segment (broker.md 1.4).
func (p *partition) blocker(now model.Instant) model.Maybe[model.Stamped] {
	set, _ := p.settings.Get()
	age, timed := set.TimeLimit()
	if !timed {
		return model.Maybe[model.Stamped]{}
	}
	if r, ok := p.times.FirstSince(now); ok && blocked(r.Stamp, age, now) {
		return model.Known(r)
	}
	return model.Maybe[model.Stamped]{}
}

// activeBytes is the bytes in the active segment, as far as its base is known.
func (p *partition) activeBytes() model.Maybe[model.Bytes] {
	base, ok := p.chain.last()
	total, sized := p.bytes.Total()
	from, known := p.bytes.At(base)
	if !ok || !sized || !known || !p.laid() {
		return model.Maybe[model.Bytes]{}
	}
	return model.Known(max(0, total-from))
}

// byteRate is the bytes a second at which the log grows: over all of what it holds, by the stamps
// of its records, where that reaches further back than the watch; else as it was watched.
func (p *partition) byteRate() model.Maybe[float64] {
	first, stamped := p.times.FirstPoint()
	size, sized := p.bytes.Size()
	_, at, seen := p.volume.Last()
	if held := at.Sub(first.Stamp); stamped && sized && seen && size.Bytes > 0 && held > p.volume.Span() {
		return model.Known(float64(size.Bytes) / float64(held) * 1000)
	}
	if rate, ok := p.volume.Rate(p.horizon()); ok {
		return model.Known(rate * 1000)
	}
	if rate, ok := p.ends.Rate(p.horizon()); ok && rate == 0 {
		return model.Known(0.0) // nothing arrives, whatever its size
	}
	return model.Maybe[float64]{}
}
