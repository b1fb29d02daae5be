package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// dueBehind is when an offset goes that lies behind a record that blocks the time rule, where a
// size limit takes that record's segment away some day: the pass that does goes on with the time
// rule in what is behind it (UnifiedLog.deleteOldSegments), whose stamps no question reaches while
// the blocker is there. What arrived under the watch is taken to be stamped when it came, what
// was there before to be old. ok is false where the blocker shares the offset's segment.
func (s *schedule) dueBehind(o model.Offset, age model.Millis, limit model.Bytes) (due, bool) {
	blocker, ok := s.times.Protector(o)
	if !ok || !blocked(blocker.Stamp, age, s.now) {
		return due{}, false
	}
	i := s.index(blocker.Offset)
	if i+1 >= s.segments || o < s.rows[i+1].from {
		return due{}, false
	}
	at, ok := s.dueBySize(s.segment(i, blocker.Offset), limit)
	if came, known := s.ends.Passed(int64(o) + 1); ok && known {
		at = max(at, expiry(came, age))
	}
	return due{at: at, rule: model.Known(ByTime)}, ok
}

// dueBySize mirrors UnifiedLog.deleteRetentionSizeBreachedSegments: a segment goes once the
// bytes after it reach retention.bytes.
func (s *schedule) dueBySize(seg segment, limit model.Bytes) (model.Instant, bool) {
	missing, ok := s.missing(seg, limit)
	if !ok {
		return 0, false
	}
	return s.whenCome(missing), true
}

// sizeBounds are half a segment of bytes to either side.
func (s *schedule) sizeBounds(seg segment, limit model.Bytes) (lo, hi model.Instant, ok bool) {
	missing, ok := s.missing(seg, limit)
	if !ok {
		return 0, 0, false
	}
	half := float64(s.segmentSpan()) / 2
	return s.whenCome(missing - half), s.whenCome(missing + half), true
}

// missing is how many bytes are still to come before a segment goes by size.
func (s *schedule) missing(seg segment, limit model.Bytes) (float64, bool) {
	total, ok := s.bytes.Total()
	if _, _, seen := s.volume.Last(); !ok || !seen {
		return 0, false
	}
	return float64(limit - s.bytesAfter(seg, total)), true
}

// whenCome is when so many more bytes are expected to have come.
func (s *schedule) whenCome(amount float64) model.Instant {
	_, at, _ := s.volume.Last()
	if amount <= 0 {
		return at
	}
	d, ok := s.timeFor(int64(math.Ceil(amount)))
	if !ok {
		return model.Forever
	}
	return at.Add(d)
}

// bytesAfter is how many bytes lie after the offset's segment; for the active one, which must
// roll first, it is negative by what is still to come before the roll.
func (s *schedule) bytesAfter(seg segment, total model.Bytes) model.Bytes {
	if i, exact := s.files.holds(s, seg.offset); exact {
		return s.files.after[i]
	}
	if up, closed := seg.next.Get(); closed {
		upTo, _ := s.bytes.At(up)
		return total - upTo
	}
	if seg.rolls == model.Forever {
		return 0
	}
	rate, ok := usualRate(&s.volume, s.horizon())
	if !ok {
		rate, _ = s.earlier.Get()
	}
	return -model.Bytes(rate * float64(seg.rolls.Sub(s.now)))
}

// segmentSpan is the usual bytes of one segment, for the width of bounds.
func (s *schedule) segmentSpan() model.Bytes {
	n := len(s.chain.bases)
	if n < 2 {
		return s.set.SegmentBytes
	}
	a, _ := s.bytes.At(s.chain.bases[0])
	b, _ := s.bytes.At(s.chain.bases[n-1])
	return (b - a) / model.Bytes(n-1)
}

// timeFor is how long the next bytes are expected to take: as long as the last ones took, but for
// a surge, of which the past does not tell.
func (s *schedule) timeFor(amount int64) (model.Millis, bool) {
	if _, surges := s.volume.Surge(); surges {
		return s.volume.TimeInSurge(amount, s.earlier)
	}
	if q := s.past; q != nil {
		if level, ok := q.level(q.until); ok {
			d, ok := q.replay(q.until, float64(amount)/level)
			return model.Millis(min(d, 1<<60)), ok
		}
	}
	return s.volume.TimeFor(amount, s.earlier)
}
