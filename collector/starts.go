package collector

import (
	"kafka-retention-exporter/model"
)

// readLogStarts reads the log start offset of every partition.
func (p *poll) readLogStarts() {
	p.askLeaders(model.StageLogStarts, p.allAt(timeEarliest), func(part *model.Partition, a offsetAnswer) {
		part.LogStart = model.ReadAt(model.Offset(a.offset), a.read)
	})
}

// readEnds reads the high watermark of every partition.
func (p *poll) readEnds() {
	p.askLeaders(model.StageEnds, p.allAt(timeLatest), func(part *model.Partition, a offsetAnswer) {
		part.End = model.ReadAt(model.Offset(a.offset), a.read)
	})
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
		before, known := p.before.Partitions[key].End.Get()
		back = back || known && end < before
		if start, ok := part.LogStart.FreshSince(p.started); ok && start > end {
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
	p.problems.addCause(model.StageEnds, causeStartAboveEnd, "the leader gave a log start above the end of the log", about{broker: p.peers[part.Leader], topic: part.Key.Topic})
}
