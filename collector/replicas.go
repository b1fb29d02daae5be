package collector

import (
	"maps"
	"time"

	"kafka-retention-exporter/model"
)

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
	for a := range p.allAt(timeEarliest) {
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
