package collector

import (
	"maps"
	"time"

	"kafka-retention-exporter/model"
)

// sizing is a size reading under way: the ends before it, and the sizes, by partition. A size
// counts only between two reads of the end and of the log start.
type sizing struct {
	before map[model.PartitionKey]model.Offset
	sizes  map[model.PartitionKey]model.Read[model.Bytes]
}

// sizePlan is which sizes a poll reads: settled before anything else of it, because a log start
// has to be read beside each of them.
type sizePlan struct {
	wanted []offsetAsk // for the ends that go with the sizes
	all    bool
}

// planSizes picks the partitions to size in this poll: all of them every SizesEvery, those never
// read at once, and those under retention.bytes when the forecasts need them again
// (model.Attention). Where a broker refused its log dirs it is not asked at every poll, and
// neither are the ends that go with them.
func (p *poll) planSizes() sizePlan {
	plan := sizePlan{all: due(p.c.memory.sizesAt, p.c.config.SizesEvery)}
	if plan.all {
		p.c.memory.sizesAt = time.Now()
	}
	for a := range p.allAt(timeLatest) {
		part := p.parts[a.key]
		if !p.online(part) || p.dirsRefused(part.Leader) {
			continue
		}
		at, sized := part.Size.At()
		sized = sized && at <= p.started // else the clock has been put back
		needed := p.sizeLimited(part) && !p.c.memory.attention.SizeRests(a.key, p.started)
		if plan.all || !sized || needed {
			plan.wanted = append(plan.wanted, a)
		}
	}
	return plan
}

// withMoved adds the partitions under retention.bytes whose log start has just been seen to move:
// what is left is exactly the bytes behind a segment base.
func (p *poll) withMoved(plan sizePlan) sizePlan {
	if plan.all {
		return plan
	}
	planned := map[model.PartitionKey]bool{}
	for _, a := range plan.wanted {
		planned[a.key] = true
	}
	for a := range p.allAt(timeLatest) {
		part := p.parts[a.key]
		start, fresh := part.LogStart.FreshSince(p.started)
		before, known := p.before.Partitions[a.key].LogStart.Get()
		if fresh && known && start != before && !planned[a.key] && p.sizeLimited(part) && p.online(part) && !p.dirsRefused(part.Leader) {
			plan.wanted = append(plan.wanted, a)
		}
	}
	return plan
}

// beginSizes reads ends and then log dirs. The poll's regular read of the ends comes after it.
func (p *poll) beginSizes(plan sizePlan) sizing {
	s := sizing{before: p.probe(plan.wanted), sizes: map[model.PartitionKey]model.Read[model.Bytes]{}}
	p.readLogDirs(s, p.dirsWork(plan.wanted, plan.all))
	return s
}

// sizeLimited tells whether retention.bytes acts on a partition, as its leader resolves it.
func (p *poll) sizeLimited(part *model.Partition) bool {
	t := p.topics[part.Key.Topic]
	if t == nil {
		return false
	}
	settings, ok := t.Settings[part.Leader].Get()
	_, limited := settings.SizeLimit()
	return ok && limited
}

// finishSizes reads the log starts again and completes the sizes for which everything is there.
func (p *poll) finishSizes(s sizing) {
	var asks []offsetAsk
	for a := range p.allAt(timeEarliest) {
		if _, sized := s.sizes[a.key]; sized {
			asks = append(asks, a)
		}
	}
	for key, start := range p.probe(asks) {
		if part := p.parts[key]; part != nil {
			p.applySize(part, s, start)
		}
	}
}

// applySize sets a size beside the offsets around it. LogStart is the one before the size; the
// one after only tells whether it held still: taking it over would put a log start behind the
// commits of the same poll.
func (p *poll) applySize(part *model.Partition, s sizing, startAfter model.Offset) {
	before, asked := s.before[part.Key]
	size, sized := s.sizes[part.Key].Get()
	at, _ := s.sizes[part.Key].At()
	end, ended := part.End.FreshSince(p.started)
	start, started := part.LogStart.FreshSince(p.started)
	if !asked || !sized || !ended || !started || end < before {
		return
	}
	part.Size = model.ReadAt(model.SizeRead{Bytes: size, EndBefore: before, EndAfter: end, LogStart: start, Still: start == startAfter}, at)
}

// dirsRefusal is a broker's refusal to tell its log dirs, which a right that is missing does not
// change from poll to poll. It is a problem of every poll all the same.
type dirsRefusal struct {
	at  time.Time
	err error
}

func (p *poll) dirsRefused(id model.BrokerID) bool {
	r, refused := p.c.memory.noDirs[id]
	return refused && !due(r.at, p.c.config.ConfigsEvery)
}

// applyDirs takes over the volumes a broker told of, keeping those of dirs it did not. What they
// host is known only where everything was asked for.
func (p *poll) applyDirs(b *peer, answer dirsAnswer, everything bool) {
	dirs := maps.Clone(p.dirs[b.id])
	if dirs == nil {
		dirs = map[string]model.Volume{}
	}
	for dir, v := range answer.volumes {
		if !everything {
			v.Replicas = dirs[dir].Replicas
		}
		dirs[dir] = v
	}
	p.dirs[b.id] = dirs
}
