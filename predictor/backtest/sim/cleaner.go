package sim

import "kafka-retention-exporter/model"

// cleaner is what the log cleaner does to a compact,delete log as far as retention goes: records
// all have keys of their own, so nothing is removed, but segments are joined up to segment.bytes
// and from then on go together, when the newest of them is due (Cleaner.groupSegmentsBySize,
// LogCleanerManager: a log is cleaned once half of it is dirty).
type cleaner struct {
	bases []model.Offset // of the joined segments
	upTo  model.Offset   // where it was cleaned up to
}

// dirtyEnough is min.cleanable.dirty.ratio.
const dirtyEnough = 0.5

// clean joins what is to be joined and runs the pass over what is there then.
func (c *cleaner) clean(log *model.Log, now model.Instant) {
	segments := log.Segments()
	closed := segments[:len(segments)-1]
	if c.dirty(closed) {
		c.join(closed, log.Settings().SegmentBytes)
	}
	verdict := model.Decide(c.view(segments), log.Marks(), log.Settings(), now, model.Release{})
	if verdict.Deleted > 0 {
		_ = log.RaiseStart(verdict.Start) // never above the high watermark
	}
	dropBelowStart(log, now)
}

func (c *cleaner) dirty(closed []model.Segment) bool {
	var dirty, all model.Bytes
	for _, s := range closed {
		all += s.Size
		if s.Base >= c.upTo {
			dirty += s.Size
		}
	}
	return all > 0 && float64(dirty) > dirtyEnough*float64(all)
}

func (c *cleaner) join(closed []model.Segment, limit model.Bytes) {
	c.bases = c.bases[:0]
	var size model.Bytes
	for i, s := range closed {
		if i == 0 || size+s.Size > limit {
			c.bases, size = append(c.bases, s.Base), 0
		}
		size += s.Size
	}
	if n := len(closed); n > 0 {
		c.upTo = closed[n-1].Base + 1
	}
}

// view is the log's segments with the joined ones as one.
func (c *cleaner) view(segments []model.Segment) []model.Segment {
	var out []model.Segment
	k := 0
	for _, s := range segments {
		for k < len(c.bases) && c.bases[k] < s.Base {
			k++
		}
		joined := s.Base < c.upTo && !(k < len(c.bases) && c.bases[k] == s.Base)
		if n := len(out); joined && n > 0 {
			out[n-1].Size += s.Size
			out[n-1].Largest = max(out[n-1].Largest, s.Largest)
			continue
		}
		out = append(out, s)
	}
	return out
}
