package predictor

import (
	"sort"

	"kafka-retention-exporter/model"
)

// fence is a segment base as far as it is certain: the segment begins at lo or later, and the one
// before it has ended by hi. The last fence of a log is at its end or where certainty ends.
type fence struct {
	lo, hi model.Offset
	// rolled is the record that rolls the segment before by time, if it is known and time it is.
	rolled model.Maybe[model.Offset]
}

// surveyor walks from fence to fence. Unlike the chain, which goes by what is likely, it carries
// an early and a late border along, by the broker's rules of rolling (LogSegment.shouldRoll): a
// batch rolls the segment that it would fill beyond segment.bytes, or that began more than
// segment.ms of event time before it. What it assumes beside what was read: a batch is no larger
// than the most that one poll brought, and where segments fill up by bytes, no record is stamped
// more than half of segment.ms behind its predecessors.
type surveyor struct {
	chain   *chain
	times   *model.TimeCurve
	bytes   *model.ByteCurve
	set     model.Settings
	end     model.Offset
	burst   burst
	fence   fence
	low, to model.Bytes                // of the fence, in the byte curve's count
	bounded bool                       // to is known
	first   model.Instant              // no newer than the first batch's stamp
	last    model.Maybe[model.Instant] // no older than it
}

// survey is a walk from fence to fence that goes on as far as it is asked for.
type survey struct {
	surveyor
	fences []fence // passed so far
	over   bool
}

// begin stands on an exact base.
func (w *survey) begin(p *partition) {
	w.fences, w.over = w.fences[:0], true
	if base, ok := p.chain.exactBase(); ok {
		w.from(p, base)
	}
}

// from stands on a segment base as if it were exact.
func (w *survey) from(p *partition, base model.Offset) {
	w.fences, w.over = w.fences[:0], true
	set, known := p.settings.Get()
	end, e := p.end.Get()
	if !known || !e || set.Policy.Compacts() || set.Tiered || base < p.ledFrom || base < p.rules.since() || p.burst.offsets <= 0 {
		return
	}
	w.surveyor = surveyor{chain: &p.chain, times: &p.times, bytes: &p.bytes, set: set, end: end, burst: p.burst}
	if w.start(base) {
		w.fences, w.over = append(w.fences, w.fence), false
	}
}

// reach walks on until there is a fence behind an offset, if there ever is one.
func (w *survey) reach(o model.Offset) []fence {
	for !w.over && w.fence.lo <= o {
		if len(w.fences) >= maxBases || w.fence.hi >= w.end {
			w.over = true
			break
		}
		before := w.fence
		w.stride()
		w.fences = append(w.fences, w.fence)
		w.over = w.fence.lo <= before.hi // one may be the other
	}
	return w.fences
}

// within is how far the segment of an offset reaches at least; ok is false where the offset does not
// certainly lie between two bases.
func (w *survey) within(o model.Offset) (upTo model.Offset, ok bool) {
	fences := w.reach(o)
	i := sort.Search(len(fences), func(i int) bool { return fences[i].lo > o }) - 1
	if i < 0 || i+1 >= len(fences) || o < fences[i].hi {
		return 0, false
	}
	return fences[i+1].lo, true
}

// start stands on a base whose first record's stamp is known.
func (s *surveyor) start(base model.Offset) bool {
	r, ok := s.times.Protector(base)
	if !ok || r.Offset != base {
		return false
	}
	s.fence = fence{lo: base, hi: base}
	s.low = s.bytes.Least(base)
	s.to, s.bounded = s.bytes.Most(base)
	s.first, s.last = r.Stamp, s.newest(base)
	return true
}

// newest is a stamp that no batch exceeds which begins at or before an offset.
func (s *surveyor) newest(o model.Offset) model.Maybe[model.Instant] {
	below, ok := s.times.Below(o + s.burst.records())
	if !ok {
		return model.Maybe[model.Instant]{}
	}
	return model.Known(below - 1)
}

// stride goes on to the next fence: to the earlier of the two rules, whichever is earlier.
func (s *surveyor) stride() {
	early, full := s.fullEarly()
	passed, rolled, stamp := s.timeEarly()
	hi, to, bounded := s.fullLate()
	if r, ok := s.timeLate(); ok && r.Offset < hi {
		hi = r.Offset
		if most, ok := s.bytes.Most(hi); ok && (!bounded || most < to) {
			to, bounded = most, true
		}
	}
	lo, from, first := s.end, to, model.Forever
	if early <= hi {
		lo, from, first = early, full, s.stampAfterFull(early)
	}
	if passed <= hi && passed <= lo {
		lo = passed
	}
	if passed <= hi {
		from, first = min(from, s.bytes.Least(passed)), min(first, stamp)
	}
	if early <= hi {
		rolled = model.Maybe[model.Offset]{}
	}
	s.fence = fence{min(lo, s.end), min(hi, s.end), rolled}
	s.low, s.to, s.bounded = from, to, bounded
	s.first, s.last = first, s.newest(hi)
}

// fullEarly is how far the segment reaches at least before its bytes are full.
func (s *surveyor) fullEarly() (model.Offset, model.Bytes) {
	full := s.low + max(0, s.limit()-s.batch())
	if total, ok := s.bytes.Total(); ok && full >= total {
		return s.end, full
	}
	return max(s.fence.lo, s.bytes.NotBefore(full)), full
}

// fullLate is by where its bytes are full.
func (s *surveyor) fullLate() (model.Offset, model.Bytes, bool) {
	if !s.bounded || s.set.SegmentBytes <= 0 {
		return s.end, 0, false
	}
	full := s.to + s.set.SegmentBytes
	if o, ok := s.bytes.NotAfter(full); ok {
		return o, full, true
	}
	return s.end, full, true
}

// timeEarly is how far the segment reaches at least before a record comes that rolls it by time,
// and a stamp that this record has at least. The batch with it is the first of the next segment.
func (s *surveyor) timeEarly() (passed model.Offset, by model.Maybe[model.Offset], stamp model.Instant) {
	if s.set.SegmentMs <= 0 {
		return s.end, by, model.Forever
	}
	stamp = s.first.Add(max(0, s.set.SegmentMs-s.set.SegmentJitterMs)).Add(1)
	at := s.times.NotBefore(stamp)
	if r, ok := s.chain.roll(stamp); ok {
		at, stamp, by = r.record, r.stamp, model.Known(r.record)
	}
	return max(s.fence.lo, at-s.burst.records()+1), by, stamp
}

// timeLate is a record that rolls it by time for certain.
func (s *surveyor) timeLate() (model.Stamped, bool) {
	last, ok := s.last.Get()
	if !ok || s.set.SegmentMs <= 0 {
		return model.Stamped{}, false
	}
	t := last.Add(s.set.SegmentMs).Add(1)
	if r, ok := s.chain.roll(t); ok {
		return model.Stamped{Offset: r.record, Stamp: r.stamp, Found: true}, true
	}
	return s.times.FirstSince(t)
}

// stampAfterFull is no newer than the stamp of the first batch after a segment that was full: it may
// be older than those before it.
func (s *surveyor) stampAfterFull(o model.Offset) model.Instant {
	before, _ := s.times.Protector(o)
	return before.Stamp.Add(-s.set.SegmentMs / 2)
}

// limit is segment.bytes, or what fills the time index if that is less.
func (s *surveyor) limit() model.Bytes {
	limit := s.set.SegmentBytes
	if entries, every := s.set.SegmentIndexBytes/12-1, s.set.IndexIntervalBytes; entries > 0 && every > 0 {
		limit = min(limit, entries*every)
	}
	return limit
}

// batch is a size that no batch exceeds. What came before the watch may have come in larger ones.
func (s *surveyor) batch() model.Bytes {
	const usual = model.Bytes(1 << 20) // message.max.bytes
	return max(s.burst.batch(s.set.SegmentBytes), min(usual, s.set.SegmentBytes/64))
}
