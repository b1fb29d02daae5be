package compacted

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// Topic is one topic and how far it was read. It is used by one goroutine at a time.
type Topic struct {
	name   string
	client *kgo.Client

	id      [16]byte
	located time.Time // when the leaders were last asked for; zero when they moved
	places  map[int32]*place
}

// place is how far a partition was read.
type place struct {
	leader  int32
	next    int64
	astray  bool // next is not an offset of the log
	current bool // its end was reached once
	done    bool // in the Read under way
}

// Record is what a partition has for a key. Value is nil where it was deleted. Neither may be kept.
type Record struct {
	Partition  int32
	Key, Value []byte
	Stamp      model.Instant
}

// Sink is where records go.
type Sink struct {
	Wanted func(partition int32) bool // which partitions are read; nil for all
	Take   func(Record)
	// Forget is called when what was taken of a partition counts no more: it is read anew, or not
	// wanted any more.
	Forget func(partition int32)
}

// NewTopic prepares to read a topic. The client is the caller's to close.
func NewTopic(client *kgo.Client, name string) *Topic {
	return &Topic{name: name, client: client, places: map[int32]*place{}}
}

// Current tells whether the end of a partition was reached since it was begun to be read.
func (t *Topic) Current(partition int32) bool {
	p := t.places[partition]
	return p != nil && p.current
}

// Complete tells whether that is so of all partitions, of which there are some.
func (t *Topic) Complete() bool {
	for _, p := range t.places {
		if !p.current {
			return false
		}
	}
	return len(t.places) > 0
}

// locateEvery is how often leaders are asked for although nothing says that they moved.
const locateEvery = time.Minute

// Read reads on, until all is read or ctx ends. That it ended on the way is no error; the first thing
// that could not be read is, and the rest is read all the same. A topic that does not exist is empty.
func (t *Topic) Read(ctx context.Context, to Sink) error {
	if time.Since(t.located) > locateEvery {
		if err := t.locate(ctx, to); err != nil {
			return err
		}
	}
	return either(t.choose(to), t.rounds(ctx, to))
}

// Reset forgets all that was read.
func (t *Topic) Reset(to Sink) {
	for partition := range t.places {
		to.Forget(partition)
	}
	t.places, t.located = map[int32]*place{}, time.Time{}
}

// locate asks who leads the partitions. A topic with another id is another one.
func (t *Topic) locate(ctx context.Context, to Sink) error {
	answer, err := t.metadata(ctx)
	if err != nil {
		return fmt.Errorf("find %s: %w", t.name, err)
	}
	if answer.TopicID != t.id {
		t.Reset(to)
		t.id = answer.TopicID
	}
	for _, p := range answer.Partitions {
		at := t.places[p.Partition]
		if at == nil {
			at = &place{}
			t.places[p.Partition] = at
		}
		at.leader = p.Leader
	}
	if len(t.places) > 0 { // else it is looked for again
		t.located = time.Now()
	}
	return nil
}

func (t *Topic) metadata(ctx context.Context) (none kmsg.MetadataResponseTopic, err error) {
	request := kmsg.NewPtrMetadataRequest()
	topic := kmsg.NewMetadataRequestTopic()
	topic.Topic = new(t.name)
	request.Topics = append(request.Topics, topic)
	answer, err := request.RequestWith(ctx, t.client)
	if err != nil {
		return none, err
	}
	for _, found := range answer.Topics {
		if found.Topic == nil || *found.Topic != t.name {
			continue
		}
		if found.ErrorCode == kerr.UnknownTopicOrPartition.Code {
			return none, nil
		}
		return found, kerr.ErrorForCode(found.ErrorCode)
	}
	return none, fmt.Errorf("the answer lacks %s", t.name)
}

// choose lets go of partitions that are not wanted. One that is wanted again is read from its start.
func (t *Topic) choose(to Sink) (err error) {
	for partition, p := range t.places {
		wanted := to.Wanted == nil || to.Wanted(partition)
		p.done = !wanted || p.leader < 0
		switch {
		case !wanted && (p.next > 0 || p.current):
			to.Forget(partition)
			*p = place{leader: p.leader, done: true}
		case wanted && p.leader < 0:
			t.located = time.Time{}
			err = fmt.Errorf("read %s partition %d: %w", t.name, partition, kerr.LeaderNotAvailable)
		}
	}
	return err
}
