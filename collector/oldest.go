package collector

import (
	"time"

	"kafka-retention-exporter/model"
)

// oldestAsk is what was known of a partition when its oldest record was asked for.
type oldestAsk struct {
	at    time.Time
	start model.Offset
	empty bool
	found bool
}

// readOldest reads the stamp of the record at the log start, which ListOffsets by time 0 answers
// with the right to describe alone. Records do not change, so a partition is asked again only
// when its log start moved, or when it was empty and is no more. Where a log that has records
// gave none (no stamps, or broker.md 9.2), the broker scans a segment in vain each time: that is
// repeated with the sizes.
func (p *poll) readOldest() {
	var asks []offsetAsk
	for a := range p.allAt(0) {
		if p.wantsOldest(p.parts[a.key]) {
			asks = append(asks, a)
		}
	}
	if len(asks) == 0 {
		return
	}
	p.askLeaders(model.StageTimes, asks, func(part *model.Partition, a offsetAnswer) {
		s := stamped(a)
		part.Oldest = model.ReadAt(s, a.read)
		start, _ := part.LogStart.Get()
		end, _ := part.End.Get()
		p.c.memory.oldest[part.Key] = oldestAsk{time.Now(), start, start == end, s.Found}
	})
}

func (p *poll) wantsOldest(part *model.Partition) bool {
	start, started := part.LogStart.Get() // one that rests has not been seen to move
	end, ended := part.End.FreshSince(p.started)
	if !started || !ended {
		return false
	}
	last, asked := p.c.memory.oldest[part.Key]
	switch {
	case !asked, last.start != start, last.empty && start < end:
		return true
	case last.found || last.empty:
		return false
	}
	return due(last.at, p.c.config.SizesEvery)
}

// stamped reads an answer by time; -1 is "no such record".
func stamped(a offsetAnswer) model.Stamped {
	if a.offset < 0 || a.stamp < 0 {
		return model.Stamped{}
	}
	return model.Stamped{Offset: model.Offset(a.offset), Stamp: model.Instant(a.stamp), Found: true}
}
