package predictor

import "kafka-retention-exporter/model"

// sharing is what is known of a share group on one partition beside its position. Where it is told
// to start is a lower bound only: it is written down a round of acknowledgements late, by whoever
// reads, so that a group without readers may be told to start below the log start though it has
// finished with everything. How many offsets it has not finished with is exact (verified on 4.4.0).
type sharing struct {
	start    model.Offset              // where it was told to start
	finished model.Offset              // it has finished with everything below, whatever it is told
	end      model.Maybe[model.Offset] // of the log, read before the group is asked again
	doubt    Reason                    // why it cannot be told whether a start below the log start is a loss; 0 where it can
	episode  int64                     // what was counted lost since it was last whole
}

// lowest is the first offset that it may not have finished with. Where nothing is unfinished, that
// is the end as it was before the group was asked; at the first look, as it was right after.
func (s *sharing) lowest(c model.Commit, end model.Read[model.Offset]) model.Offset {
	s.start = c.Offset
	now, known := end.Get()
	before, seen := s.end.Get()
	if !seen {
		before = now
	}
	if !known {
		return max(s.start, s.finished)
	}
	s.end = model.Known(now)
	n, counted := c.Unfinished.Get()
	if counted && n == 0 {
		s.finished = max(s.finished, before)
	}
	if s.finished > now || counted && n > now-s.finished {
		s.finished = 0 // the log went back, or somebody set the group to an offset below
	}
	return max(s.start, s.finished)
}

// lose takes in what the log start did to the group, of which there are bounds only. Of what is
// unfinished, no more can be left than the log has: what exceeds that is lost. It may be as much as
// was deleted from its position on, and that is what is counted. Where nothing exceeds it, a start
// below the log start is no loss. The end must have been read after the group was asked and the
// log start before, so that neither makes the least too much.
func (s *sharing) lose(l *lossCount, c model.Commit, position, start, end model.Offset, now model.Instant) {
	if !l.started {
		l.started, l.counted = true, start
	}
	unfinished, counted := c.Unfinished.Get()
	gap := min(unfinished, start-position)
	s.doubt = 0
	switch {
	case position >= start || counted && unfinished <= end-start:
		if position >= start || l.at.IsKnown() {
			l.counted, s.episode = max(l.counted, start), 0
		}
		l.at = model.Maybe[model.Instant]{}
	case !counted:
		s.doubt, l.at = UnsupportedGroup, model.Maybe[model.Instant]{}
	case gap == 1 && !l.at.IsKnown():
		s.doubt = SingleOffsetGap // as in lossCount.observe
	default:
		most := int64(min(gap, start-l.counted))
		l.offsets += max(0, most-s.episode)
		s.episode = max(s.episode, most)
		if !l.at.IsKnown() {
			l.at = model.Known(now)
		}
	}
}

// told is where the group says that it is.
func (q *pair) told() (model.Offset, bool) {
	if q.sharing != nil {
		return q.sharing.start, true
	}
	return q.position.Get()
}

// share is the position by which a share group is judged.
func (q *pair) share(c model.Commit, part *partition) model.Offset {
	if q.sharing == nil {
		q.sharing = &sharing{}
	}
	return q.sharing.lowest(c, part.end)
}
