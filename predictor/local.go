package predictor

import (
	"kafka-retention-exporter/model"
)

// observeLocal takes in the leader's own files, where they were read in this poll: bases, sizes and
// newest stamps of its segments as the broker itself judges them, in the place of what can be told
// from outside. Files that are not as the leader answers are somebody else's, or a copy. Compacted and tiered topics go by other rules than the sum of their segments.
func (p *partition) observeLocal(s *model.Snapshot, f model.Partition) {
	p.local = nil
	broker, ok := s.Local.FreshSince(s.Started)
	set, known := p.settings.Get()
	if !ok || !known || !f.LeaderKnown || broker.ID != f.Leader || set.Policy.Compacts() || set.Tiered {
		return
	}
	r := broker.Replicas[f.Key]
	if r == nil || len(r.Segments) == 0 || r.TopicID != f.TopicID || r.Differs.IsKnown() {
		return
	}
	p.local = r
	p.chain.know(r.Segments)
}

// below is whether the offset right below a log start is a transaction's marker and no record,
// where the leader's files show that start and what lies below.
func (p *partition) below(start model.Offset) (marker, known bool) {
	if p.local == nil || p.local.Below.Start != start {
		return false, false
	}
	return p.local.Below.Marker.Get()
}

// files is the part of a schedule that stands on the leader's own files.
type files struct {
	segments []model.Segment
	// stamps are the newest ones up to and including each segment: the walk of the time rule stops at
	// the first segment that it keeps.
	stamps []model.Instant
	after  []model.Bytes // in the segments behind each
}

// open lays out what the files say, in the memory of what they said before.
func (f *files) open(r *model.LocalReplica) {
	f.segments, f.stamps, f.after = nil, f.stamps[:0], f.after[:0]
	if r == nil {
		return
	}
	f.segments = r.Segments
	left := r.Size()
	for i := range r.Segments {
		stamp := r.Segments[i].Stamp()
		if i > 0 {
			stamp = max(stamp, f.stamps[i-1])
		}
		left -= r.Segments[i].Size
		f.stamps, f.after = append(f.stamps, stamp), append(f.after, left)
	}
}

// closed tells whether a row is a segment whose end the files show.
func (f *files) closed(i int) bool { return i+1 < len(f.segments) }

// holds is the segment of an offset, if it takes no more records.
func (f *files) holds(s *schedule, o model.Offset) (i int, ok bool) {
	i = s.index(o)
	return i, f.closed(i) && o >= f.segments[i].Base
}
