package collector

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// The special times of ListOffsets (broker.md 7.5).
const (
	timeLatest     = -1 // high watermark
	timeEarliest   = -2 // log start offset
	timeLocalStart = -4 // local log start offset of tiered storage, version 8
)

const missingPartitions = "the answer lacks partitions that were asked for"

// Replica ids of ListOffsets: a consumer is answered by leaders only, the debugging consumer by
// every replica from its own log.
const (
	replicaConsumer  = -1
	replicaDebugging = -2
)

// offsetAsk asks for the first offset at a time, or one of the special times.
type offsetAsk struct {
	key model.PartitionKey
	at  int64
}

// offsetAnswer is what a broker said about a partition, if error is 0.
type offsetAnswer struct {
	key    model.PartitionKey
	broker model.BrokerID
	error  int16
	offset int64
	stamp  int64
	read   model.Instant
}

// offsetWork is one ListOffsets request. A partition must not be in it twice: the broker answers
// INVALID_REQUEST for both.
type offsetWork struct {
	replica int32
	asks    []offsetAsk
}

// askOffsets sends one ListOffsets to one broker.
func askOffsets(ctx context.Context, b *peer, now func() model.Instant, w offsetWork) ([]offsetAnswer, error) {
	request := kmsg.NewPtrListOffsetsRequest()
	request.ReplicaID = w.replica
	// Used by brokers only where the answer lies in remote storage (KIP-1075).
	request.TimeoutMillis = int32(b.left.Milliseconds())
	index := map[string]int{}
	for _, a := range w.asks {
		i, have := index[a.key.Topic]
		if !have {
			i = len(request.Topics)
			index[a.key.Topic] = i
			topic := kmsg.NewListOffsetsRequestTopic()
			topic.Topic = a.key.Topic
			request.Topics = append(request.Topics, topic)
		}
		one := kmsg.NewListOffsetsRequestTopicPartition()
		one.Partition, one.Timestamp = a.key.Partition, a.at
		request.Topics[i].Partitions = append(request.Topics[i].Partitions, one)
	}
	answer, at, err := ask[*kmsg.ListOffsetsResponse](ctx, b, now, request)
	if err != nil {
		return nil, err
	}
	return offsetAnswers(answer, b.id, at), nil
}

func offsetAnswers(answer *kmsg.ListOffsetsResponse, broker model.BrokerID, at model.Instant) []offsetAnswer {
	n := 0
	for i := range answer.Topics {
		n += len(answer.Topics[i].Partitions)
	}
	out := make([]offsetAnswer, 0, n)
	for _, t := range answer.Topics {
		for _, one := range t.Partitions {
			out = append(out, offsetAnswer{
				key:    model.PartitionKey{Topic: t.Topic, Partition: one.Partition},
				broker: broker, error: one.ErrorCode, offset: one.Offset, stamp: one.Timestamp, read: at,
			})
		}
	}
	return out
}

// askLeaders asks the leader of every partition in asks, one request per leader, and applies the
// good answers. What a moved leader or a deleted topic spoiled is asked once more after new
// metadata; what an election in progress spoiled (KIP-207) is asked once more as it is. The rest
// becomes problems of the stage.
func (p *poll) askLeaders(stage model.Stage, asks []offsetAsk, apply func(*model.Partition, offsetAnswer)) {
	failed := p.askLeadersOnce(stage, asks, apply)
	if len(failed) == 0 {
		return
	}
	var again []offsetAsk
	refresh := false
	wanted := map[model.PartitionKey]int64{}
	for _, a := range asks {
		wanted[a.key] = a.at
	}
	for _, f := range failed {
		if r := retryFor(f.error); r != retryNever {
			again = append(again, offsetAsk{f.key, wanted[f.key]})
			refresh = refresh || r == retryMoved
			continue
		}
		p.offsetProblem(stage, f)
	}
	if refresh {
		p.readMetadata()
	}
	for _, f := range p.askLeadersOnce(stage, again, apply) {
		p.offsetProblem(stage, f)
	}
}

// offsetProblem records a partition's error and what it says about the topic and its leader.
func (p *poll) offsetProblem(stage model.Stage, a offsetAnswer) {
	if retryFor(a.error) == retryMoved {
		p.c.memory.metadataDue = true
	}
	if p.parts[a.key] == nil {
		return // the new metadata explained it: the topic is gone
	}
	p.problems.addCode(stage, a.error, about{broker: p.peers[a.broker], topic: a.key.Topic})
}

// askLeadersOnce sends one round and returns the answers that are errors.
func (p *poll) askLeadersOnce(stage model.Stage, asks []offsetAsk, apply func(*model.Partition, offsetAnswer)) (failed []offsetAnswer) {
	work, leaderless := p.byLeader(asks)
	if leaderless > 0 {
		p.leaderless[stage] += leaderless
	}
	for _, o := range fanOut(p, work, askOffsets) {
		if o.err != nil {
			p.problems.add(stage, o.err, about{broker: o.peer, topic: o.work.asks[0].key.Topic, count: len(o.work.asks)})
			continue
		}
		answered := 0
		for _, a := range o.result {
			part := p.parts[a.key]
			if part == nil {
				continue
			}
			answered++
			p.note(a)
			if a.error != 0 {
				failed = append(failed, a)
				continue
			}
			apply(part, a)
		}
		if missing := len(o.work.asks) - answered; missing > 0 {
			p.problems.addCause(stage, causeMissing, missingPartitions, about{broker: o.peer, count: missing})
		}
	}
	return failed
}

// note remembers what an answer says about whether the topic exists and may be seen.
func (p *poll) note(a offsetAnswer) {
	switch a.error {
	case 0:
		delete(p.c.memory.forbidden, a.key.Topic)
	case kerr.TopicAuthorizationFailed.Code:
		p.c.memory.forbidden[a.key.Topic] = true
	case kerr.UnknownTopicOrPartition.Code:
		p.unknownTopic[a.key.Topic] = true
	}
}

// probe is a round of questions beside the regular ones of the same poll. Its errors are left to
// those: what fails here fails there too.
func (p *poll) probe(asks []offsetAsk) map[model.PartitionKey]model.Offset {
	found := map[model.PartitionKey]model.Offset{}
	work, _ := p.byLeader(asks)
	for _, o := range fanOut(p, work, askOffsets) {
		for _, a := range o.result {
			if a.error == 0 {
				found[a.key] = model.Offset(a.offset)
			}
		}
	}
	return found
}

// byLeader makes one request per leader, and counts the partitions that have none to ask.
func (p *poll) byLeader(asks []offsetAsk) (work map[model.BrokerID]offsetWork, leaderless int) {
	work = map[model.BrokerID]offsetWork{}
	for _, a := range asks {
		part := p.parts[a.key]
		if part == nil {
			continue
		}
		if !p.online(part) {
			leaderless++
			continue
		}
		w, begun := work[part.Leader]
		if !begun { // leaders have about as many each
			w.asks = make([]offsetAsk, 0, len(asks)/max(1, len(p.peers))+1)
		}
		w.replica = replicaConsumer
		w.asks = append(w.asks, a)
		work[part.Leader] = w
	}
	return work, leaderless
}

// online tells whether a partition has a leader that metadata still lists.
func (p *poll) online(part *model.Partition) bool {
	_, listed := p.peers[part.Leader]
	return part.LeaderKnown && listed
}

// allAt asks the same of every watched partition.
func (p *poll) allAt(at int64) iter.Seq[offsetAsk] {
	return func(yield func(offsetAsk) bool) {
		for _, key := range p.sortedKeys() {
			if !yield(offsetAsk{key, at}) {
				return
			}
		}
	}
}

// sortedKeys is every watched partition in order, sorted again only after partitions changed.
func (p *poll) sortedKeys() []model.PartitionKey {
	if p.keys == nil {
		p.keys = slices.AppendSeq(make([]model.PartitionKey, 0, len(p.parts)), maps.Keys(p.parts))
		slices.SortFunc(p.keys, model.PartitionKey.Compare)
	}
	return p.keys
}
