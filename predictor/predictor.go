package predictor

import "kafka-retention-exporter/model"

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
	shelf      shelf
	tenures    map[string]*tenure
	score      score
	pool       pool
	recalled   recalled
	round      int
	turn       int  // the rank of the partition that is to be asked about first
	aimed      bool // the positions of the newest poll are noted at the partitions

	ranked   []*partition            // the partitions in order
	topics   map[string][]*partition // of each topic
	unranked bool                    // one came or went since
	plan     schedule                // of the partition that is worked at
	gathered []*partition            // memory of partsOf
	who      roster                  // of the newest report
	marks    int
}

// New makes an empty predictor.
func New(cfg Config) *Predictor {
	return &Predictor{
		cfg:        cfg,
		partitions: map[model.PartitionKey]*partition{},
		pairs:      map[model.PairKey]*pair{},
		phases:     phases{},
		shelf:      shelf{},
		tenures:    map[string]*tenure{},
		pool:       pool{},
	}
}

// Observe takes in one poll: first what the log did, then what the groups did, so that a
// position is judged against a log start that was read before it.
func (p *Predictor) Observe(s *model.Snapshot) {
	before := p.snapshot
	if before != nil && s.Started < before.Started {
		p.forgetTimes()
	}
	p.snapshot, p.aimed = s, false
	p.shelf.tidy(len(s.Topics))
	p.observePartitions(s, before)
	p.explain(s)
	p.observeTenures(s)
	p.observeGroups(s)
	p.forget(s)
}

func (p *Predictor) observePartitions(s, old *model.Snapshot) {
	for key, f := range s.Partitions {
		part := p.partitions[key]
		if part == nil {
			part = &partition{key: key, poll: p.cfg.Poll, peak: ceiling{poll: p.cfg.Poll}, pool: p.pool}
			p.partitions[key], p.unranked = part, true
			if m, ok := take(p.recalled.partitions, key); ok {
				part.recall(m, f)
			}
		}
		if old != nil {
			part.remember(p.cfg, old.At, &p.plan)
		}
		part.observe(s, f, p.phases, p.shelf)
		part.settle(s, old, f, &p.score)
	}
}

func (p *Predictor) observeGroups(s *model.Snapshot) {
	for name, g := range s.Groups {
		for key, commit := range g.Offsets {
			if part := p.partitions[key]; part != nil {
				q := p.pair(model.PairKey{Group: name, PartitionKey: key})
				q.learn(part, g.Earlier[key], s.Started)
				q.observe(s, part, g.Kind, commit, p.tenures[name].before)
				if g.State == "Empty" {
					q.pace.leave()
				}
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
		if m, ok := take(p.recalled.pairs, key); ok {
			q.recall(m, p.recalled.at)
		}
	}
	return q
}

// forget drops what no longer exists. A pair lives as long as its group is known, also while it
// has no position: its counter must not restart because a topic was created again.
func (p *Predictor) forget(s *model.Snapshot) {
	for key := range p.partitions {
		if _, ok := s.Partitions[key]; !ok {
			delete(p.partitions, key)
			p.unranked = true
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

// Report forecasts every pair as things stand at now. It goes partition by partition, so that all
// groups on one share what is worked out of it.
func (p *Predictor) Report(now model.Instant) *Report {
	r := &Report{At: now, Audit: p.score.audit()}
	if p.snapshot == nil {
		r.UnknownGroups = map[string]Reason{}
		return r
	}
	who := p.roster()
	r.UnknownGroups = who.unknown
	r.Pairs = make([]Forecast, len(who.entries))
	r.Partitions = make(map[model.PartitionKey]Outlook, len(p.ranked))
	rest := who.byPartition(len(p.ranked))
	for _, part := range p.ranked {
		p.plan.lay(part, now)
		for ; len(rest) > 0 && who.entries[rest[0]].part == part; rest = rest[1:] {
			e := who.entries[rest[0]]
			p.forecast(&r.Pairs[rest[0]], &who.groups[e.group], e.pair)
		}
		r.Partitions[part.key] = part.outlook(&p.plan)
	}
	r.Replicas = p.replicaOutlooks(r.Partitions, now)
	r.Groups = p.groupOutlooks()
	r.Attention = p.attention(r, who)
	return r
}
