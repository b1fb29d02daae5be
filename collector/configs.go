package collector

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// configAsk is a topic's settings as one broker resolves them, or with an empty topic the
// broker's own.
type configAsk struct {
	broker model.BrokerID
	topic  string
}

// configWork is one DescribeConfigs request.
type configWork struct {
	topics []string
	broker bool // the broker's own settings too
}

// configAnswer is what one broker said.
type configAnswer struct {
	read      model.Instant
	resources []kmsg.DescribeConfigsResponseResource
}

// readConfigs reads settings where they are due. A topic is asked from each broker that holds a
// replica of it: where the topic overrides nothing, brokers answer from their own defaults, which
// can differ (ConfigHelper.describeConfigs). The leader's are in force for clients, and each
// replica deletes by its own broker's.
// Between the regular times only what was never asked is: new topics, new leaders, new brokers.
func (p *poll) readConfigs() {
	m := &p.c.memory
	all := due(m.configsAt, p.c.config.ConfigsEvery)
	if all {
		m.configsAt = time.Now()
	}
	work := p.configWork(all)
	if len(work) > 0 || p.metadataReads > 0 {
		p.askAllConfigs(work)
		p.markUnreadable()
	}
	p.noteRefusals()
}

func (p *poll) askAllConfigs(work map[model.BrokerID]configWork) {
	for _, o := range fanOut(p, work, askConfigs) {
		if o.err != nil {
			p.problems.add(model.StageConfigs, o.err, about{broker: o.peer, count: len(o.work.topics)})
			p.tried(o.peer, o.work, false)
			continue
		}
		p.tried(o.peer, o.work, true)
		for i := range o.result.resources {
			p.applyConfigs(o.peer, &o.result.resources[i], o.result.read)
		}
		p.missingConfigs(o.peer, o.work, o.result)
		p.verifyBroker(o.peer, o.result)
	}
}

// verifyBroker looks for what an answer gives away about the code behind it. An answer about the
// broker itself takes back what an earlier one said.
func (p *poll) verifyBroker(b *peer, answer configAnswer) {
	if p.c.config.AssumeApache {
		return
	}
	found, whole := "", false
	for i := range answer.resources {
		r := &answer.resources[i]
		if r.ErrorCode == 0 {
			broker := r.ResourceType == kmsg.ConfigResourceTypeBroker
			found, whole = cmp.Or(found, configValues(r.Configs).betrays(broker)), whole || broker
		}
	}
	if found != "" || whole {
		p.foreign[b.id] = found
	}
}

// missingConfigs is about settings that an answer lacks: nothing is known of them, and they are
// asked for again in the next poll.
func (p *poll) missingConfigs(b *peer, w configWork, answer configAnswer) {
	told := map[configAsk]bool{}
	for i := range answer.resources {
		r := &answer.resources[i]
		told[askOf(b, r)] = true
	}
	for _, a := range configAsks(b, w) {
		if !told[a] {
			p.c.memory.configs[a] = false
			p.problems.addCause(model.StageConfigs, causeMissing, "the answer lacks settings that were asked for", about{broker: b, topic: a.topic})
		}
	}
}

func askOf(b *peer, r *kmsg.DescribeConfigsResponseResource) configAsk {
	if r.ResourceType == kmsg.ConfigResourceTypeBroker {
		return configAsk{broker: b.id}
	}
	return configAsk{b.id, r.ResourceName}
}

// noteRefusals makes what is refused a problem of every poll, though it is asked for again only
// when its time has come: a missing right does not come and go in between.
func (p *poll) noteRefusals() {
	refused := p.c.memory.refused
	for _, a := range slices.SortedFunc(maps.Keys(refused), compareAsks) {
		if b := p.peers[a.broker]; b != nil {
			p.problems.add(model.StageConfigs, refused[a], about{broker: b, topic: a.topic})
		}
	}
}

func compareAsks(a, b configAsk) int {
	return cmp.Or(cmp.Compare(a.broker, b.broker), cmp.Compare(a.topic, b.topic))
}

func (p *poll) configWork(all bool) map[model.BrokerID]configWork {
	work := map[model.BrokerID]configWork{}
	wanted := func(a configAsk) bool { return all || !p.c.memory.configs[a] }
	for id := range p.peers {
		if wanted(configAsk{broker: id}) {
			work[id] = configWork{broker: true}
		}
	}
	for id, topics := range p.topicsByHolder() {
		for topic := range topics {
			if wanted(configAsk{id, topic}) {
				w := work[id]
				w.topics = append(w.topics, topic)
				work[id] = w
			}
		}
	}
	return work
}

// topicsByHolder is which topics each present broker holds replicas of.
func (p *poll) topicsByHolder() map[model.BrokerID]map[string]bool {
	holds := map[model.BrokerID]map[string]bool{}
	for key, part := range p.parts {
		for _, id := range part.Replicas {
			if _, present := p.peers[id]; !present {
				continue
			}
			if holds[id] == nil {
				holds[id] = map[string]bool{}
			}
			holds[id][key.Topic] = true
		}
	}
	return holds
}

// topicsByLeader is which topics each broker leads partitions of.
func (p *poll) topicsByLeader() map[model.BrokerID]map[string]bool {
	leads := map[model.BrokerID]map[string]bool{}
	for key, part := range p.parts {
		if !p.online(part) {
			continue
		}
		if leads[part.Leader] == nil {
			leads[part.Leader] = map[string]bool{}
		}
		leads[part.Leader][key.Topic] = true
	}
	return leads
}

// askConfigs sends one DescribeConfigs for topics and the broker itself; a broker's own settings
// are answered only by that broker.
func askConfigs(ctx context.Context, b *peer, now func() model.Instant, w configWork) (configAnswer, error) {
	request := kmsg.NewPtrDescribeConfigsRequest()
	for _, topic := range w.topics {
		request.Resources = append(request.Resources, configResource(kmsg.ConfigResourceTypeTopic, topic, TopicConfigNames()))
	}
	if w.broker {
		own := strconv.Itoa(int(b.id))
		request.Resources = append(request.Resources, configResource(kmsg.ConfigResourceTypeBroker, own, brokerConfigNames()))
	}
	answer, at, err := ask[*kmsg.DescribeConfigsResponse](ctx, b, now, request)
	if err != nil {
		return configAnswer{}, err
	}
	return configAnswer{at, answer.Resources}, nil
}

func configResource(kind kmsg.ConfigResourceType, name string, names []string) kmsg.DescribeConfigsRequestResource {
	r := kmsg.NewDescribeConfigsRequestResource()
	r.ResourceType, r.ResourceName, r.ConfigNames = kind, name, names
	return r
}

// tried remembers whether a broker answered. A silent one is asked again in the next poll, and has
// refused nothing; its silence is a problem of its own.
func (p *poll) tried(b *peer, w configWork, answered bool) {
	for _, a := range configAsks(b, w) {
		p.c.memory.configs[a] = answered
		delete(p.c.memory.refused, a)
	}
}

// configAsks is what a request is about.
func configAsks(b *peer, w configWork) []configAsk {
	asks := make([]configAsk, 0, len(w.topics)+1)
	if w.broker {
		asks = append(asks, configAsk{broker: b.id})
	}
	for _, topic := range w.topics {
		asks = append(asks, configAsk{b.id, topic})
	}
	return asks
}

func (p *poll) applyConfigs(b *peer, r *kmsg.DescribeConfigsResponseResource, at model.Instant) {
	topic := askOf(b, r).topic
	err := kerr.ErrorForCode(r.ErrorCode)
	if err == nil {
		err = p.takeConfigs(b, topic, configValues(r.Configs), at)
	}
	if err == nil {
		return
	}
	p.c.memory.refused[configAsk{b.id, topic}] = err
	if r.ErrorCode == kerr.UnknownTopicOrPartition.Code { // gone, or too new for this broker
		p.c.memory.configs[configAsk{b.id, topic}] = false
		p.c.memory.metadataDue = true
	}
}

func (p *poll) takeConfigs(b *peer, topic string, values configs, at model.Instant) error {
	if topic == "" {
		s, err := values.broker()
		if err == nil {
			p.settings[b.id] = model.ReadAt(s, at)
		}
		return err
	}
	s, err := values.topic()
	if t := p.topics[topic]; t != nil && err == nil {
		t.Settings = maps.Clone(t.Settings)
		if t.Settings == nil {
			t.Settings = map[model.BrokerID]model.Read[model.Settings]{}
		}
		t.Settings[b.id] = model.ReadAt(s, at)
	}
	return err
}

// markUnreadable sets Unreadable where a present leader refused the last attempt, and drops the
// answers of brokers that hold no replica of the topic any more. A silent broker refuses nothing;
// its silence shows in LastAnswer.
func (p *poll) markUnreadable() {
	for _, t := range p.topics {
		t.Unreadable = false
	}
	for id, topics := range p.topicsByLeader() {
		for name := range topics {
			if t := p.topics[name]; t != nil && p.c.memory.refused[configAsk{id, name}] != nil {
				t.Unreadable = true
			}
		}
	}
	p.dropForeignSettings()
}

func (p *poll) dropForeignSettings() {
	holds := map[configAsk]bool{}
	for key, part := range p.parts {
		for _, id := range part.Replicas {
			holds[configAsk{id, key.Topic}] = true
		}
	}
	deleteIf(p.c.memory.refused, func(a configAsk) bool { return a.topic != "" && !holds[a] })
	for name, t := range p.topics {
		foreign := func(id model.BrokerID, _ model.Read[model.Settings]) bool { return !holds[configAsk{id, name}] }
		for id, r := range t.Settings {
			if foreign(id, r) {
				t.Settings = maps.Clone(t.Settings)
				maps.DeleteFunc(t.Settings, foreign)
				break
			}
		}
	}
}
