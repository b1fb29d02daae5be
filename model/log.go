package model

import (
	"errors"
	"fmt"
	"slices"
)

// Errors that a Log answers with; compare with errors.Is.
var (
	ErrOffsetOutOfRange = errors.New("offset out of range")
	ErrPolicyViolation  = errors.New("policy violation")
	ErrOffsetOrder      = errors.New("offsets out of order")
)

// Log is one replica's log of one partition, kept as a broker keeps it: it rolls, deletes and
// re-reads exactly like Kafka's UnifiedLog, but holds no records, only segments. It knows no
// clock: every method that needs the broker's time takes it. Its memory is bounded by the
// segments that exist. Tiered settings are ignored (see DecideLocal). Not safe for concurrent
// use.
type Log struct {
	settings Settings
	release  Release
	jitter   func(bound Millis) Millis
	segments []Segment
	active   Active
	at       Marks
	size     Bytes
	dropped  int // segments deleted since the slice was last copied
}

// NewLog makes an empty log with one empty segment at offset 0. Every setting counts, so start
// from DefaultSettings. The log follows the newest known release until SetRelease.
func NewLog(s Settings, now Instant) *Log {
	l := &Log{settings: s}
	l.roll(now, 0)
	return l
}

// SetRelease makes the log follow the rules of another Kafka release from now on.
func (l *Log) SetRelease(r Release) { l.release = r }

// SetJitter sets the source of segment jitter for segments made from now on: it is asked for a
// number of milliseconds in [0, bound). Without it jitter is always 0.
func (l *Log) SetJitter(draw func(bound Millis) Millis) { l.jitter = draw }

// Configure changes the settings, as a topic or broker update does. It deletes and rolls
// nothing by itself; retention counts from the next pass, segment.bytes and segment.ms from
// the next append, index sizes and jitter from the next segment.
func (l *Log) Configure(s Settings) { l.settings = s }

// Settings are those in force.
func (l *Log) Settings() Settings { return l.settings }

// Append appends one batch at or beyond the log end (beyond: a follower whose leader has a
// gap), rolling the active segment first where the broker would (UnifiedLog.append, maybeRoll).
// The high watermark does not move. Limits on batch sizes and stamps are the produce path's
// and are not checked here. It fails with ErrOffsetOrder, changing nothing, if the batch
// begins below the log end, ends before it begins, or has no bytes.
func (l *Log) Append(now Instant, b Batch) error {
	if b.Base < l.at.End || b.Last < b.Base || b.Size <= 0 {
		return fmt.Errorf("append offsets %d to %d in %d bytes at log end %d: %w", b.Base, b.Last, b.Size, l.at.End, ErrOffsetOrder)
	}
	if _, ok := DecideRoll(l.segments[len(l.segments)-1], l.active, b, l.settings, now); ok {
		l.roll(now, b.Base)
	}
	l.write(&l.segments[len(l.segments)-1], now, b)
	l.size += b.Size
	l.at.End = b.Last + 1
	return nil
}

// write puts a batch into the active segment (LogSegment.append).
func (l *Log) write(active *Segment, now Instant, b Batch) {
	if active.Size == 0 && b.Stamped {
		l.active.First = Known(b.MaxStamp)
	}
	if b.Stamped && (!active.Stamped || b.MaxStamp > active.Largest) {
		active.Largest, active.Stamped = b.MaxStamp, true
	}
	l.active.Index.note(*active, b.Size)
	active.Size += b.Size
	active.ModTime = now
}

// roll makes a new empty active segment. An empty one with the same base is replaced in place
// (LocalLog.roll).
func (l *Log) roll(now Instant, base Offset) {
	fresh := Segment{Base: base, ModTime: now}
	if n := len(l.segments); n > 0 && l.segments[n-1].Base == base {
		l.segments[n-1] = fresh
	} else {
		l.segments = append(l.segments, fresh)
	}
	l.active = Active{
		Created: now,
		Jitter:  l.drawJitter(),
		Index:   IndexFill{Limit: l.settings.SegmentIndexBytes, Interval: l.settings.IndexIntervalBytes},
	}
}

// drawJitter mirrors LogConfig.randomSegmentJitter: never as long as segment.ms itself.
func (l *Log) drawJitter() Millis {
	bound := min(l.settings.SegmentJitterMs, l.settings.SegmentMs)
	if l.jitter == nil || bound <= 0 {
		return 0
	}
	return l.jitter(bound)
}

// PassResult is what a pass did.
type PassResult struct {
	Verdict
	Freed Bytes // .log bytes of the deleted segments; on disk until file.delete.delay.ms later
}

// Pass runs the broker's deletion of old segments once (UnifiedLog.deleteOldSegments).
func (l *Log) Pass(now Instant) PassResult {
	verdict := Decide(l.segments, l.at, l.settings, now, l.release)
	if verdict.Roll {
		l.roll(now, l.at.End)
	}
	freed := TotalSize(l.segments[:verdict.Deleted])
	l.drop(verdict.Deleted)
	l.size -= freed
	l.at.Start = verdict.Start
	return PassResult{verdict, freed}
}

// drop forgets the first n segments, and gives their memory back once they outnumber those
// that remain, so that the cost per deleted segment stays constant.
func (l *Log) drop(n int) {
	l.segments = l.segments[n:]
	if l.dropped += n; l.dropped > len(l.segments) {
		l.segments = slices.Clone(l.segments)
		l.dropped = 0
	}
}

// DeleteRecords raises the log start offset to the given one, or to the high watermark for -1,
// as the request does on a leader (Partition.deleteRecordsOnLeader): at once, without removing
// a file, and never downward. It fails with ErrOffsetOutOfRange above the high watermark and
// with ErrPolicyViolation where records are compacted but not deleted.
func (l *Log) DeleteRecords(before Offset) error {
	if l.settings.Policy == PolicyCompact {
		return fmt.Errorf("delete records before %d under policy %s: %w", before, l.settings.Policy, ErrPolicyViolation)
	}
	if before == toHighWatermark {
		before = l.at.HighWatermark
	}
	if before < 0 {
		return fmt.Errorf("delete records before %d: %w", before, ErrOffsetOutOfRange)
	}
	return l.RaiseStart(before)
}

// toHighWatermark is DeleteRecordsRequest.HIGH_WATERMARK.
const toHighWatermark = -1

// RaiseStart raises the log start offset as whatever moves it does, under any policy: a
// follower calls it with the leader's start (UnifiedLog.maybeIncrementLogStartOffset). A lower
// offset changes nothing; one above the high watermark fails with ErrOffsetOutOfRange.
func (l *Log) RaiseStart(start Offset) error {
	if start > l.at.HighWatermark {
		return fmt.Errorf("raise log start to %d beyond high watermark %d: %w", start, l.at.HighWatermark, ErrOffsetOutOfRange)
	}
	l.at.Start = max(l.at.Start, start)
	return nil
}

// SetHighWatermark moves the high watermark, up or down, but never outside the log
// (UnifiedLog.updateHighWatermark).
func (l *Log) SetHighWatermark(o Offset) {
	l.at.HighWatermark = min(max(o, l.at.Start), l.at.End)
}

// Reload stops the log cleanly and loads it again, as a broker restart does. Segments, log
// start and high watermark stay; the clock of unstamped segments starts again, and the index
// counts move as broker.md 5.6 says.
func (l *Log) Reload(now Instant) {
	l.active.Index.reopen(l.segments[len(l.segments)-1], l.settings)
	l.active.Created = now
	l.active.Jitter = l.drawJitter()
}

// Start is the log start offset.
func (l *Log) Start() Offset { return l.at.Start }

// HighWatermark is the first offset that consumers cannot read yet.
func (l *Log) HighWatermark() Offset { return l.at.HighWatermark }

// End is the log end offset.
func (l *Log) End() Offset { return l.at.End }

// Marks are start, high watermark and end together.
func (l *Log) Marks() Marks { return l.at }

// Size is the .log bytes of all segments, as DescribeLogDirs tells them.
func (l *Log) Size() Bytes { return l.size }

// Segments is a view of the segments, the active one last: valid until the log next changes,
// not to be written to.
func (l *Log) Segments() []Segment { return l.segments }
