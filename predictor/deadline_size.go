package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// dueBehind is the deadline of an offset behind a record that blocks the time rule, where a size
// limit takes that record's segment away some day: the pass that does goes on with the time rule
// in what is behind it (UnifiedLog.deleteOldSegments), whose stamps no question reaches while
// the blocker is there. What arrived under the watch is taken to be stamped when it came, what
// was there before to be old. ok is false where the blocker shares the offset's segment.
func (p *partition) dueBehind(o model.Offset, age model.Millis, limit model.Bytes, now model.Instant) (deadline, bool) {
	blocker, ok := p.times.Protector(o)
	if !ok || !blocked(blocker.Stamp, age, now) {
		return deadline{}, false
	}
	seg := p.segmentOf(blocker.Offset, now)
	if next, closed := seg.next.Get(); !closed || o < next {
		return deadline{}, false
	}
	d, ok := p.dueBySize(seg, limit, now)
	if came, known := p.ends.Passed(int64(o) + 1); ok && known {
		d.due = max(d.due, came.Add(age).Add(1))
		d.hi = max(d.hi, d.due)
	}
	d.rule = model.Known(ByTime)
	return d, ok
}

// dueBySize mirrors UnifiedLog.deleteRetentionSizeBreachedSegments: a segment goes once the
// bytes after it reach retention.bytes.
func (p *partition) dueBySize(seg segment, limit model.Bytes, now model.Instant) (deadline, bool) {
	total, ok := p.bytes.Total()
	_, at, seen := p.volume.Last()
	if !ok || !seen {
		return deadline{}, false
	}
	after := p.bytesAfter(seg, total, now)
	when := func(amount float64) model.Instant {
		if amount <= 0 {
			return at
		}
		d, ok := p.timeFor(int64(math.Ceil(amount)), now)
		if !ok {
			return model.Forever
		}
		return at.Add(d)
	}
	missing := float64(limit - after)
	span := float64(p.segmentSpan())
	return deadline{
		due: when(missing), lo: when(missing - span/2), hi: when(missing + span/2),
		rule: model.Known(BySize),
	}, true
}

// bytesAfter is how many bytes lie after the offset's segment; for the active one, which must
// roll first, it is negative by what is still to come before the roll.
func (p *partition) bytesAfter(seg segment, total model.Bytes, now model.Instant) model.Bytes {
	if up, closed := seg.next.Get(); closed {
		upTo, _ := p.bytes.At(up)
		return total - upTo
	}
	if seg.rolls == model.Forever {
		return 0
	}
	rate, ok := usualRate(&p.volume, p.horizon())
	if !ok {
		rate, _ = p.earlierRate(now).Get()
	}
	return -model.Bytes(rate * float64(seg.rolls.Sub(now)))
}

// segmentSpan is the usual bytes of one segment, for the width of bounds.
func (p *partition) segmentSpan() model.Bytes {
	set, _ := p.settings.Get()
	n := len(p.chain.bases)
	if n < 2 {
		return set.SegmentBytes
	}
	a, _ := p.bytes.At(p.chain.bases[0])
	b, _ := p.bytes.At(p.chain.bases[n-1])
	return (b - a) / model.Bytes(n-1)
}
