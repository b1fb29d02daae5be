package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// floorOf is the promise: no pass that runs before it deletes the offset. It stands on records
// that are known to be there, and on segments only as far as they are certain (fences.go).
//
// By time, a segment with a record stamped s is kept until s + retention.ms, and all behind it:
// so an offset is safe until the newest stamp at or before it has expired, or the newest in its
// own segment. By size, it is safe until the bytes behind its segment can reach
// retention.bytes. Where both act, size may take the protecting record away first, and then time
// may take the offset: so the protection ends with the earlier of the two, both taken at the
// protecting record.
//
// ok is false where an input is missing. lo is model.Forever where no limit acts.
func (s *schedule) floorOf(o model.Offset) (lo model.Instant, ok bool) {
	set := s.set
	if !s.known {
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
		if protector, ok = s.protector(o); !ok {
			return 0, false
		}
	}
	lo = model.Forever
	if timed {
		lo = protector.Stamp.Add(age).Add(1)
	}
	if sized {
		safe, ok := s.safeFromSize(protector.Offset, limit)
		if !ok {
			return 0, false
		}
		lo = min(lo, safe)
	}
	return lo, true
}

// protector is the record with the newest stamp that is known in the segment of the offset, as far
// as that certainly reaches, or before it. With nothing unread it is the newest of the log, and in
// an empty log a record that comes now.
func (s *schedule) protector(o model.Offset) (model.Stamped, bool) {
	start, started := s.start.Get()
	end, ended := s.end.Get()
	if !started || !ended {
		return model.Stamped{}, false
	}
	if start >= end && o >= end {
		at, _ := s.end.At()
		return model.Stamped{Offset: o, Stamp: min(at, s.now)}, true
	}
	o = min(max(o, start), end-1)
	if i, exact := s.files.holds(s, o); exact {
		return model.Stamped{Offset: s.files.segments[i+1].Base - 1, Stamp: s.files.stamps[i], Found: true}, true
	}
	if upTo, ok := s.certainTo(o); ok {
		o = max(o, upTo-1)
	}
	if r, ok := s.survivor(o); ok {
		return r, true
	}
	return s.times.Protector(o)
}

// safeFromSize is until when the bytes behind the segment of an offset cannot reach the cap, at the
// ceiling. Of where that segment ends the stamps may say a batch too much.
func (s *schedule) safeFromSize(o model.Offset, limit model.Bytes) (model.Instant, bool) {
	if upTo, ok := s.certainTo(o); ok {
		o = max(o, upTo-s.burst.offsets)
	}
	behind, ok := s.bytes.AtMost(o)
	_, at, seen := s.volume.Last()
	if !ok || !seen || s.volume.Span() == 0 || s.unread() {
		return 0, false
	}
	behind = min(behind, s.atMost(o))
	factor := ceilingFactor
	if s.vague() {
		factor *= unreadFactor
	}
	d, ok := s.peak.safe(limit-behind, s.earlier, factor)
	if !ok {
		return 0, false
	}
	return min(at.Add(d), s.safeSince(limit-behind, at, factor)), true
}

// atMost is that for what was there before the watch, whose bytes were never seen come: an offset of it
// is taken to hold no more than ceilingFactor times the mean of the log, and of what was watched, and no
// fewer bytes to lie before it than that factor less than the mean.
func (s *schedule) atMost(o model.Offset) model.Bytes {
	size, ok := s.bytes.Size()
	n := size.EndAfter - size.LogStart
	if !ok || n <= 0 || s.volume.Span() < 12*s.poll {
		return math.MaxInt64
	}
	mean := float64(size.Bytes) / float64(n)
	most := ceilingFactor * max(mean, s.bytes.PerOffset()) * float64(size.EndAfter-o)
	before := mean / ceilingFactor * float64(max(0, o-size.LogStart))
	return model.Bytes(math.Ceil(min(most, float64(size.Bytes)-before)))
}

// safeSince is that by what arrived since the size was read, which may be a few polls ago: a size that
// was read across a deletion is not used.
func (s *schedule) safeSince(missing model.Bytes, sized model.Instant, factor float64) model.Instant {
	upTo, _ := s.bytes.End()
	at, _ := s.end.At()
	if s.last <= upTo || at <= sized {
		return model.Forever
	}
	come := s.bytes.PerOffset() * float64(s.last-upTo)
	earlier, _ := s.earlier.Get()
	rate := max(earlier, come/float64(max(at.Sub(sized), s.poll)))
	d, ok := s.peak.safe(missing-model.Bytes(come), model.Known(rate), factor)
	if !ok {
		return model.Forever
	}
	return at.Add(d)
}

// vague tells that of the log's history there are stretches of more than a twelfth of which nothing is
// known yet.
func (s *schedule) vague() bool {
	_, width := s.widest(s.set)
	return width > max(s.history(s.set)/12, 2*s.poll)
}

// unread tells that the log's own history was not read yet, in the first polls: what comes meanwhile
// may be the least of the day.
func (s *schedule) unread() bool {
	_, asks := s.grid(s.set)
	return asks && s.volume.Span() < 6*s.poll
}
