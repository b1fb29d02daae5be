package collector

import (
	"context"
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"

	"kafka-retention-exporter/model"
)

// poll is one reading of the cluster under way. It starts from what the last one knew; each step
// replaces what it could read and leaves the rest. All its fields belong to the goroutine that
// runs the poll; the goroutines of fanOut only return results.
type poll struct {
	c      *Collector
	ctx    context.Context
	cancel context.CancelFunc
	now    func() model.Instant

	started   model.Instant
	before    *model.Snapshot
	clusterID string
	peers     map[model.BrokerID]*peer
	settings  map[model.BrokerID]model.Read[model.BrokerSettings]
	versions  map[model.BrokerID]model.Read[string]
	foreign   map[model.BrokerID]string
	dirs      map[model.BrokerID]map[string]model.Volume
	topics    map[string]*model.Topic
	parts     map[model.PartitionKey]*model.Partition
	keys      []model.PartitionKey // of parts, sorted; nil after they changed, and never changed itself
	groups    map[string]*model.Group
	seen      int // groups listed
	portion   model.Portion
	timed     bool // when groups committed may be told
	local     model.Read[model.LocalBroker]

	problems      problems
	metadataReads int             // in this poll
	unknownTopic  map[string]bool // a leader said in this poll that it does not exist
	leaderless    map[model.Stage]int
}

func newPoll(ctx context.Context, c *Collector, now func() model.Instant) *poll {
	ctx, cancel := context.WithTimeout(ctx, 2*c.config.BrokerDeadline)
	before := c.last.Load()
	p := &poll{
		c: c, ctx: ctx, cancel: cancel, now: now,
		started:      now(),
		before:       before,
		keys:         c.memory.keys,
		clusterID:    before.ClusterID,
		local:        before.Local,
		peers:        map[model.BrokerID]*peer{},
		settings:     map[model.BrokerID]model.Read[model.BrokerSettings]{},
		versions:     map[model.BrokerID]model.Read[string]{},
		foreign:      map[model.BrokerID]string{},
		dirs:         map[model.BrokerID]map[string]model.Volume{},
		topics:       make(map[string]*model.Topic, len(before.Topics)),
		parts:        make(map[model.PartitionKey]*model.Partition, len(before.Partitions)),
		groups:       make(map[string]*model.Group, len(before.Groups)),
		unknownTopic: map[string]bool{},
		leaderless:   map[model.Stage]int{},
	}
	for _, id := range c.memory.listed {
		p.join(id)
	}
	return p
}

// carryOver copies what the last poll knew. Maps inside the copies are shared with the old
// snapshot, so whoever changes one clones it first.
func (p *poll) carryOver() {
	for id, b := range p.before.Brokers {
		p.settings[id], p.versions[id], p.foreign[id], p.dirs[id] = b.Settings, b.Version, b.Unverified, b.Dirs
	}
	for name, t := range p.before.Topics {
		p.topics[name] = &t
	}
	for key, part := range p.before.Partitions {
		p.parts[key] = &part
	}
	for name, g := range p.before.Groups {
		g.Earlier = nil // was told
		p.groups[name] = &g
	}
}

// join makes a broker known to this poll.
func (p *poll) join(id model.BrokerID) {
	if p.peers[id] == nil {
		p.peers[id] = &peer{id: id, client: p.c.client.Broker(int(id)), wire: p.c.wire, left: p.c.config.BrokerDeadline, release: p.c.memory.releases[id]}
	}
}

// run is the order that makes sense of the answers: log starts before commits before ends, so
// that a commit below its log start is a fact and no lag is negative; sizes between two reads of
// ends. What settles how the rest is asked comes first, what nothing waits for last.
func (p *poll) run() {
	p.carryOver()
	p.takePortion()
	if m := &p.c.memory; m.metadataDue || due(m.metadataAt, p.c.config.MetadataEvery) {
		p.readMetadata()
	}
	p.readLocal()
	p.keepLed()
	if len(p.peers) == 0 {
		p.c.memory.metadataDue = true
		return
	}
	p.releases()
	p.learnTopics()
	times := p.readTimes()
	p.readConfigs()
	plan := p.planSizes()
	p.readLogStarts(plan.wanted)
	kept := p.askKeepers()
	p.awaitTimes(times)
	p.readGroups()
	p.divisionProblems()
	p.takeKept(kept())
	sizes := p.beginSizes(p.withMoved(plan))
	p.readEnds()
	p.finishSizes(sizes)
	p.distrustEnds()
	p.holdStarts()
	p.readOldest()
	p.readLocalStarts()
	p.readFollowers()
	p.planMetadata()
}

// planMetadata asks for metadata at once in the next poll if something is not where it was.
func (p *poll) planMetadata() {
	for _, b := range p.peers {
		p.c.memory.metadataDue = p.c.memory.metadataDue || b.failed != nil
	}
	for _, part := range p.parts {
		p.c.memory.metadataDue = p.c.memory.metadataDue || !p.online(part)
	}
}

// snapshot is the result, nothing of which is changed any more.
func (p *poll) snapshot() *model.Snapshot {
	next := &model.Snapshot{
		Started:    p.started,
		ClusterID:  p.clusterID,
		Brokers:    p.brokers(),
		Topics:     make(map[string]model.Topic, len(p.topics)),
		Partitions: make(map[model.PartitionKey]model.Partition, len(p.parts)),
		Groups:     make(map[string]model.Group, len(p.groups)),
		GroupsSeen: p.seen, TopicsHidden: p.c.memory.hidden,
		Portion:  p.portion,
		Local:    p.local,
		Problems: p.listProblems(),
	}
	for name, t := range p.topics {
		next.Topics[name] = *t
	}
	for key, part := range p.parts {
		next.Partitions[key] = *part
	}
	for name, g := range p.groups {
		next.Groups[name] = *g
		if g.Refused != "" {
			next.GroupsHidden++
		}
	}
	for _, b := range p.peers {
		_, answered := b.lastAnswer.Get()
		next.Reached = next.Reached || answered
	}
	next.Reached = next.Reached || p.metadataReads > 0
	p.c.memory.keys = p.keys
	next.At = p.now()
	return next
}

// listProblems adds what leaderless partitions could not be asked.
func (p *poll) listProblems() []model.Problem {
	for stage, n := range p.leaderless {
		p.problems.addCause(stage, kerr.LeaderNotAvailable.Message, "partitions have no leader that can be asked", about{count: n})
	}
	return p.problems.list()
}

// brokers are those that metadata lists, and those that are listed no more but are a replica of
// something: they are down, not gone.
func (p *poll) brokers() map[model.BrokerID]model.Broker {
	out := map[model.BrokerID]model.Broker{}
	add := func(id model.BrokerID) {
		if _, have := out[id]; have {
			return
		}
		out[id] = model.Broker{
			ID: id, LastAnswer: p.before.Brokers[id].LastAnswer,
			Settings: p.settings[id], Version: p.versions[id], Unverified: p.foreign[id], Dirs: p.dirs[id],
		}
	}
	for _, b := range p.peers {
		add(b.id)
		broker := out[b.id]
		if _, answered := b.lastAnswer.Get(); answered {
			broker.LastAnswer = b.lastAnswer
			broker.Up = b.failed == nil && !b.missed
		}
		out[b.id] = broker
	}
	for _, part := range p.parts {
		for _, id := range part.Replicas {
			add(id)
		}
	}
	return out
}

// sortedIDs gives the brokers of a step in a stable order.
func sortedIDs[V any](m map[model.BrokerID]V) []model.BrokerID {
	return slices.Sorted(maps.Keys(m))
}
