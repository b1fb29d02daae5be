package model

import "sort"

// Rule is the part of a retention pass that takes a segment.
type Rule int

// The three rules of UnifiedLog.deleteOldSegments.
const (
	RuleStart Rule = iota + 1 // wholly below the log start offset
	RuleSize                  // retention.bytes
	RuleTime                  // retention.ms
)

// String names the rule.
func (r Rule) String() string {
	switch r {
	case RuleStart:
		return "start"
	case RuleSize:
		return "size"
	case RuleTime:
		return "time"
	}
	return "invalid"
}

// Marks are the three offsets of a replica that a pass looks at.
type Marks struct {
	Start         Offset // log start offset; may lie inside a segment
	HighWatermark Offset
	End           Offset // log end offset of this replica
}

// Share is how many segments one rule took.
type Share struct {
	Rule     Rule
	Segments int
}

// Verdict is what one pass does to one replica.
type Verdict struct {
	Deleted int      // so many leading segments go
	Start   Offset   // the log start offset afterwards
	Roll    bool     // nothing would be left: an empty segment is first created at the log end
	Shares  [3]Share // which rule took how many, in the order the rules ran
}

// RuleOf tells which rule takes segment i; ok is false for a segment that stays.
func (v Verdict) RuleOf(i int) (rule Rule, ok bool) {
	for _, share := range v.Shares {
		if i < share.Segments {
			return share.Rule, i >= 0
		}
		i -= share.Segments
	}
	return 0, false
}

// Decide is one retention pass of one replica without tiered storage, as a pure function: it
// mirrors UnifiedLog.deleteOldSegments (Kafka 1.0 and later) in the closed form of broker.md
// 0.3. Every rule starts where the one before stopped, takes a prefix and stops at the first
// segment it must keep, whatever lies behind. It needs no memory and reads at most every
// segment once per rule.
func Decide(segments []Segment, at Marks, s Settings, now Instant, release Release) Verdict {
	verdict := Verdict{Start: at.Start}
	reach := reachable(segments, at)
	taken := 0
	for i, rule := range release.ruleOrder() {
		stop := taken
		switch {
		case !release.runs(rule, s.Policy):
		case rule == RuleStart:
			stop = takeBelowStart(segments, taken, reach, at.Start)
		case rule == RuleSize:
			stop = takeOversize(segments, taken, reach, s.RetentionBytes)
		case rule == RuleTime:
			stop = takeExpired(segments, taken, reach, s.RetentionMs, now)
		}
		verdict.Shares[i] = Share{rule, stop - taken}
		taken = stop
	}
	if taken > 0 {
		verdict.Deleted = taken
		verdict.Roll = taken == len(segments)
		verdict.Start = max(at.Start, Upper(segments, taken-1, at.End))
	}
	return verdict
}

// reachable counts the leading segments that any rule may take at all. No segment goes before
// the high watermark has reached its upper bound, so that the log start offset can never pass
// it (UnifiedLog.deletableSegments, KAFKA-5634, since 1.0), and an active segment without
// bytes is never taken, so that an idle partition settles at one empty segment.
func reachable(segments []Segment, at Marks) int {
	n := sort.Search(len(segments), func(i int) bool {
		return at.HighWatermark < Upper(segments, i, at.End)
	})
	if n > 0 && n == len(segments) && segments[n-1].Size == 0 {
		n--
	}
	return n
}

// takeBelowStart is the start-offset rule: a segment goes when the next one begins at or below
// the log start offset. The active segment has no next one and is never taken by it, even when
// the start is the log end (UnifiedLog.deleteLogStartOffsetBreachedSegments, since 0.11; under
// compact-only policies since 2.1).
func takeBelowStart(segments []Segment, from, reach int, start Offset) (stop int) {
	stop = from
	for stop < reach && stop+1 < len(segments) && segments[stop+1].Base <= start {
		stop++
	}
	return stop
}

// takeOversize is the size rule: a segment goes while the bytes after it are still at least
// retention.bytes, so what remains is never less than the cap, and a positive cap never takes
// the active segment (UnifiedLog.deleteRetentionSizeBreachedSegments, all versions). Any
// negative cap switches it off.
func takeOversize(segments []Segment, from, reach int, limit Bytes) (stop int) {
	stop = from
	if limit < 0 {
		return stop
	}
	after := TotalSize(segments[from:])
	for stop < reach {
		after -= segments[stop].Size
		if after < limit {
			break
		}
		stop++
	}
	return stop
}

// takeExpired is the time rule: a segment goes when its stamp is more than retention.ms ago,
// strictly and in milliseconds on the broker's clock; a stamp in the future or one exactly at
// the limit ends the walk (UnifiedLog.deleteRetentionMsBreachedSegments, all versions). The
// broker compares now - stamp > retention.ms; the same is asked here as stamp < now -
// retention.ms, which cannot overflow for any retention up to 2^63-1. A negative retention
// switches it off.
func takeExpired(segments []Segment, from, reach int, limit Millis, now Instant) (stop int) {
	stop = from
	if limit < 0 {
		return stop
	}
	oldest := now.Add(-limit) // the oldest stamp that may stay
	for stop < reach && segments[stop].Stamp() < oldest {
		stop++
	}
	return stop
}
