package collector

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// applyTopics takes over topics and partitions. Topics that the answer lacks are judged by
// missingTopic.
func (p *poll) applyTopics(answer *kmsg.MetadataResponse) {
	present := map[string]bool{}
	p.keys = nil
	needed := p.needed()
	p.c.memory.others = map[string]model.TopicID{}
	for i := range answer.Topics {
		t := &answer.Topics[i]
		if t.Topic == nil || !p.c.config.watchesTopic(*t.Topic, t.IsInternal) {
			continue
		}
		if !needed(*t.Topic) {
			p.c.memory.others[*t.Topic] = model.TopicID(t.TopicID)
			continue
		}
		present[*t.Topic] = true
		if t.ErrorCode != 0 {
			p.topicError(t)
			continue
		}
		delete(p.c.memory.missing, *t.Topic)
		p.applyTopic(t)
	}
	if len(present) == 0 && len(p.topics) > 0 {
		p.problems.addCause(model.StageMetadata, causeSuspicious, "metadata lists no watched topic, where there were some", about{count: len(p.topics)})
	}
	for name := range p.topics {
		if !present[name] {
			p.missingTopic(name)
		}
	}
}

// topicError is about a topic that is listed with an error, such as one that is being created.
func (p *poll) topicError(t *kmsg.MetadataResponseTopic) {
	if t.ErrorCode == kerr.UnknownTopicOrPartition.Code {
		p.missingTopic(*t.Topic)
		return
	}
	p.problems.addCode(model.StageMetadata, t.ErrorCode, about{topic: *t.Topic})
}

// missingTopic decides whether a topic that metadata lacks is gone. Metadata hides topics that we
// may not see, and a broker that has just started may know fewer: it takes a second answer, or
// the leader's word that the topic does not exist. A leader that says we may not see it says also
// that nothing is known about its end, so it stays, without news.
func (p *poll) missingTopic(name string) {
	m := &p.c.memory
	if p.topics[name] == nil {
		return
	}
	m.missing[name]++
	if p.unknownTopic[name] || m.missing[name] >= 2 && !m.forbidden[name] {
		p.removeTopic(name)
		return
	}
	if m.missing[name] < 2 {
		m.metadataDue = true
	}
}

// removeTopic ends a topic with all that is known about it.
func (p *poll) removeTopic(name string) {
	p.keys = nil
	delete(p.topics, name)
	deleteIf(p.parts, func(k model.PartitionKey) bool { return k.Topic == name })
	p.dropCommits(name)
	deleteIf(p.c.memory.oldest, func(k model.PartitionKey) bool { return k.Topic == name })
	ofTopic := func(a configAsk) bool { return a.topic == name }
	deleteIf(p.c.memory.configs, ofTopic)
	deleteIf(p.c.memory.refused, ofTopic)
}

// dropCommits forgets commits on a topic that is gone or was created anew: the coordinator
// deletes them with the topic, and what is still valid is answered again.
func (p *poll) dropCommits(topic string) {
	for _, g := range p.groups {
		kept := make(map[model.PartitionKey]model.Read[model.Commit], len(g.Offsets))
		for key, commit := range g.Offsets {
			if key.Topic != topic {
				kept[key] = commit
			}
		}
		if len(kept) < len(g.Offsets) {
			g.Offsets = kept
		}
	}
}

func (p *poll) applyTopic(t *kmsg.MetadataResponseTopic) {
	name, id := *t.Topic, model.TopicID(t.TopicID)
	old := p.topics[name]
	if old != nil && recreated(old, id, len(t.Partitions)) {
		p.removeTopic(name)
		old = nil
	}
	topic := &model.Topic{Name: name, ID: id, Internal: t.IsInternal, Partitions: int32(len(t.Partitions))}
	if old != nil {
		topic.Settings, topic.Unreadable = old.Settings, old.Unreadable
	}
	p.topics[name] = topic
	for i := range t.Partitions {
		p.applyPartition(topic, &t.Partitions[i])
	}
}

// recreated tells whether a topic is another one than before. Brokers before 2.8 give no ids;
// there only a topic that lost partitions gives itself away.
func recreated(old *model.Topic, id model.TopicID, partitions int) bool {
	var none model.TopicID
	if old.ID != none && id != none {
		return old.ID != id
	}
	return partitions < int(old.Partitions)
}

func (p *poll) applyPartition(topic *model.Topic, m *kmsg.MetadataResponseTopicPartition) {
	key := model.PartitionKey{Topic: topic.Name, Partition: m.Partition}
	part := p.parts[key]
	if part == nil {
		part = &model.Partition{Key: key}
		p.parts[key] = part
	}
	if part.Leader != model.BrokerID(m.Leader) || part.LeaderEpoch != m.LeaderEpoch || part.TopicID != topic.ID {
		p.doubtStart(key) // another leader brings its own log start along
	}
	part.TopicID = topic.ID
	part.Replicas, part.ISR = brokerIDs(m.Replicas), brokerIDs(m.ISR)
	part.Leader, part.LeaderEpoch = model.BrokerID(m.Leader), m.LeaderEpoch
	_, part.LeaderKnown = p.peers[part.Leader]
	if !part.LeaderKnown {
		part.Leader = -1
	}
	part.FollowerLogStart = ofFollowers(part)
}

// ofFollowers leaves out the log starts of brokers that lead by now or hold no replica any more.
func ofFollowers(part *model.Partition) map[model.BrokerID]model.Read[model.Offset] {
	foreign := func(id model.BrokerID, _ model.Read[model.Offset]) bool {
		return id == part.Leader || !slices.Contains(part.Replicas, id)
	}
	for id, r := range part.FollowerLogStart {
		if foreign(id, r) {
			kept := maps.Clone(part.FollowerLogStart)
			maps.DeleteFunc(kept, foreign)
			return kept
		}
	}
	return part.FollowerLogStart
}

func brokerIDs(ids []int32) []model.BrokerID {
	out := make([]model.BrokerID, len(ids))
	for i, id := range ids {
		out[i] = model.BrokerID(id)
	}
	return out
}
