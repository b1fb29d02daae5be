package predictor

import "kafka-retention-exporter/model"

// floorOf is the promise: no pass that runs before it deletes the offset, whatever the segments.
// It stands on records that are known to be there, not on where segments are thought to end.
//
// By time, a segment with a record stamped s is kept until s + retention.ms, and all behind it:
// so an offset is safe until the newest stamp at or before it has expired. By size, it is safe
// until the bytes behind it can reach retention.bytes. Where both act, size may take the
// protecting record away first, and then time may take the offset: so the protection ends with
// the earlier of the two, both taken at the protecting record.
//
// ok is false where an input is missing. lo is model.Forever where no limit acts.
func (p *partition) floorOf(o model.Offset, now model.Instant) (lo model.Instant, ok bool) {
	set, known := p.settings.Get()
	if !known {
		return 0, false
	}
	age, timed := set.TimeLimit()
	limit, sized := set.SizeLimit()
	switch {
	case !timed && !sized:
		return model.Forever, true
	case sized && set.Tiered: // log dirs tell of the local part only
		return 0, false
	}
	protector := model.Stamped{Offset: o}
	if timed {
		if protector, ok = p.protector(o, now); !ok {
			return 0, false
		}
	}
	lo = model.Forever
	if timed {
		lo = protector.Stamp.Add(age).Add(1)
	}
	if sized {
		safe, ok := p.safeFromSize(protector.Offset, limit, now)
		if !ok {
			return 0, false
		}
		lo = min(lo, safe)
	}
	return lo, true
}

// protector is the record with the newest stamp that is known at or before the offset. With
// nothing unread it is the newest of the log, and in an empty log a record that comes now.
func (p *partition) protector(o model.Offset, now model.Instant) (model.Stamped, bool) {
	start, s := p.start.Get()
	end, e := p.end.Get()
	if !s || !e {
		return model.Stamped{}, false
	}
	if start >= end && o >= end {
		at, _ := p.end.At()
		return model.Stamped{Offset: o, Stamp: min(at, now)}, true
	}
	return p.times.Protector(min(max(o, start), end-1))
}

// safeFromSize is until when the bytes behind an offset cannot reach the cap, at the ceiling.
func (p *partition) safeFromSize(o model.Offset, limit model.Bytes, now model.Instant) (model.Instant, bool) {
	behind, ok := p.bytes.AtMost(o)
	_, at, seen := p.volume.Last()
	if !ok || !seen || p.volume.Span() == 0 {
		return 0, false
	}
	d, ok := p.peak.safe(limit-behind, p.earlierRate(now))
	if !ok {
		return 0, false
	}
	return at.Add(d), true
}
