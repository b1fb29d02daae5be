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

// beginSizes reads ends and then log dirs, for the partitions whose sizes are wanted in this
// poll: those under retention.bytes and those never read at every poll, all others every
// SizesEvery. The poll's regular read of the ends comes after it.
func (p *poll) beginSizes() sizing {
	all := due(p.c.memory.sizesAt, p.c.config.SizesEvery)
	if all {
		p.c.memory.sizesAt = time.Now()
	}
	wanted := p.sizesWanted(all)
	s := sizing{before: p.probe(wanted), sizes: map[model.PartitionKey]model.Read[model.Bytes]{}}
	p.readLogDirs(s, p.dirsWork(wanted, all))
	return s
}

// sizesWanted are the partitions to size, as questions for their ends. Where a broker refused its
// log dirs it is not asked again at every poll, and neither are the ends that go with them.
func (p *poll) sizesWanted(all bool) []offsetAsk {
	var wanted []offsetAsk
	for _, a := range p.allAt(timeLatest) {
		part := p.parts[a.key]
		if !p.online(part) || p.dirsRefused(part.Leader) {
			continue
		}
		_, sized := part.Size.Get()
		if all || !sized || p.sizeLimited(part) {
			wanted = append(wanted, a)
		}
	}
	return wanted
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
	for _, a := range p.allAt(timeEarliest) {
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
