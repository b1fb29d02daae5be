package collector

import (
	"context"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector/division"
	"kafka-retention-exporter/model"
)

// join makes the collector a member of the group that divides the cluster, if there is one.
func (c *Collector) join() (err error) {
	if c.config.DivisionGroup == "" {
		return nil
	}
	// The member has connections of its own: a request of a poll that hangs must not delay a heartbeat.
	c.member, err = division.Join(c.config.DivisionGroup, append(connecting(c.config), kgo.WithHooks(counted{c.wire}))...)
	return err
}

// awaitPortion gives the first poll something to look at: who has just joined owns nothing yet.
func (c *Collector) awaitPortion(ctx context.Context) {
	if c.member == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.BrokerDeadline)
	defer cancel()
	c.member.Await(ctx)
}

// portion is what this exporter answers for. After a poll that reached nobody it stays as it was:
// a cluster that is away takes its groups along, and what was learned must not go with them.
func (c *Collector) portion() model.Portion {
	m := &c.memory
	if m.portionKnown && !c.last.Load().Reached {
		return m.portion
	}
	m.portionKnown = true
	return c.member.Portion(m.slots)
}

// takePortion settles what this poll is about, and lets go of what others answer for now.
func (p *poll) takePortion() {
	if p.c.member == nil {
		return
	}
	p.setPortion(p.c.portion())
	if p.portion.Whole() {
		return
	}
	deleteIf(p.groups, func(name string) bool {
		if p.groups[name].Kind == model.KindExternal { // the filters are not about these
			return !p.portion.Owns(name)
		}
		return !p.watchesGroup(name)
	})
	p.dropTopics()
}

func (p *poll) setPortion(portion model.Portion) {
	p.portion = portion
	if m := &p.c.memory; !portion.Equal(m.portion) {
		m.portion, m.metadataDue, m.widened = portion, true, true
	}
}

// countSlots learns from metadata by how many partitions the work is divided.
func (p *poll) countSlots(answer *kmsg.MetadataResponse) {
	if p.c.member == nil {
		return
	}
	for _, t := range answer.Topics {
		if n := int32(len(t.Partitions)); t.Topic != nil && *t.Topic == division.Topic && n > 0 && n != p.c.memory.slots {
			p.c.memory.slots = n
			p.setPortion(p.c.member.Portion(n))
		}
	}
}

// watchesGroup applies the filters and the division. The group that divides is nobody's.
func (p *poll) watchesGroup(name string) bool {
	return p.c.config.watchesGroup(name) && p.portion.Owns(name)
}

// topicsRead are the topics that the poll's groups are known to read.
func (p *poll) topicsRead() map[string]bool {
	read := map[string]bool{}
	for _, g := range p.groups {
		for key := range g.Offsets {
			read[key.Topic] = true
		}
		for key := range g.Assigned {
			read[key.Topic] = true
		}
		for topic := range g.Subscribed {
			read[topic] = true
		}
	}
	return read
}

// needed tells which topics the poll is about: those it owns, and those that its groups read or
// have been met on, whoever owns them. After a change it is all of them, until the groups that are
// new have said what they read.
func (p *poll) needed() func(topic string) bool {
	if p.portion.Whole() || p.c.memory.widened {
		return func(string) bool { return true }
	}
	read := p.topicsRead()
	return func(topic string) bool {
		return p.portion.Owns(topic) || read[topic] || p.c.memory.strangers[topic]
	}
}

// meetTopics makes a group be described again once the topics are there that its members read and
// that this poll was not about.
func (p *poll) meetTopics(g *model.Group, m members) {
	if p.portion.Whole() {
		return
	}
	for topic := range m.subscribed {
		if p.topics[topic] == nil && p.stranger(topic) {
			delete(p.c.memory.described, g.Name)
		}
	}
}

// dropTopics lets go of topics that the poll is not about.
func (p *poll) dropTopics() {
	needed := p.needed()
	for name, t := range p.topics {
		if !needed(name) {
			p.c.memory.others[name] = t.ID
			p.removeTopic(name)
		}
	}
}

// learnTopics asks the groups that are new to this portion what they read, so that only those
// topics are read, and before the positions that count. What fails here fails there too, and is
// left to it.
func (p *poll) learnTopics() {
	if !p.c.memory.widened {
		return
	}
	regular := p.problems
	p.problems = problems{}
	listed, _ := p.listGroups()
	for name := range p.groups {
		delete(listed, name)
	}
	p.applyGroups(listed)
	p.readCommits(listed)
	p.describeGroups(listed)
	p.problems = regular
	p.c.memory.widened = false
	p.dropTopics()
}

// divisionProblems are what keeps this exporter from its portion.
func (p *poll) divisionProblems() {
	if p.c.member == nil {
		return
	}
	group := about{group: p.c.config.DivisionGroup}
	if err := p.c.member.Err(); err != nil {
		p.problems.add(model.StageGroups, err, group)
	}
	if p.c.memory.slots == 0 {
		p.problems.addCause(model.StageGroups, causeUndivided, "metadata does not list "+division.Topic+", by whose partitions the cluster is divided: nothing is watched", group)
	}
}
