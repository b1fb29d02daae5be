package collector

import (
	"slices"

	"kafka-retention-exporter/model"
)

// readLogStarts reads the log start offset of the partitions whose time has come: where it may
// have moved or a group is near it (model.Attention), where it was never read or what was read is
// in doubt, and where a size is to be set beside it.
func (p *poll) readLogStarts(sized []offsetAsk) {
	wanted := map[model.PartitionKey]bool{}
	for _, a := range sized {
		wanted[a.key] = true
	}
	var asks []offsetAsk
	for a := range p.allAt(timeEarliest) {
		if wanted[a.key] || p.logStartDue(p.parts[a.key]) {
			asks = append(asks, a)
			p.doubtStart(a.key)
		}
	}
	p.askLeaders(model.StageLogStarts, asks, func(part *model.Partition, a offsetAnswer) {
		if !p.isOffset(model.StageLogStarts, a) {
			return
		}
		part.LogStart = model.ReadAt(model.Offset(a.offset), a.read)
		delete(p.c.memory.startsDue, part.Key)
	})
}

// logStartDue does not go by an attention or a reading that is of a clock which has been put back.
func (p *poll) logStartDue(part *model.Partition) bool {
	at, read := part.LogStart.At()
	return !read || at > p.started || p.c.memory.startsDue[part.Key] || !p.c.memory.attention.LogStartRests(part.Key, p.started)
}

// doubtStart makes a log start be read in every poll until it is answered.
func (p *poll) doubtStart(key model.PartitionKey) { p.c.memory.startsDue[key] = true }

// holdStarts lets what was read of a log start stand for the present where it was not due in this
// poll and the leader answered about the partition.
func (p *poll) holdStarts() {
	for key, part := range p.parts {
		if _, ok := part.End.FreshSince(p.started); ok && !p.c.memory.startsDue[key] {
			at, _ := part.End.At()
			part.LogStartHolds = model.Known(at)
		}
	}
}

// readEnds reads the high watermark of every partition.
func (p *poll) readEnds() {
	p.askLeaders(model.StageEnds, slices.AppendSeq(make([]offsetAsk, 0, len(p.parts)), p.allAt(timeLatest)), func(part *model.Partition, a offsetAnswer) {
		if p.isOffset(model.StageEnds, a) {
			part.End = model.ReadAt(model.Offset(a.offset), a.read)
		}
	})
}

// isOffset refuses an edge of a log that is no offset, though it is no error either.
func (p *poll) isOffset(stage model.Stage, a offsetAnswer) bool {
	if a.offset < 0 {
		p.problems.addCause(stage, causeMissing, "the answer tells no offset", about{broker: p.peers[a.broker], topic: a.key.Topic})
	}
	return a.offset >= 0
}

// distrustEnds looks at ends beside what was known. An end that went back is a new topic of the
// same name or an election, so metadata is read at once; if it shows another topic id, that drops
// what was read of a topic nobody can name. A log start above the end is no state of one log: a
// new leader answered one of the two with what it did not know yet, and both are thrown away.
func (p *poll) distrustEnds() {
	back := false
	for key, part := range p.parts {
		end, ok := part.End.FreshSince(p.started)
		if !ok {
			continue
		}
		if before, known := p.before.Partitions[key].End.Get(); known && end < before {
			p.doubtStart(key)
			back = true
		}
		if start, ok := part.LogStart.Get(); ok && start > end {
			p.restore(part)
			back = true
		}
	}
	if back {
		p.c.memory.metadataDue = true
		p.readMetadata()
	}
}

// restore puts back what was known of a partition's log before this poll.
func (p *poll) restore(part *model.Partition) {
	old, ok := p.before.Partitions[part.Key]
	if !ok || old.TopicID != part.TopicID {
		old = model.Partition{}
	}
	part.LogStart, part.End, part.Size = old.LogStart, old.End, old.Size
	p.doubtStart(part.Key)
	p.problems.addCause(model.StageEnds, causeStartAboveEnd, "the leader gave a log start above the end of the log", about{broker: p.peers[part.Leader], topic: part.Key.Topic})
}
