package predictor

import "kafka-retention-exporter/model"

// blocks is what is known of a compacted log. The cleaner joins neighbouring segments
// (Cleaner.groupSegmentsBySize), so that its log start moves in blocks of many of them, each once its
// newest record has expired. Where one block ends and the next begins nothing tells.
type blocks struct {
	span  model.Millis  // of event time in a block, in the mean of the last ones
	seen  int           // how many were seen to go
	first model.Stamped // the first record of the log, as it was last told
}

const (
	// usualBlock is how long a block is, in retentions, before one was seen.
	usualBlock = 1.3
	// overdueBlock is when one goes that has not gone when it was to, in retentions from now.
	overdueBlock = 0.15
	blockMemory  = 4
)

// compacts tells whether the cleaner, and not retention alone, takes records.
func (p *partition) compacts() bool {
	set, ok := p.settings.Get()
	return ok && set.Policy.Compacts()
}

// laid tells whether the bases are known up to the end of the log.
func (p *partition) laid() bool { return p.chain.laid() && !p.compacts() }

// observeFirst takes in the first record of a compacted log: what was known of those before it, the
// cleaner took.
func (p *partition) observeFirst(first model.Stamped) {
	if !p.compacts() {
		return
	}
	if p.blocks == nil {
		p.blocks = &blocks{}
	}
	p.blocks.first = first
	p.times.Trim(first.Offset)
}

// observeBlock takes in that a block went, up to a log start.
func (p *partition) observeBlock(start model.Offset, now model.Instant) {
	b := p.blocks
	if b == nil || !p.compacts() {
		return
	}
	end, _ := p.end.Get()
	newest, _ := p.newest(now)
	from, ok := p.times.FirstPoint()
	to, known := p.times.Estimate(start-1, end, newest)
	if !ok || !known || to <= from.Stamp {
		return
	}
	b.seen = min(b.seen+1, blockMemory)
	b.span += (to.Sub(from.Stamp) - b.span) / model.Millis(b.seen)
}

// block is the segment that stands for the block of an offset: to its end if it is in the first one,
// else half of one on.
func (s *schedule) block(seg *segment) {
	age, _ := s.set.TimeLimit()
	first, known := s.times.FirstPoint()
	at, ok := s.times.Estimate(max(seg.offset, first.Offset), s.last, s.newest)
	if seg.offset >= s.last {
		at, ok = s.now, true
	}
	if !known || !ok {
		return
	}
	span := s.blockSpan(age)
	seg.held, seg.stamp, seg.ok = at, at.Add(span/2), true
	if end := first.Stamp.Add(span); at <= end {
		seg.stamp = end
	}
	if overdue := s.now.Add(-partOf(age, 1-overdueBlock)); expiry(seg.stamp, age) < s.now {
		seg.stamp = overdue
	}
	seg.next = model.Known(seg.offset + 1)
}

// blockSpan is how much event time is in a block.
func (s *schedule) blockSpan(age model.Millis) model.Millis {
	if s.blocks == nil || s.blocks.seen == 0 {
		return partOf(age, usualBlock)
	}
	return s.blocks.span
}

// partOf is a part of a retention, however long that is.
func partOf(age model.Millis, part float64) model.Millis {
	return model.Millis(part * float64(min(age, 1<<50)))
}

// cleaned is the first record of the log, where the cleaner took that of an offset and all before it.
func (p *partition) cleaned(o model.Offset) (first model.Stamped, ok bool) {
	start, known := p.start.Get()
	if !known || p.blocks == nil || !p.compacts() || p.blocks.first.Offset < start || o >= p.blocks.first.Offset {
		return model.Stamped{}, false
	}
	return p.blocks.first, true
}

// survivor is what keeps a position that was cleaned away: the segment that it was in holds the first
// record of the log, or nothing, and then counts as old as it was when it was last written to
// (LogSegment.largestTimestamp), with the position's record or later.
func (s *schedule) survivor(o model.Offset) (r model.Stamped, ok bool) {
	first, cleaned := s.cleaned(o)
	came, seen := s.ends.Before(int64(o) + 1)
	if !cleaned || !seen {
		return model.Stamped{}, false
	}
	return model.Stamped{Offset: o, Stamp: min(first.Stamp, came.Add(-s.poll)), Found: true}, true
}
