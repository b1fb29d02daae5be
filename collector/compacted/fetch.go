package compacted

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// What spares brokers: with the pause, a topic is read at no more than some 20 MiB a second of each.
const (
	maxBytes          = 1 << 20 // of an answer; a broker exceeds it only for a single batch
	maxPartitionBytes = 256 << 10
	pause             = 50 * time.Millisecond
)

// rounds ask every leader for what it has, until none has more.
func (t *Topic) rounds(ctx context.Context, to Sink) (first error) {
	progress := false
	for round := 0; ; round++ {
		if err := t.findStarts(ctx); err != nil {
			first = either(first, err)
		}
		work := t.work()
		if len(work) == 0 {
			return first
		}
		if round > 0 {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return first
			}
		}
		for _, a := range t.ask(ctx, work) {
			moved, err := t.apply(a, to)
			progress = progress || moved
			if errors.Is(err, context.DeadlineExceeded) && progress {
				err = nil // there is more than one Read can take
			}
			first = either(first, err)
		}
	}
}

// either is the first of two errors.
func either(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// work sorts partitions that are not read to their end under their leaders.
func (t *Topic) work() map[int32][]int32 {
	work := map[int32][]int32{}
	for partition, p := range t.places {
		if !p.done {
			work[p.leader] = append(work[p.leader], partition)
		}
	}
	return work
}

// answer is what one leader said about its partitions.
type answer struct {
	asked    []int32
	response *kmsg.FetchResponse
	err      error
}

// ask sends one request to each leader and waits for all of them.
func (t *Topic) ask(ctx context.Context, work map[int32][]int32) []answer {
	var running sync.WaitGroup
	answers := make([]answer, 0, len(work))
	for leader, partitions := range work {
		answers = append(answers, answer{asked: partitions})
		a, request := &answers[len(answers)-1], t.fetch(partitions)
		running.Go(func() {
			response, err := t.client.Broker(int(leader)).RetriableRequest(ctx, request)
			a.response, _ = response.(*kmsg.FetchResponse)
			a.err = err
		})
	}
	running.Wait()
	return answers
}

// fetch asks for what is committed, now and without a session.
func (t *Topic) fetch(partitions []int32) *kmsg.FetchRequest {
	request := kmsg.NewPtrFetchRequest()
	request.ReplicaID, request.SessionEpoch = -1, -1
	request.MaxBytes, request.IsolationLevel = maxBytes, 1
	topic := kmsg.NewFetchRequestTopic()
	topic.Topic, topic.TopicID = t.name, t.id
	for _, partition := range partitions { // in the order of a map: the last ones may get nothing
		p := kmsg.NewFetchRequestTopicPartition()
		p.Partition, p.FetchOffset, p.PartitionMaxBytes = partition, t.places[partition].next, maxPartitionBytes
		topic.Partitions = append(topic.Partitions, p)
	}
	request.Topics = append(request.Topics, topic)
	return request
}

// apply takes in one answer. What failed is not asked again in this Read.
func (t *Topic) apply(a answer, to Sink) (moved bool, first error) {
	if a.err == nil && a.response != nil {
		a.err = kerr.ErrorForCode(a.response.ErrorCode)
	}
	if a.err != nil {
		for _, partition := range a.asked {
			t.places[partition].done = true
		}
		t.located = time.Time{}
		return false, fmt.Errorf("read %s: %w", t.name, a.err)
	}
	answered := map[int32]bool{}
	for i := range a.response.Topics {
		for k := range a.response.Topics[i].Partitions {
			one := &a.response.Topics[i].Partitions[k]
			if p := t.places[one.Partition]; p != nil {
				answered[one.Partition] = true
				before := p.next
				err := t.takeIn(p, one, to)
				moved = moved || p.next != before
				first = either(first, err)
			}
		}
	}
	for _, partition := range a.asked {
		if !answered[partition] {
			t.places[partition].done = true
			first = either(first, fmt.Errorf("read %s: the answer lacks partition %d", t.name, partition))
		}
	}
	return moved, first
}

// takeIn hands over the records of a partition and goes on behind them.
func (t *Topic) takeIn(p *place, one *kmsg.FetchResponseTopicPartition, to Sink) error {
	if one.ErrorCode == kerr.OffsetOutOfRange.Code {
		to.Forget(one.Partition)
		*p = place{leader: p.leader, astray: true}
		return nil
	}
	read, next := kgo.ProcessFetchPartition(kgo.ProcessFetchPartitionOpts{
		Offset: p.next, IsolationLevel: kgo.ReadCommitted(), Topic: t.name, Partition: one.Partition,
	}, one, kgo.DefaultDecompressor(), nil)
	for _, r := range read.Records {
		to.Take(Record{Partition: one.Partition, Key: r.Key, Value: r.Value, Stamp: model.InstantOf(r.Timestamp)})
	}
	p.next = max(p.next, next)
	switch {
	case read.Err != nil:
		p.done = true
		if one.ErrorCode != 0 {
			t.located = time.Time{}
		}
		return fmt.Errorf("read %s partition %d: %w", t.name, one.Partition, read.Err)
	case p.next >= read.LastStableOffset:
		p.done, p.current = true, true
	}
	return nil
}

// findStarts asks where the logs begin of which our place is no part, because what was before was
// deleted or the log was cut.
func (t *Topic) findStarts(ctx context.Context) error {
	request := kmsg.NewPtrListOffsetsRequest()
	topic := kmsg.NewListOffsetsRequestTopic()
	topic.Topic = t.name
	for partition, p := range t.places {
		if p.astray && !p.done {
			one := kmsg.NewListOffsetsRequestTopicPartition()
			one.Partition, one.Timestamp = partition, -2
			topic.Partitions = append(topic.Partitions, one)
			p.done = true // until it is known
		}
	}
	if len(topic.Partitions) == 0 {
		return nil
	}
	request.ReplicaID = -1
	request.Topics = append(request.Topics, topic)
	answer, err := request.RequestWith(ctx, t.client)
	if err != nil {
		return fmt.Errorf("find the start of %s: %w", t.name, err)
	}
	for _, found := range answer.Topics {
		for _, one := range found.Partitions {
			if p := t.places[one.Partition]; p != nil && one.ErrorCode == 0 && one.Offset >= 0 {
				p.next, p.astray, p.done = one.Offset, false, false
			} else if one.ErrorCode != 0 {
				err = either(err, fmt.Errorf("find the start of %s: %w", t.name, kerr.ErrorForCode(one.ErrorCode)))
			}
		}
	}
	return err
}
