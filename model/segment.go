package model

// Segment is one segment of a replica's log as the retention rules see it. Segments are always
// handled as a slice in base-offset order whose last element is the active one.
type Segment struct {
	Base    Offset  // the offset in the file's name; the one before it ends no later
	Size    Bytes   // of the .log file only, as FileRecords.sizeInBytes counts
	Largest Instant // largest batch maxTimestamp; means something only if Stamped
	ModTime Instant // last write to the .log file, judged instead where not Stamped
	Stamped bool    // false: empty, or every batch came without stamps
}

// Stamp is the instant the time rule judges the segment by: its largest record stamp, and the
// file's last-modified time where there is none (LogSegment.largestTimestamp, broker.md 1.1).
func (s *Segment) Stamp() Instant {
	if s.Stamped {
		return s.Largest
	}
	return s.ModTime
}

// Upper is the offset that the high watermark must reach before segment i may go: the base of
// the next segment, and for the active one the log end.
func Upper(segments []Segment, i int, end Offset) Offset {
	if i+1 < len(segments) {
		return segments[i+1].Base
	}
	return end
}

// TotalSize is what retention.bytes is compared with: the .log bytes of all segments, the
// active one included (UnifiedLog.size).
func TotalSize(segments []Segment) Bytes {
	var sum Bytes
	for i := range segments {
		sum += segments[i].Size
	}
	return sum
}
