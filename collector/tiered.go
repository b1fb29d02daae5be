package collector

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// listOffsetsLocal is the version of ListOffsets that knows the local log start (Kafka 3.5).
const listOffsetsLocal = 8

// readLocalStarts reads where the local part of tiered partitions begins, beside their log starts.
func (p *poll) readLocalStarts() {
	var asks []offsetAsk
	for a := range p.allAt(timeLocalStart) {
		part := p.parts[a.key]
		leader := p.peers[part.Leader]
		_, fresh := part.LogStart.FreshSince(p.started)
		if fresh && leader != nil && leader.release.has(kmsg.ListOffsets, listOffsetsLocal) && p.tiered(part) {
			asks = append(asks, a)
		}
	}
	if len(asks) == 0 {
		return
	}
	p.askLeaders(model.StageLogStarts, asks, func(part *model.Partition, a offsetAnswer) {
		part.LocalLogStart = model.ReadAt(model.Offset(a.offset), a.read)
	})
}

func (p *poll) tiered(part *model.Partition) bool {
	t := p.topics[part.Key.Topic]
	if t == nil {
		return false
	}
	settings, ok := t.Settings[part.Leader].Get()
	return ok && settings.Tiered
}
