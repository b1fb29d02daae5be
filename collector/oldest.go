package collector

import (
	"maps"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

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
	for _, a := range p.allAt(0) {
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
	start, started := part.LogStart.FreshSince(p.started)
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

// listOffsetsLocal is the version of ListOffsets that knows the local log start (Kafka 3.5).
const listOffsetsLocal = 8

// readLocalStarts reads where the local part of tiered partitions begins.
func (p *poll) readLocalStarts() {
	var asks []offsetAsk
	for _, a := range p.allAt(timeLocalStart) {
		part := p.parts[a.key]
		leader := p.peers[part.Leader]
		if leader != nil && leader.release.has(kmsg.ListOffsets, listOffsetsLocal) && p.tiered(part) {
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

// readFollowers reads every follower's own log start each ReplicasEvery, from the follower: with
// the debugging consumer's replica id a broker answers for any replica it holds.
func (p *poll) readFollowers() {
	if !due(p.c.memory.replicasAt, p.c.config.ReplicasEvery) {
		return
	}
	p.c.memory.replicasAt = time.Now()
	for _, o := range fanOut(p, p.followerWork(), askOffsets) {
		if o.err != nil {
			p.problems.add(model.StageReplicas, o.err, about{broker: o.peer, count: len(o.work.asks)})
			continue
		}
		for _, a := range o.result {
			if part := p.parts[a.key]; part != nil {
				p.applyFollower(o.peer, part, a)
			}
		}
	}
}

func (p *poll) followerWork() map[model.BrokerID]offsetWork {
	work := map[model.BrokerID]offsetWork{}
	for _, a := range p.allAt(timeEarliest) {
		part := p.parts[a.key]
		for _, id := range part.Replicas {
			if id == part.Leader || p.peers[id] == nil {
				continue
			}
			w := work[id]
			w.replica = replicaDebugging
			w.asks = append(w.asks, a)
			work[id] = w
		}
	}
	return work
}

// applyFollower takes over a follower's log start. A follower that says it cannot tell takes its
// old answer with it: nothing is known of its log then.
func (p *poll) applyFollower(b *peer, part *model.Partition, a offsetAnswer) {
	starts := maps.Clone(part.FollowerLogStart)
	if starts == nil {
		starts = map[model.BrokerID]model.Read[model.Offset]{}
	}
	if a.error == 0 {
		starts[b.id] = model.ReadAt(model.Offset(a.offset), a.read)
	} else {
		delete(starts, b.id)
		p.problems.addCode(model.StageReplicas, a.error, about{broker: b, topic: part.Key.Topic})
	}
	part.FollowerLogStart = starts
}
