package kafka

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Topic is a topic to be made.
type Topic struct {
	Name       string
	Partitions int32             // 0 is 1
	Replicas   int16             // 0 is 1
	Configs    map[string]string // internal.segment.bytes is among the legal ones since 4.1
}

// CreateTopic makes a topic and waits until all its partitions have leaders.
func (o *Ops) CreateTopic(ctx context.Context, t Topic) error {
	t.Partitions, t.Replicas = max(1, t.Partitions), max(1, t.Replicas)
	configs := map[string]*string{}
	for k, v := range t.Configs {
		configs[k] = new(v)
	}
	if _, err := o.admin.CreateTopic(ctx, t.Partitions, t.Replicas, configs, t.Name); err != nil {
		return fmt.Errorf("create topic %s: %w", t.Name, err)
	}
	return o.AwaitLeaders(ctx, t.Name, t.Partitions)
}

// DeleteTopic removes a topic and waits until it is no longer listed.
func (o *Ops) DeleteTopic(ctx context.Context, topic string) error {
	if _, err := o.admin.DeleteTopic(ctx, topic); err != nil {
		return fmt.Errorf("delete topic %s: %w", topic, err)
	}
	err := await(ctx, "topic "+topic+" to be gone", func(ctx context.Context) (bool, error) {
		_, err := o.topic(ctx, topic)
		return errors.Is(err, kerr.UnknownTopicOrPartition), err
	})
	o.client.PurgeTopicsFromProducing(topic) // a later topic of the same name has another id
	return err
}

// AlterTopic sets topic settings and removes the overrides named in unset. Brokers apply it at their
// next pass after they have heard of it.
func (o *Ops) AlterTopic(ctx context.Context, topic string, set map[string]string, unset ...string) error {
	var changes []kadm.AlterConfig
	for k, v := range set {
		changes = append(changes, kadm.AlterConfig{Op: kadm.SetConfig, Name: k, Value: new(v)})
	}
	for _, k := range unset {
		changes = append(changes, kadm.AlterConfig{Op: kadm.DeleteConfig, Name: k})
	}
	responses, err := o.admin.AlterTopicConfigs(ctx, changes, topic)
	if err == nil {
		_, err = responses.On(topic, func(r *kadm.AlterConfigsResponse) error { return r.Err })
	}
	if err != nil {
		return fmt.Errorf("alter topic %s: %w", topic, err)
	}
	return nil
}

// DeleteRecords raises a partition's log start to an offset, as the API of that name does.
func (o *Ops) DeleteRecords(ctx context.Context, topic string, partition int32, before int64) error {
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: topic, Partition: partition, At: before})
	responses, err := o.admin.DeleteRecords(ctx, offsets)
	if err == nil {
		err = responses.Error()
	}
	if err != nil {
		return fmt.Errorf("delete records of %s/%d before %d: %w", topic, partition, before, err)
	}
	return nil
}

// AwaitLeaders waits until a topic has that many partitions and each has a leader.
func (o *Ops) AwaitLeaders(ctx context.Context, topic string, partitions int32) error {
	return await(ctx, "leaders of "+topic, func(ctx context.Context) (bool, error) {
		t, err := o.topic(ctx, topic)
		if err != nil {
			return false, err
		}
		led := int32(0)
		for _, p := range t.Partitions {
			if p.ErrorCode == 0 && p.Leader >= 0 {
				led++
			}
		}
		return led >= partitions, fmt.Errorf("%d of %d partitions have leaders", led, partitions)
	})
}

// AwaitLeader waits until the leader of a partition satisfies a condition and returns it. It hears of
// a change when any live broker does.
func (o *Ops) AwaitLeader(ctx context.Context, topic string, partition int32, ok func(leader int32) bool) (leader int32, err error) {
	err = await(ctx, fmt.Sprintf("leader of %s/%d", topic, partition), func(ctx context.Context) (bool, error) {
		p, err := o.partition(ctx, topic, partition)
		if err != nil {
			return false, err
		}
		leader = p.Leader
		return leader >= 0 && ok(leader), fmt.Errorf("leader is %d", leader)
	})
	return leader, err
}

// MoveLeader makes another in-sync replica the leader, by putting it first and electing the preferred one.
func (o *Ops) MoveLeader(ctx context.Context, topic string, partition int32, to int32) error {
	var p kmsg.MetadataResponseTopicPartition
	err := await(ctx, fmt.Sprintf("replicas of %s/%d", topic, partition), func(ctx context.Context) (done bool, err error) {
		p, err = o.partition(ctx, topic, partition) // a broker may not have heard of a new topic yet
		return err == nil, err
	})
	if err != nil {
		return fmt.Errorf("move leader of %s/%d: %w", topic, partition, err)
	}
	order := []int32{to}
	for _, r := range p.Replicas {
		if r != to {
			order = append(order, r)
		}
	}
	if len(order) != len(p.Replicas) {
		return fmt.Errorf("move leader of %s/%d: broker %d is not among replicas %v", topic, partition, to, p.Replicas)
	}
	var req kadm.AlterPartitionAssignmentsReq
	req.Assign(topic, partition, order)
	if responses, err := o.admin.AlterPartitionAssignments(ctx, req); err != nil {
		return fmt.Errorf("move leader of %s/%d: %w", topic, partition, err)
	} else if err := responses.Error(); err != nil {
		return fmt.Errorf("move leader of %s/%d: %w", topic, partition, err)
	}
	set := kadm.TopicsSet{}
	set.Add(topic, partition)
	return await(ctx, fmt.Sprintf("broker %d to lead %s/%d", to, topic, partition), func(ctx context.Context) (bool, error) {
		if p, err := o.partition(ctx, topic, partition); err == nil && p.Leader == to {
			return true, nil
		}
		_, err := o.admin.ElectLeaders(ctx, kadm.ElectPreferredReplica, set)
		return false, err
	})
}

// topic asks for a topic's metadata, past every cache.
func (o *Ops) topic(ctx context.Context, name string) (kmsg.MetadataResponseTopic, error) {
	req := kmsg.NewPtrMetadataRequest()
	t := kmsg.NewMetadataRequestTopic()
	t.Topic = new(name)
	req.Topics = append(req.Topics, t)
	resp, err := req.RequestWith(ctx, o.client)
	if err != nil {
		return kmsg.MetadataResponseTopic{}, err
	}
	if len(resp.Topics) != 1 {
		return kmsg.MetadataResponseTopic{}, fmt.Errorf("asked for one topic, %d answered", len(resp.Topics))
	}
	return resp.Topics[0], kerr.ErrorForCode(resp.Topics[0].ErrorCode)
}

// partition asks for one partition's metadata.
func (o *Ops) partition(ctx context.Context, topic string, partition int32) (kmsg.MetadataResponseTopicPartition, error) {
	t, err := o.topic(ctx, topic)
	if err != nil {
		return kmsg.MetadataResponseTopicPartition{}, err
	}
	for _, p := range t.Partitions {
		if p.Partition == partition {
			return p, nil
		}
	}
	return kmsg.MetadataResponseTopicPartition{}, fmt.Errorf("topic %s has no partition %d", topic, partition)
}
