package collector

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// description is when a group was described last, and the state it was listed in then; refused is
// the error code by which the coordinator hid it.
type description struct {
	at      time.Time
	state   string
	refused int16
}

// describeGroups asks who reads what in groups that have members: their assignment says which
// partitions the group is answerable for before it has committed anything there. A group is asked
// when it is first seen stable, when it is stable again after another state, and then every
// DescribeEvery; all groups of a coordinator and kind in one request. Kafka has no assignments to
// tell while a group rebalances, so what it had before stays. Where share groups read is told with
// their positions (shares.go).
func (p *poll) describeGroups(listed map[string]listedGroup) {
	var classic, consumer, streams []string
	for name, g := range p.groups {
		if _, have := listed[name]; !have {
			continue
		}
		if !p.wantsDescription(g) {
			p.noteUndescribed(listed[name].coordinator, g)
			continue
		}
		switch {
		case g.Kind == model.KindConsumer:
			consumer = append(consumer, name)
		case g.Kind == model.KindStreams && p.knowsStreams(listed[name].coordinator):
			streams = append(streams, name)
		case g.Kind == model.KindClassic && g.ProtocolType == consumerProtocol:
			classic = append(classic, name)
		}
	}
	p.describe(byCoordinator(listed, classic), askClassicMembers)
	p.describe(byCoordinator(listed, consumer), askConsumerMembers)
	p.describe(byCoordinator(listed, streams), askStreamsMembers)
}

// knowsStreams tells whether a broker can describe streams groups (Kafka 4.2); their positions are
// read like any other group's, whether or not.
func (p *poll) knowsStreams(coordinator model.BrokerID) bool {
	b := p.peers[coordinator]
	return b != nil && b.release.has(kmsg.StreamsGroupDescribe, 0)
}

// consumerProtocol is the protocol type of groups whose members' metadata is that of consumers;
// Kafka Connect, for one, puts other things there.
const consumerProtocol = "consumer"

const stateStable = "Stable"

// wantsDescription also keeps track of the states in between.
func (p *poll) wantsDescription(g *model.Group) bool {
	last, had := p.c.memory.described[g.Name]
	if g.State != stateStable {
		p.c.memory.described[g.Name] = description{at: last.at, state: g.State}
		return false
	}
	return !had || last.state != stateStable || due(last.at, p.c.config.DescribeEvery)
}

// noteUndescribed makes a refusal a problem of every poll, though it is asked again only when its
// time has come.
func (p *poll) noteUndescribed(coordinator model.BrokerID, g *model.Group) {
	if b := p.peers[coordinator]; b != nil {
		p.problems.addCode(model.StageGroups, p.c.memory.described[g.Name].refused, about{broker: b, group: g.Name})
	}
}

// members is who reads what in one group.
type members struct {
	group      string
	code       int16
	assigned   map[model.PartitionKey]bool
	subscribed map[string]bool
	byID       map[model.TopicID][]int32 // assigned, of topics whose names are still to be found
}

type describer func(context.Context, *peer, func() model.Instant, []string) ([]members, error)

func (p *poll) describe(work map[model.BrokerID][]string, asking describer) {
	for _, o := range fanOut(p, work, asking) {
		if o.err != nil {
			p.problems.add(model.StageGroups, o.err, about{broker: o.peer, group: o.work[0], count: len(o.work)})
			continue
		}
		for _, m := range o.result {
			p.applyMembers(o.peer, m)
		}
	}
}

// applyMembers takes over a description. A group that is of another kind by now, or gone, is
// GROUP_ID_NOT_FOUND, and the next list says what it is.
func (p *poll) applyMembers(b *peer, m members) {
	g := p.groups[m.group]
	if g == nil {
		return
	}
	if p.rememberDescription(g, m.code); m.code != 0 {
		if m.code != kerr.GroupIDNotFound.Code {
			p.problems.addCode(model.StageGroups, m.code, about{broker: b, group: g.Name})
		}
		return
	}
	for name, t := range p.topics {
		if partitions, assigned := m.byID[t.ID]; assigned {
			m.assign(name, partitions)
		}
	}
	for name, id := range p.c.memory.others {
		if partitions, assigned := m.byID[id]; assigned {
			m.assign(name, partitions)
		}
	}
	p.meetTopics(g, m)
	g.Assigned, g.Subscribed = map[model.PartitionKey]bool{}, map[string]bool{}
	for key := range m.assigned {
		if p.topics[key.Topic] != nil {
			g.Assigned[key] = true
		}
	}
	for topic := range m.subscribed {
		if p.topics[topic] != nil {
			g.Subscribed[topic] = true
		}
	}
}

// rememberDescription lets a group rest for DescribeEvery if it was described, is of another kind,
// or is hidden from us; any other error passes, and the group is asked about in the next poll.
func (p *poll) rememberDescription(g *model.Group, code int16) {
	switch code {
	case 0, kerr.GroupIDNotFound.Code:
		p.c.memory.described[g.Name] = description{at: time.Now(), state: g.State}
	case kerr.GroupAuthorizationFailed.Code, kerr.TopicAuthorizationFailed.Code:
		p.c.memory.described[g.Name] = description{at: time.Now(), state: g.State, refused: code}
	default:
		delete(p.c.memory.described, g.Name)
	}
}

func newMembers(group string, code int16) members {
	return members{group: group, code: code, assigned: map[model.PartitionKey]bool{}, subscribed: map[string]bool{}, byID: map[model.TopicID][]int32{}}
}

// assign adds a member's partitions of a topic; who is assigned a topic reads it, also where only
// a pattern was subscribed to.
func (m *members) assign(topic string, partitions []int32) {
	m.subscribed[topic] = true
	for _, partition := range partitions {
		m.assigned[model.PartitionKey{Topic: topic, Partition: partition}] = true
	}
}

// askClassicMembers asks about groups whose members agree among themselves. What the members
// say is opaque to the broker; a member that cannot be read adds nothing.
func askClassicMembers(ctx context.Context, b *peer, now func() model.Instant, groups []string) ([]members, error) {
	request := kmsg.NewPtrDescribeGroupsRequest()
	request.Groups = groups
	answer, _, err := ask[*kmsg.DescribeGroupsResponse](ctx, b, now, request)
	if err != nil {
		return nil, err
	}
	var out []members
	for _, g := range answer.Groups {
		m := newMembers(g.Group, g.ErrorCode)
		for _, member := range g.Members {
			m.classic(member)
		}
		out = append(out, m)
	}
	return out, nil
}

func (m *members) classic(member kmsg.DescribeGroupsResponseGroupMember) {
	var subscription kmsg.ConsumerMemberMetadata
	if subscription.ReadFrom(member.ProtocolMetadata) == nil {
		for _, topic := range subscription.Topics {
			m.subscribed[topic] = true
		}
	}
	var assignment kmsg.ConsumerMemberAssignment
	if assignment.ReadFrom(member.MemberAssignment) == nil {
		for _, t := range assignment.Topics {
			m.assign(t.Topic, t.Partitions)
		}
	}
}

// askConsumerMembers asks about groups of the consumer protocol of KIP-848. Their assignments are
// by topic id, so that one on a deleted topic is not taken for one on its successor.
func askConsumerMembers(ctx context.Context, b *peer, now func() model.Instant, groups []string) ([]members, error) {
	request := kmsg.NewPtrConsumerGroupDescribeRequest()
	request.Groups = groups
	answer, _, err := ask[*kmsg.ConsumerGroupDescribeResponse](ctx, b, now, request)
	if err != nil {
		return nil, err
	}
	var out []members
	for _, g := range answer.Groups {
		m := newMembers(g.Group, g.ErrorCode)
		for _, member := range g.Members {
			for _, topic := range member.SubscribedTopics {
				m.subscribed[topic] = true
			}
			for _, t := range member.Assignment.TopicPartitions {
				m.byID[t.TopicID] = append(m.byID[t.TopicID], t.Partitions...)
			}
		}
		out = append(out, m)
	}
	return out, nil
}
