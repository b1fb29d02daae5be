package predictor

import "kafka-retention-exporter/model"

// deadline is when the log start passes an offset: a record there is deleted at the first pass
// after due. lo and hi bound due as far as the inputs can tell.
type deadline struct {
	due    model.Instant
	lo, hi model.Instant
	rule   model.Maybe[Rule]
	closed bool // the segment's end is known: what arrives from now on does not change it
}

// never is the deadline of what no pass takes.
func never() deadline {
	return deadline{due: model.Forever, lo: model.Forever, hi: model.Forever}
}

// deadlineOf runs the broker's rules forward for one offset: whichever of time and size takes
// its segment first (broker.md 0.3, 12.2). ok is false where neither can be told.
func (p *partition) deadlineOf(o model.Offset, now model.Instant) (deadline, bool) {
	set, ok := p.settings.Get()
	if !ok {
		return deadline{}, false
	}
	age, timed := set.TimeLimit()
	limit, sized := set.SizeLimit()
	best, seg := never(), p.segmentOf(o, now)
	if timed && sized && blocked(seg.held, age, now) {
		if d, ok := p.dueBehind(o, age, limit, now); ok {
			best = d
		}
		timed = false
	}
	if timed {
		d, ok := p.dueByTime(seg, age, now)
		if !ok {
			return deadline{}, false
		}
		best = d
	}
	if sized {
		d, ok := p.dueBySize(seg, limit, now)
		if !ok {
			return deadline{}, false
		}
		best = earlier(best, d)
	}
	best.closed = seg.next.IsKnown()
	return best, true
}

func earlier(a, b deadline) deadline {
	out := a
	if b.due < a.due {
		out = b
	}
	out.lo, out.hi = min(a.lo, b.lo), min(a.hi, b.hi)
	return out
}

// segment is the segment that is believed to hold an offset.
type segment struct {
	offset model.Offset
	base   model.Maybe[model.Offset]
	next   model.Maybe[model.Offset] // the base after it, unknown for the active segment
	rolls  model.Instant             // for the active one: when it is expected to roll, Forever if nothing comes
	held   model.Instant             // newest stamp it has, as nearly as it is known
	stamp  model.Instant             // newest stamp it has or is expected to get
	floor  model.Instant             // no stamp protecting the offset is older than this
	ok     bool
}

// segmentOf finds the segment and the newest stamp it has or is expected to get.
func (p *partition) segmentOf(o model.Offset, now model.Instant) segment {
	base, next := p.chain.around(o)
	seg := segment{offset: o, base: base, next: next, rolls: model.Forever}
	end, _ := p.end.Get()
	newest, ok := p.newest(now)
	if !ok && o < end {
		return seg
	}
	protecting, _ := p.times.Newest(min(o, end-1))
	seg.floor, _ = protecting.Get()
	if up, closed := next.Get(); closed {
		seg.stamp, seg.ok = p.times.Estimate(up-1, end, newest)
		seg.held = seg.stamp
		return seg
	}
	if p.chain.ask.IsKnown() && o < end { // the chain is not laid to the end yet: half a segment more is likely
		at, ok := p.times.Estimate(o, end, newest)
		set, _ := p.settings.Get()
		seg.stamp, seg.ok = min(max(newest, at), at.Add(set.SegmentMs/2)), ok
		seg.held = at
		return seg
	}
	seg.rolls, seg.stamp, seg.held, seg.ok = p.activeRoll(base, now), newest, newest, true
	if seg.rolls != model.Forever {
		seg.stamp = max(newest, seg.rolls)
	}
	if o >= end { // a record that arrives now, with a current stamp
		seg.stamp, seg.floor = max(seg.stamp, now), max(seg.floor, now)
	}
	return seg
}

// activeRoll is when the active segment is expected to roll: never while nothing arrives, since
// only an append rolls it (broker.md 5.5); else when its time or its bytes are full.
func (p *partition) activeRoll(base model.Maybe[model.Offset], now model.Instant) model.Instant {
	set, _ := p.settings.Get()
	if p.idle(now) {
		return model.Forever
	}
	begin, ok := base.Get()
	if !ok {
		return now
	}
	roll := model.Forever
	at, _ := p.times.Newest(begin)
	if stamp, ok := at.Get(); ok && set.SegmentMs > 0 {
		roll = max(now, stamp.Add(set.SegmentMs))
	}
	from, known := p.bytes.At(begin)
	total, _ := p.bytes.Total()
	if known && set.SegmentBytes > 0 {
		left := int64(set.SegmentBytes - (total - from))
		if d, ok := p.timeFor(left, now); ok {
			roll = min(roll, now.Add(d))
		}
	}
	return roll
}

// dueByTime mirrors UnifiedLog.deleteRetentionMsBreachedSegments: strictly later than the
// segment's newest stamp plus retention.ms.
func (p *partition) dueByTime(seg segment, age model.Millis, now model.Instant) (deadline, bool) {
	if !seg.ok {
		return deadline{}, false
	}
	if blocked(seg.held, age, now) {
		return never(), true
	}
	due := func(stamp model.Instant) model.Instant { return stamp.Add(age).Add(1) }
	return deadline{
		due: due(seg.stamp), lo: due(min(seg.floor, seg.stamp)), hi: due(p.latestStamp(seg, now)),
		rule: model.Known(ByTime),
	}, true
}

// latestStamp is a stamp that the offset's segment hardly exceeds. Without its end it is what
// could share a segment at most: segment.ms of event time or segment.bytes of log, whichever is
// less. Where the end is believed to be known, an eighth of the way there.
func (p *partition) latestStamp(seg segment, now model.Instant) model.Instant {
	if seg.rolls == model.Forever && !seg.next.IsKnown() {
		return seg.stamp
	}
	set, _ := p.settings.Get()
	far := max(seg.stamp, seg.floor.Add(set.SegmentMs))
	if from, ok := p.bytes.At(seg.offset); ok && set.SegmentBytes > 0 {
		if o, ok := p.bytes.Offset(from + set.SegmentBytes); ok {
			end, _ := p.end.Get()
			if at, ok := p.times.Estimate(min(o, end-1), end, now); ok && o < end {
				far = min(far, max(at, seg.stamp))
			}
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
