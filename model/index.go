package model

// Sizes of one entry in the .index and in the .timeindex file.
const (
	offsetEntryBytes Bytes = 8
	timeEntryBytes   Bytes = 12
)

// IndexFill is how full the two index files of the active segment are; a full one makes the
// segment roll. It mirrors the counters of OffsetIndex, TimeIndex and LogSegment, not their
// content. Limits are those in force when the segment was created or the log last loaded: a
// change of the settings does not reach an open segment.
type IndexFill struct {
	Limit         Bytes   // segment.index.bytes
	Interval      Bytes   // index.interval.bytes
	OffsetEntries int     // entries in .index
	TimeEntries   int     // entries in .timeindex
	LastTime      Instant // stamp of the last time entry; means something if TimeEntries > 0
	SinceEntry    Bytes   // bytes appended since the last entry was considered
}

// OffsetsFull reports whether .index takes no further entry (AbstractIndex.isFull).
func (x IndexFill) OffsetsFull() bool {
	return x.OffsetEntries >= int(x.Limit/offsetEntryBytes)
}

// TimesFull reports whether .timeindex takes no further entry; one place is kept for the entry
// written when the segment is closed (TimeIndex.isFull).
func (x IndexFill) TimesFull() bool {
	return x.TimeEntries >= int(x.Limit/timeEntryBytes)-1
}

// note books one batch: entries are considered before its own bytes are counted, so the first
// batch never gets any (LogSegment.append, per batch since 4.0 and per append call before,
// KAFKA-806). segment is the state with the batch's stamp but in its old place in the file.
func (x *IndexFill) note(segment Segment, size Bytes) {
	if x.SinceEntry > x.Interval {
		x.OffsetEntries++
		x.noteTime(segment)
		x.SinceEntry = 0
	}
	x.SinceEntry += size
}

// noteTime adds a time entry if the segment's largest stamp has grown since the last one
// (TimeIndex.maybeAppend).
func (x *IndexFill) noteTime(segment Segment) {
	if !segment.Stamped || x.TimeEntries > 0 && segment.Largest <= x.LastTime {
		return
	}
	x.TimeEntries++
	x.LastTime = segment.Largest
}

// reopen is a clean stop and start: the stop writes the largest stamp as one more time entry,
// the start forgets the bytes since the last one and sizes the files anew
// (LogSegment.prepareActiveSegmentForClose, AbstractIndex.resize). A broker cannot load a log
// whose segment.index.bytes has since become less than what these files hold; here they count
// as full.
func (x *IndexFill) reopen(segment Segment, s Settings) {
	x.noteTime(segment)
	x.SinceEntry = 0
	x.Limit, x.Interval = s.SegmentIndexBytes, s.IndexIntervalBytes
}
