package predictor

import "kafka-retention-exporter/model"

// pair is what was learned of one group on one partition.
type pair struct {
	topic  model.TopicID
	seen   bool
	absent bool // it had a position, and the coordinator now says there is none
	// inSight is that a loss was in sight when the group was last judged.
	inSight  bool
	beyond   int32 // polls running with the position above the end
	position model.Read[model.Offset]
	loss     lossCount
	// stuck is the position that was committed before the topic was created again.
	stuck model.Maybe[model.Offset]
	pace  pace
	// commit is the last one seen, and committedAfter an instant after which it was made.
	commit         keptCommit
	committedAfter model.Maybe[model.Instant]
	sharing        *sharing // of share groups
}

// observe takes in the position of one poll, and then what the log start did to it.
// before is when the group's offsets were answered the time before.
func (q *pair) observe(s *model.Snapshot, part *partition, kind model.GroupKind, r model.Read[model.Commit], before model.Maybe[model.Instant]) {
	q.follow(part)
	commit, ok := r.FreshSince(s.Started)
	if !ok {
		return
	}
	at, _ := r.At()
	if old, had := q.stuck.Get(); had && old != commit.Offset {
		q.stuck = model.Maybe[model.Offset]{}
	}
	q.noteCommit(commit, before)
	q.absent, q.seen = false, true
	position := commit.Offset
	if kind == model.KindShare {
		position = q.share(commit, part)
	} else {
		q.sharing = nil
	}
	q.position = model.ReadAt(position, at)
	if end, ok := part.end.Get(); ok {
		q.noteEnd(position, end)
		q.notePace(at, position, end, part)
	}
	q.noteLoss(s, part, position)
}

// noteLoss holds the position against the log start. One that rests may have moved since: a
// position below it is below it all the same, and no other is safe.
func (q *pair) noteLoss(s *model.Snapshot, part *partition, position model.Offset) {
	start, known := part.start.Get()
	_, fresh := part.start.FreshSince(s.Started)
	if !known || !fresh && position >= start {
		return
	}
	if q.sharing == nil {
		marker, read := part.below(start)
		q.loss.observe(position, start, s.At, read && marker, read)
		return
	}
	if end, ok := part.end.FreshSince(s.Started); ok {
		q.sharing.lose(&q.loss, q.commit.all(), position, start, end, s.At)
	}
}

// follow notices that the topic was created again: what was unread of the old log is lost, and
// a position from before does not belong to the new one. Share groups are told of by topic id, so
// that none of theirs is.
func (q *pair) follow(part *partition) {
	if q.topic == part.id {
		return
	}
	old := part.replaced
	if position, ok := q.position.Get(); ok && old != nil && old.id == q.topic {
		if q.sharing == nil {
			q.stuck = model.Known(position)
		} else if n, counted := q.commit.all().Unfinished.Get(); counted {
			position = max(position, old.end-n)
		}
		q.loss.replace(position, *old)
	}
	q.topic, q.beyond, q.sharing = part.id, 0, nil
	q.pace = pace{}
}

func (q *pair) noteEnd(position, end model.Offset) {
	if position > end {
		q.beyond++
	} else {
		q.beyond = 0
	}
}

// notePace takes in how it moved, and whether it is as far behind as its rhythm makes it.
func (q *pair) notePace(at model.Instant, position, end model.Offset, part *partition) {
	q.noteRunBefore(at, position, part)
	q.pace.observe(at, position, part.poll, q.patience(at, part))
	start, _ := part.start.Get()
	lag := end - max(position, start)
	if lag <= 0 {
		q.pace.idle()
	}
	q.pace.keep(q.pace.keepsUp(lag, part))
}

// noteRunBefore takes in, where the first run under the watch begins after a pause, when the one before it
// ended: a run that reads all there is ends when the record was written that is read next.
func (q *pair) noteRunBefore(at model.Instant, position model.Offset, part *partition) {
	p := &q.pace
	if p.polls == 0 || len(p.runs) > 0 {
		return
	}
	_, last := p.trail.last()
	if start, _ := part.start.Get(); position <= last || last < start || at.Sub(p.lively) <= p.parting(part.poll) {
		return
	}
	if stamp, _ := part.times.Newest(last); stamp.IsKnown() {
		ended, _ := stamp.Get()
		p.runs.ended(min(ended, p.lively))
	}
}

// patience is how long it may stand still before it is called stalled. Whatever its rhythm, that is
// no longer than half of what the log keeps: one that comes back more rarely loses in between.
func (q *pair) patience(at model.Instant, part *partition) model.Millis {
	const several = 8 // so many polls are less than that at any poll interval in use
	usual, ok := q.pace.patience(part.poll)
	if ok && usual <= several*part.poll {
		return usual
	}
	keeps := min(part.retention(at), 1<<40)
	if !ok {
		return max(4*part.poll, q.coldPatience(part, keeps))
	}
	return max(4*part.poll, min(usual, keeps/2))
}

// coldPatience is that of a group whose rhythm is not known, which may be between two commits that are
// far apart: before one is said to stall that would lose soon, more time is given to it, up to half of
// what is left.
func (q *pair) coldPatience(part *partition, keeps model.Millis) model.Millis {
	if q.pace.trail.len() > 0 {
		_, last := q.pace.trail.last()
		if left := part.left(last, q.pace.lively); left < keeps/4 {
			return min(keeps/48, left/2)
		}
	}
	return keeps / 288
}

// missing takes in that the coordinator answered and has no position for the pair.
func (q *pair) missing() {
	q.absent = q.seen
}

// lossCount counts offsets that were deleted before the group read them.
type lossCount struct {
	offsets int64
	counted model.Offset // highest log start taken into account
	started bool
	at      model.Maybe[model.Instant] // since when the position is below the log start
}

// observe compares a position with a log start that was read before it: "below" is then a fact.
// A position first seen below the log start adds nothing; nor does one that was set there later,
// since what it misses was gone before.
// Whether the offset right below the log start is a transaction's marker shows only in the leader's
// files, where read is set.
func (l *lossCount) observe(position, start model.Offset, now model.Instant, marker, read bool) {
	if !l.started {
		l.started, l.counted = true, start
	}
	if start-position == 1 && !l.at.IsKnown() && !(read && !marker) {
		if marker {
			l.counted = max(l.counted, start) // nothing to count, nor later
		}
		return // it may be a transaction marker and no record at all: not counted until it is more
	}
	if from := max(position, l.counted); start > from {
		l.offsets += int64(start - from)
	}
	l.counted = max(l.counted, start)
	switch {
	case position >= start:
		l.at = model.Maybe[model.Instant]{}
	case !l.at.IsKnown():
		l.at = model.Known(now)
	}
}

// replace counts what the group had not read of a log that was deleted with its topic.
func (l *lossCount) replace(position model.Offset, old replacedLog) {
	if from := max(position, old.start, l.counted); old.end > from {
		l.offsets += int64(old.end - from)
	}
	l.counted, l.started, l.at = 0, false, model.Maybe[model.Instant]{}
}
