package predictor

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kafka-retention-exporter/model"
)

// Memory is what was learned and no request can tell again: what survives a restart of this
// program (package memory writes it down). Times are as in a snapshot. Curves are not in it: the
// broker's own time index has them.
type Memory struct {
	Cluster    string
	At         model.Instant // of the last poll
	Phases     []PhaseMemory
	Widths     []WidthMemory
	Groups     []GroupMemory
	Partitions []PartitionMemory
	Pairs      []PairMemory
}

// PhaseMemory is when a broker runs its passes: pairs of a remainder and a width, in milliseconds.
type PhaseMemory struct {
	Broker model.BrokerID    `json:"b"`
	Period model.Millis      `json:"p"`
	Votes  [][2]model.Millis `json:"v"`
}

// WidthMemory is how wrong the deadlines of all partitions were, by rule and zone.
type WidthMemory struct {
	Rule   uint8  `json:"r"`
	Zone   uint8  `json:"z"`
	Labels []byte `json:"l"`
}

// GroupMemory is what was seen of a group as a whole.
type GroupMemory struct {
	Group string        `json:"g"`
	Busy  model.Instant `json:"b"` // it had members
}

// maxMemoryAge is how long what was not met again is kept: as long as positions are by default.
const maxMemoryAge = model.Millis(7 * 86_400_000)

// recalled is what of a memory was not met again yet.
type recalled struct {
	groups     map[string]GroupMemory
	partitions map[model.PartitionKey]PartitionMemory
	pairs      map[model.PairKey]PairMemory
	at         model.Instant
}

// Recall takes in a memory before the first poll. Each part of it is used when what it is about is
// met, and only as far as that is still what it was.
func (p *Predictor) Recall(m Memory) {
	p.recalled = recalled{map[string]GroupMemory{}, map[model.PartitionKey]PartitionMemory{}, map[model.PairKey]PairMemory{}, m.At}
	for _, f := range m.Phases {
		p.phases[f.Broker] = f.phase()
	}
	for _, w := range m.Widths {
		w.pour(p.pool)
	}
	for _, g := range m.Groups {
		if m.At.Sub(g.Busy) < maxMemoryAge {
			p.recalled.groups[g.Group] = g
		}
	}
	ids := map[model.PartitionKey]model.TopicID{}
	for _, part := range m.Partitions {
		ids[part.key()] = part.ID
		if m.At.Sub(part.At) < maxMemoryAge {
			p.recalled.partitions[part.key()] = part
		}
	}
	for _, q := range m.Pairs {
		if q.ID == (model.TopicID{}) {
			q.ID = ids[q.key().PartitionKey]
		}
		if q.Ago >= 0 && q.Ago < maxMemoryAge {
			p.recalled.pairs[q.key()] = q
		}
	}
}

// take takes what is remembered of something out of a memory.
func take[K comparable, V any](m map[K]V, key K) (V, bool) {
	v, ok := m[key]
	delete(m, key)
	return v, ok
}

// Memory is what is worth keeping at present, in a fixed order.
func (p *Predictor) Memory() Memory {
	m := Memory{}
	if p.snapshot == nil {
		return m
	}
	m.Cluster, m.At = p.snapshot.ClusterID, p.snapshot.At
	for _, id := range slices.Sorted(maps.Keys(p.phases)) {
		m.Phases = append(m.Phases, p.phases[id].memory(id))
	}
	for _, key := range slices.SortedFunc(maps.Keys(p.pool), comparePools) {
		m.Widths = append(m.Widths, WidthMemory{key.rule, uint8(key.zone), slices.Clone(p.pool[key].codes)})
	}
	for name, t := range p.tenures {
		if busy, ok := t.busy.Get(); ok {
			m.Groups = append(m.Groups, GroupMemory{name, busy})
		}
	}
	m.Groups = slices.AppendSeq(m.Groups, maps.Values(p.recalled.groups))
	m.Partitions = slices.Collect(maps.Values(p.recalled.partitions))
	for _, part := range p.partitions {
		if _, ok := part.start.Get(); ok {
			m.Partitions = append(m.Partitions, part.memory())
		}
	}
	for _, q := range p.recalled.pairs {
		q.Ago += m.At.Sub(p.recalled.at)
		m.Pairs = append(m.Pairs, q)
	}
	for key, q := range p.pairs {
		if _, ok := q.position.Get(); ok && !q.absent {
			one := q.memory(key, m.At)
			if part := p.partitions[key.PartitionKey]; part != nil && part.id == one.ID {
				one.ID = model.TopicID{}
			}
			m.Pairs = append(m.Pairs, one)
		}
	}
	m.sort()
	return m
}

func comparePools(a, b poolKey) int {
	return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.zone, b.zone))
}

func (m *Memory) sort() {
	slices.SortFunc(m.Groups, func(a, b GroupMemory) int { return strings.Compare(a.Group, b.Group) })
	slices.SortFunc(m.Partitions, func(a, b PartitionMemory) int { return a.key().Compare(b.key()) })
	slices.SortFunc(m.Pairs, func(a, b PairMemory) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), a.key().Compare(b.key().PartitionKey))
	})
}

func (f *phase) memory(id model.BrokerID) PhaseMemory {
	m := PhaseMemory{Broker: id, Period: f.period}
	for _, v := range f.votes {
		m.Votes = append(m.Votes, [2]model.Millis{v.from, v.width})
	}
	return m
}

func (m PhaseMemory) phase() *phase {
	f := &phase{period: m.Period}
	for _, v := range m.Votes {
		if len(f.votes) < maxVotes && v[0] >= 0 && v[0] < m.Period && v[1] > 0 && v[1] < m.Period {
			f.votes = append(f.votes, interval{v[0], v[1]})
		}
	}
	return f
}

// pour puts the labels into a pool.
func (m WidthMemory) pour(all pool) {
	if m.Zone >= zones || len(m.Labels) == 0 {
		return
	}
	key := poolKey{m.Rule, zone(m.Zone)}
	all[key] = &pooled{}
	for _, code := range m.Labels {
		all[key].add(code)
	}
}
