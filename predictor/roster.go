package predictor

import (
	"cmp"
	"maps"
	"slices"

	"kafka-retention-exporter/model"
)

// roster is who is forecast, in the order of the report: by group, topic and partition.
type roster struct {
	groups  []model.Group
	entries []entry
	unknown map[string]Reason // groups of which nothing can be forecast
	from    []int32           // memory of byPartition
	order   []int32
}

// entry is a pair: a group by its index and a partition. Its pair is nil before it has a position.
type entry struct {
	group int
	part  *partition
	pair  *pair
}

// rank keeps the partitions in order, for as long as there are no others.
func (p *Predictor) rank() {
	if !p.unranked {
		return
	}
	p.ranked = slices.SortedFunc(maps.Values(p.partitions), func(a, b *partition) int { return a.key.Compare(b.key) })
	p.topics = map[string][]*partition{}
	for i, from := 0, 0; i < len(p.ranked); i++ {
		part := p.ranked[i]
		part.rank = i
		if part.key.Topic != p.ranked[from].key.Topic {
			from = i
		}
		p.topics[part.key.Topic] = p.ranked[from : i+1]
	}
	p.unranked = false
}

// roster lists who is there at this poll, and whose group is gone with its offsets: in the memory of the one
// before.
func (p *Predictor) roster() *roster {
	p.rank()
	r := &p.who
	r.unknown, r.entries = map[string]Reason{}, slices.Grow(r.entries[:0], len(p.pairs))
	clear(r.groups)
	r.groups = append(r.groups[:0], p.gone()...)
	ghosts := len(r.groups)
	r.groups = slices.AppendSeq(slices.Grow(r.groups, len(p.snapshot.Groups)), maps.Values(p.snapshot.Groups))
	gone := make(map[string]bool, ghosts)
	for _, g := range r.groups[:ghosts] {
		gone[g.Name] = true
	}
	slices.SortFunc(r.groups, func(a, b model.Group) int { return cmp.Compare(a.Name, b.Name) })
	expired := p.expired()
	for i := range r.groups {
		g := &r.groups[i]
		if gone[g.Name] {
			r.add(p, i, expired[g.Name])
			continue
		}
		parts, reason := p.partsOf(g, expired[g.Name])
		if len(parts) == 0 && reason != 0 {
			r.unknown[g.Name] = reason
		}
		r.add(p, i, parts)
	}
	return r
}

func (r *roster) add(p *Predictor, group int, parts []*partition) {
	slices.SortFunc(parts, func(a, b *partition) int { return a.rank - b.rank })
	name := r.groups[group].Name
	for _, part := range parts {
		r.entries = append(r.entries, entry{group, part, p.pairs[model.PairKey{Group: name, PartitionKey: part.key}]})
	}
}

// byPartition is the entries in the order of their partitions, as indices.
func (r *roster) byPartition(partitions int) []int32 {
	r.from = slices.Grow(r.from[:0], partitions+1)[:partitions+1]
	from := r.from
	clear(from)
	for _, e := range r.entries {
		from[e.part.rank+1]++
	}
	for i := range partitions {
		from[i+1] += from[i]
	}
	r.order = slices.Grow(r.order[:0], len(r.entries))[:len(r.entries)]
	out := r.order
	for i, e := range r.entries {
		out[from[e.part.rank]] = int32(i)
		from[e.part.rank]++
	}
	return out
}

// partsOf lists the partitions that make a pair with a group: where it has a committed offset or
// had one, which it is assigned, and all of a topic on which it has an offset. Where there are
// none, the reason says why the group cannot be judged.
func (p *Predictor) partsOf(g *model.Group, expired []*partition) ([]*partition, Reason) {
	switch {
	case g.Unsupported && len(g.Offsets) == 0:
		return nil, UnsupportedGroup
	case g.Refused != "" && len(g.Offsets) == 0:
		return nil, Unreadable
	}
	p.marks++
	p.gathered = p.gathered[:0]
	for key := range g.Offsets {
		if all := p.topics[key.Topic]; len(all) > 0 && all[0].mark != p.marks {
			p.gather(all...)
		}
	}
	for key := range g.Assigned {
		if part := p.partitions[key]; part != nil {
			p.gather(part)
		}
	}
	p.gather(expired...)
	if len(p.gathered) > 0 {
		return p.gathered, 0
	}
	return nil, whyNone(*g)
}

// gather notes partitions once.
func (p *Predictor) gather(parts ...*partition) {
	for _, part := range parts {
		if part.mark != p.marks {
			part.mark = p.marks
			p.gathered = append(p.gathered, part)
		}
	}
}

// expired lists, by group, where one had a position in this topic before it vanished. Those of share
// groups only go when somebody takes them away.
func (p *Predictor) expired() map[string][]*partition {
	var out map[string][]*partition
	for key, q := range p.pairs {
		if !q.absent || p.snapshot.Groups[key.Group].Kind == model.KindShare {
			continue
		}
		part := p.partitions[key.PartitionKey]
		if part != nil && part.id == q.topic && !p.movedOff(key) {
			if out == nil {
				out = map[string][]*partition{}
			}
			out[key.Group] = append(out[key.Group], part)
		}
	}
	return out
}

// movedOff tells that a group has members and none of them subscribes to the topic: its position
// there expires as it should.
func (p *Predictor) movedOff(key model.PairKey) bool {
	g := p.snapshot.Groups[key.Group]
	return g.HasMembers() && g.Subscribed != nil && !g.Subscribed[key.Topic]
}

// whyNone is the reason a group without any pair counts for: one whose answer is still owed is
// unreadable; one with members has committed nothing yet; an empty one without positions is
// nothing to judge.
func whyNone(g model.Group) Reason {
	if _, answered := g.OffsetsRead.Get(); !answered {
		return Unreadable
	}
	if len(g.Offsets) == 0 && g.HasMembers() {
		return NoCommit
	}
	return 0
}
