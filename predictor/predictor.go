package predictor

import (
	"cmp"
	"slices"
	"strings"

	"kafka-retention-exporter/model"
)

// Config is what the predictor must know of its surroundings.
type Config struct {
	Poll           model.Millis // interval of the polls
	ClockTolerance model.Millis // taken off every floor
}

// Predictor keeps what was learned and turns it into forecasts. It has no clock, does no I/O
// and is used from one goroutine.
type Predictor struct {
	cfg        Config
	snapshot   *model.Snapshot
	partitions map[model.PartitionKey]*partition
	pairs      map[model.PairKey]*pair
	phases     phases
	tenures    map[string]*tenure
	round      int
}

// New makes an empty predictor.
func New(cfg Config) *Predictor {
	return &Predictor{
		cfg:        cfg,
		partitions: map[model.PartitionKey]*partition{},
		pairs:      map[model.PairKey]*pair{},
		phases:     phases{},
		tenures:    map[string]*tenure{},
	}
}

// Observe takes in one poll: first what the log did, then what the groups did, so that a
// position is judged against a log start that was read before it.
func (p *Predictor) Observe(s *model.Snapshot) {
	var before model.Instant
	if p.snapshot != nil {
		before = p.snapshot.Started
	}
	p.snapshot = s
	p.observePartitions(s, before)
	p.observeTenures(s)
	p.observeGroups(s)
	p.forget(s)
}

func (p *Predictor) observePartitions(s *model.Snapshot, before model.Instant) {
	for key, f := range s.Partitions {
		part := p.partitions[key]
		if part == nil {
			part = &partition{poll: p.cfg.Poll, peak: ceiling{poll: p.cfg.Poll}}
			p.partitions[key] = part
		}
		part.observe(s, f, before, p.phases)
	}
}

func (p *Predictor) observeGroups(s *model.Snapshot) {
	for name, g := range s.Groups {
		for key, commit := range g.Offsets {
			if part := p.partitions[key]; part != nil {
				p.pair(model.PairKey{Group: name, PartitionKey: key}).observe(s, part, commit, p.tenures[name].before)
			}
		}
	}
	for key, q := range p.pairs {
		if _, has := s.Groups[key.Group].Offsets[key.PartitionKey]; !has {
			q.missing()
		}
	}
}

func (p *Predictor) pair(key model.PairKey) *pair {
	q := p.pairs[key]
	if q == nil {
		q = &pair{}
		p.pairs[key] = q
	}
	return q
}

// forget drops what no longer exists. A pair lives as long as its group is known, also while it
// has no position: its counter must not restart because a topic was created again.
func (p *Predictor) forget(s *model.Snapshot) {
	for key := range p.partitions {
		if _, ok := s.Partitions[key]; !ok {
			delete(p.partitions, key)
		}
	}
	for key := range p.pairs {
		if p.tenures[key.Group] == nil {
			delete(p.pairs, key)
		}
	}
	for id := range p.phases {
		if _, ok := s.Brokers[id]; !ok {
			delete(p.phases, id)
		}
	}
}

// Report forecasts every pair as things stand at now.
func (p *Predictor) Report(now model.Instant) *Report {
	r := &Report{At: now, UnknownGroups: map[string]Reason{}}
	if p.snapshot == nil {
		return r
	}
	expired := p.expired()
	for name, g := range p.snapshot.Groups {
		keys, reason := p.keysOf(g, expired[name])
		if len(keys) == 0 && reason != 0 {
			r.UnknownGroups[name] = reason
		}
		for _, key := range keys {
			r.Pairs = append(r.Pairs, p.forecast(model.PairKey{Group: name, PartitionKey: key}, g, now))
		}
	}
	r.Pairs = append(r.Pairs, p.ghosts(now)...)
	r.Groups = p.groupOutlooks()
	r.Partitions = p.outlooks(now)
	slices.SortFunc(r.Pairs, func(a, b Forecast) int { return comparePairs(a.Key, b.Key) })
	return r
}

// keysOf lists the partitions that make a pair with a group: where it has a committed offset or
// had one, which it is assigned, and all of a topic on which it has an offset. Where there are
// none, the reason says why the group cannot be judged.
func (p *Predictor) keysOf(g model.Group, expired []model.PartitionKey) ([]model.PartitionKey, Reason) {
	switch {
	case g.Kind == model.KindShare:
		return nil, UnsupportedGroup
	case g.Refused != "" && len(g.Offsets) == 0:
		return nil, Unreadable
	}
	set := map[model.PartitionKey]bool{}
	topics := map[string]bool{}
	for key := range g.Offsets {
		set[key], topics[key.Topic] = true, true
	}
	for key := range g.Assigned {
		set[key] = true
	}
	for topic := range topics {
		for i := range p.snapshot.Topics[topic].Partitions {
			set[model.PartitionKey{Topic: topic, Partition: i}] = true
		}
	}
	for _, key := range expired {
		set[key] = true
	}
	var keys []model.PartitionKey
	for key := range set {
		if _, known := p.partitions[key]; known {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		return keys, 0
	}
	return nil, whyNone(g)
}

// expired lists, by group, where one had a position in this topic before it vanished.
func (p *Predictor) expired() map[string][]model.PartitionKey {
	out := map[string][]model.PartitionKey{}
	for key, q := range p.pairs {
		part := p.partitions[key.PartitionKey]
		if q.absent && part != nil && part.id == q.topic && !p.movedOff(key) {
			out[key.Group] = append(out[key.Group], key.PartitionKey)
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

func comparePairs(a, b model.PairKey) int {
	return cmp.Or(strings.Compare(a.Group, b.Group), comparePartitions(a.PartitionKey, b.PartitionKey))
}

func comparePartitions(a, b model.PartitionKey) int {
	return cmp.Or(strings.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
}
