package predictor

import "kafka-retention-exporter/model"

// due is when an offset may go: a record there is deleted at the first pass after it, by the rule.
type due struct {
	at   model.Instant
	rule model.Maybe[Rule]
}

// deadline is when the log start passes an offset: a record there is deleted at the first pass
// after due. lo and hi bound due as far as the inputs can tell.
type deadline struct {
	due    model.Instant
	lo, hi model.Instant
	rule   model.Maybe[Rule]
	closed bool // the segment's end is known: what arrives from now on does not change it
}

// segment is the segment that is believed to hold an offset.
type segment struct {
	offset model.Offset
	base   model.Maybe[model.Offset]
	next   model.Maybe[model.Offset] // the base after it, unknown for the active segment
	rolls  model.Instant             // for the active one: when it is expected to roll, Forever if nothing comes
	held   model.Instant             // newest stamp it has, as nearly as it is known
	stamp  model.Instant             // newest stamp it has or is expected to get
	ok     bool
}

// segment finds the newest stamp that the segment of an offset has or is expected to get.
func (s *schedule) segment(i int, o model.Offset) segment {
	seg := segment{offset: o, rolls: model.Forever}
	if i < s.segments && len(s.chain.bases) > 0 && s.chain.bases[i] <= o {
		seg.base = model.Known(s.chain.bases[i])
	}
	if !s.stamped && o < s.last {
		if i+1 < s.segments {
			seg.next = model.Known(s.rows[i+1].from)
		}
		return seg
	}
	switch {
	case s.compacts():
		s.block(&seg)
	case s.files.closed(i):
		seg.next = model.Known(s.files.segments[i+1].Base)
		seg.stamp, seg.held, seg.ok = s.files.stamps[i], s.files.stamps[i], true
	case i+1 < s.segments:
		up := s.rows[i+1].from
		seg.next = model.Known(up)
		seg.stamp, seg.ok = s.times.Estimate(up-1, s.last, s.newest)
		seg.held = seg.stamp
	case !s.laid() && o < s.last: // half a segment more is likely
		at, ok := s.times.Estimate(o, s.last, s.newest)
		seg.stamp, seg.ok = min(max(s.newest, at), s.halfOn(o, at)), ok
		seg.held = at
	default:
		s.active(&seg)
	}
	return seg
}

// halfOn is the stamp half a segment beyond an offset, of a segment of age or of bytes.
func (s *schedule) halfOn(o model.Offset, at model.Instant) model.Instant {
	half := at.Add(usualAge(s.set) / 2)
	if up, ok := s.filled(o, 0.5); ok && up < s.last {
		if stamp, ok := s.times.Estimate(up, s.last, s.newest); ok {
			half = min(half, max(at, stamp))
		}
	}
	return half
}

// filled is where a share of a segment's bytes ends that begin at an offset.
func (s *schedule) filled(from model.Offset, share float64) (model.Offset, bool) {
	if long, ok := s.strides.long(); ok {
		return from + model.Offset(share*float64(long)), true
	}
	at, ok := s.bytes.At(from)
	if !ok || s.set.SegmentBytes <= 0 {
		return 0, false
	}
	return s.bytes.Offset(at + model.Bytes(share*float64(s.set.SegmentBytes)))
}

// active fills in what is expected of the active segment.
func (s *schedule) active(seg *segment) {
	seg.rolls, seg.held, seg.ok = s.activeRoll(seg.base), s.newest, true
	seg.stamp = s.newest
	if seg.rolls != model.Forever {
		seg.stamp = max(s.newest, seg.rolls)
	}
	if seg.offset >= s.last { // a record that arrives now, with a current stamp
		seg.stamp = max(seg.stamp, s.now)
	}
}

// activeRoll is when the active segment is expected to roll: never while nothing arrives, since
// only an append rolls it (broker.md 5.5); else when its time or its bytes are full.
func (s *schedule) activeRoll(base model.Maybe[model.Offset]) model.Instant {
	if s.idle(s.now) {
		return model.Forever
	}
	begin, ok := base.Get()
	if !ok {
		return s.now
	}
	roll := model.Forever
	if stamp, ok := s.chain.firstStamp(&s.times, begin); ok && s.set.SegmentMs > 0 {
		roll = max(s.now, stamp.Add(usualAge(s.set)))
	}
	if d, ok := s.fullIn(begin); ok {
		roll = min(roll, s.now.Add(d))
	}
	return roll
}

// fullIn is how long the active segment, which begins at a base, still takes to be full.
func (s *schedule) fullIn(begin model.Offset) (model.Millis, bool) {
	if long, ok := s.strides.long(); ok {
		return s.ends.TimeFor(int64(max(0, begin+long-s.last)), s.earlierOffsets())
	}
	held, known := s.activeSize(begin)
	if !known || s.set.SegmentBytes <= 0 {
		return 0, false
	}
	return s.timeFor(int64(s.set.SegmentBytes - held))
}

// activeSize is how much is in the active segment, which begins at a base.
func (s *schedule) activeSize(begin model.Offset) (model.Bytes, bool) {
	if n := len(s.files.segments); n > 0 {
		return s.files.segments[n-1].Size, true
	}
	from, known := s.bytes.At(begin)
	total, _ := s.bytes.At(s.last) // sizes may have been read long ago
	return total - from, known
}

// dueOf runs the broker's rules forward for one segment: whichever of time and size takes it
// first (broker.md 0.3, 12.2). ok is false where neither can be told.
func (s *schedule) dueOf(seg segment) (due, bool) {
	if !s.known {
		return due{}, false
	}
	age, timed := s.set.TimeLimit()
	limit, sized := s.set.SizeLimit()
	best := due{at: model.Forever}
	if timed && sized && blocked(seg.held, age, s.now) {
		if d, ok := s.dueBehind(seg.offset, age, limit); ok {
			best = d
		}
		timed = false
	}
	if timed {
		if !seg.ok {
			return due{}, false
		}
		if !blocked(seg.held, age, s.now) {
			best = due{at: expiry(seg.stamp, age), rule: model.Known(ByTime)}
		}
	}
	if sized {
		d, ok := s.dueBySize(seg, limit)
		if !ok {
			return due{}, false
		}
		if d < best.at {
			best = due{at: d, rule: model.Known(BySize)}
		}
	}
	return best, true
}

// expiry mirrors UnifiedLog.deleteRetentionMsBreachedSegments: strictly later than the segment's
// newest stamp plus retention.ms.
func expiry(stamp model.Instant, age model.Millis) model.Instant { return stamp.Add(age).Add(1) }

// bound fills in the bounds of a deadline: the earlier of what the two rules allow.
func (s *schedule) bound(d *deadline, seg segment) {
	age, timed := s.set.TimeLimit()
	limit, sized := s.set.SizeLimit()
	_, exact := s.files.holds(s, seg.offset)
	if timed && seg.ok && !exact && !blocked(seg.held, age, s.now) {
		d.lo = min(d.lo, expiry(min(s.protection(seg.offset), seg.stamp), age))
		d.hi = max(d.hi, expiry(s.latestStamp(seg), age))
	}
	if sized {
		lo, hi, ok := s.sizeBounds(seg, limit)
		if !ok {
			return
		}
		d.lo = min(d.lo, lo)
		if timed && d.hi < model.Forever {
			hi = min(hi, d.hi)
		}
		d.hi = max(d.due, hi)
	}
}

// protection is a stamp that the newest one at or before an offset is not older than.
func (s *schedule) protection(o model.Offset) model.Instant {
	at, _ := s.times.Newest(min(o, s.last-1))
	stamp, _ := at.Get()
	if o >= s.last {
		return max(stamp, s.now)
	}
	return stamp
}

// latestStamp is a stamp that the offset's segment hardly exceeds. Without its end it is what
// could share a segment at most: segment.ms of event time or segment.bytes of log, whichever is
// less. Where the end is believed to be known, an eighth of the way there.
func (s *schedule) latestStamp(seg segment) model.Instant {
	if seg.rolls == model.Forever && !seg.next.IsKnown() {
		return seg.stamp
	}
	if s.compacts() {
		age, _ := s.set.TimeLimit()
		return max(seg.stamp, seg.held.Add(s.blockSpan(age)))
	}
	far := max(seg.stamp, s.protection(seg.offset).Add(s.set.SegmentMs))
	if o, ok := s.filled(seg.offset, 1); ok && o < s.last {
		if at, ok := s.times.Estimate(o, s.last, s.now); ok {
			far = min(far, max(at, seg.stamp))
		}
	}
	if seg.next.IsKnown() {
		far = seg.stamp.Add(far.Sub(seg.stamp) / 8)
	}
	return far
}

// blocked tells a stamp that lies so far ahead that it is no clock difference: further than a
// broker accepts by default (message.timestamp.after.max.ms, 1 h) or than the retention itself.
// Its segment and all behind it are not deleted by time within any useful horizon.
func blocked(stamp model.Instant, age model.Millis, now model.Instant) bool {
	const accepted = model.Millis(3_600_000)
	return stamp.Sub(now) > min(accepted, max(age, 1000))
}
