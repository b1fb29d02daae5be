package model

import "math"

// Batch is one record batch as it is appended. A follower's fetched chunk is described by one
// Batch too: first and last offset, all its bytes, its largest stamp.
type Batch struct {
	Base     Offset  // first offset
	Last     Offset  // last offset
	Size     Bytes   // on disk, compressed as stored
	MaxStamp Instant // largest record stamp as stored; means something only if Stamped
	Stamped  bool    // false for a batch without stamps (-1 in its header)
}

// Active is what a broker knows about the active segment beyond Segment, and needs only for
// the decision to roll it.
type Active struct {
	Created Instant        // when the segment object was made: at the roll, or at the last start
	First   Maybe[Instant] // largest stamp of the segment's first batch, if that has stamps
	Jitter  Millis         // taken off segment.ms, drawn when the segment object was made
	Index   IndexFill
}

// RollCause is why a segment is rolled at an append.
type RollCause int

// The five causes, in the order LogSegment.shouldRoll looks for them.
const (
	RollBySize RollCause = iota + 1
	RollByTime
	RollByOffsetIndex
	RollByTimeIndex
	RollByRelativeOffset
)

// String names the cause.
func (c RollCause) String() string {
	switch c {
	case RollBySize:
		return "size"
	case RollByTime:
		return "time"
	case RollByOffsetIndex:
		return "offset index full"
	case RollByTimeIndex:
		return "time index full"
	case RollByRelativeOffset:
		return "relative offset"
	}
	return "invalid"
}

// DecideRoll tells whether the active segment is rolled before a batch is appended to it, as a
// pure function: it mirrors LogSegment.shouldRoll (all versions read, 2.x to 4.x). Only the
// time rule spares an empty segment; the last three may roll one, which is then replaced in
// place or, across a gap in the offsets, left behind as a closed empty one (broker.md 5.8).
func DecideRoll(segment Segment, a Active, in Batch, s Settings, now Instant) (cause RollCause, ok bool) {
	switch {
	case segment.Size > s.SegmentBytes-in.Size:
		return RollBySize, true
	case segment.Size > 0 && waited(a, in, now) > s.RollAfter()-a.Jitter:
		return RollByTime, true
	case a.Index.OffsetsFull():
		return RollByOffsetIndex, true
	case a.Index.TimesFull():
		return RollByTimeIndex, true
	case in.Last-segment.Base > math.MaxInt32:
		// Index entries hold 32-bit offsets relative to the base (OffsetIndex.canAppendOffset).
		return RollByRelativeOffset, true
	}
	return 0, false
}

// waited is the age that segment.ms is compared with: event time against event time, no wall
// clock, so older-stamped input never rolls by time. Only where the first batch has no stamp
// does the broker's clock count, from the creation of the segment object
// (LogSegment.timeWaitedForRoll).
func waited(a Active, in Batch, now Instant) Millis {
	first, stamped := a.First.Get()
	if !stamped {
		return now.Sub(a.Created)
	}
	if !in.Stamped {
		return Instant(noStamp).Sub(first)
	}
	return in.MaxStamp.Sub(first)
}

// noStamp is RecordBatch.NO_TIMESTAMP. The broker subtracts from it as from any stamp, which
// makes a negative wait.
const noStamp = -1

// RollAfter is segment.ms, shortened by max.compaction.lag.ms where the topic is compacted
// (LogConfig.maxSegmentMs), so that the cleaner gets to see the records in time.
func (s Settings) RollAfter() Millis {
	if s.Policy.Compacts() && s.MaxCompactionLagMs > 0 {
		return min(s.SegmentMs, s.MaxCompactionLagMs)
	}
	return s.SegmentMs
}
