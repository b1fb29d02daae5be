package fakebroker

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// CreateTopic creates a topic. Its settings rule the model's passes as they would a broker's.
func (c *Cluster) CreateTopic(ctx context.Context, topic string, partitions int32, configs map[string]string) error {
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer c.gate.leave()
	if err := c.fake.CreateTopic(topic, partitions, configs); err != nil {
		return fmt.Errorf("create topic %s: %w", topic, err)
	}
	return c.followTopic(ctx, topic)
}

// DeleteTopic deletes a topic, and with it what groups have committed there.
func (c *Cluster) DeleteTopic(ctx context.Context, topic string) error {
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer c.gate.leave()
	if err := c.fake.DeleteTopic(topic); err != nil {
		return fmt.Errorf("delete topic %s: %w", topic, err)
	}
	return nil
}

// Produce appends the records as one batch to the leader's log and returns the offset of the
// first. Records may have any stamps; at least one record is needed.
func (c *Cluster) Produce(ctx context.Context, topic string, partition int32, records ...Record) (first model.Offset, err error) {
	if err := c.enter(ctx); err != nil {
		return 0, err
	}
	defer c.gate.leave()
	if first, err = c.append(ctx, topic, partition, encode(records)); err != nil {
		return 0, fmt.Errorf("produce to %s/%d: %w", topic, partition, err)
	}
	return first, c.followTopic(ctx, topic)
}

func (c *Cluster) append(ctx context.Context, topic string, partition int32, batch []byte) (model.Offset, error) {
	about, at := c.fake.TopicInfo(topic), c.fake.PartitionInfo(topic, partition)
	if about == nil || at == nil {
		return 0, errNoPartition
	}
	p := kmsg.NewProduceRequestTopicPartition()
	p.Partition, p.Records = partition, batch
	t := kmsg.NewProduceRequestTopic()
	t.Topic, t.TopicID, t.Partitions = topic, about.TopicID, append(t.Partitions, p)
	request := kmsg.NewPtrProduceRequest()
	request.Acks, request.Topics = -1, append(request.Topics, t)
	answer, err := c.client.Broker(int(at.Leader)).Request(ctx, request)
	if err != nil {
		return 0, err
	}
	for _, t := range answer.(*kmsg.ProduceResponse).Topics {
		for _, p := range t.Partitions {
			return model.Offset(p.BaseOffset), kerr.ErrorForCode(p.ErrorCode)
		}
	}
	return 0, errNoPartition
}

// Commit commits an offset as a client without a membership does.
func (c *Cluster) Commit(ctx context.Context, group, topic string, partition int32, o model.Offset) error {
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: topic, Partition: partition, At: int64(o), LeaderEpoch: -1})
	if err := c.admin.CommitAllOffsets(ctx, group, offsets); err != nil {
		return fmt.Errorf("commit %d of %s/%d for %s: %w", o, topic, partition, group, err)
	}
	return nil
}

// DeleteRecords moves a log start as the request of that name does: at once, within a segment
// too, and without changing the log's size. -1 is the high watermark.
func (c *Cluster) DeleteRecords(ctx context.Context, topic string, partition int32, before model.Offset) error {
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer c.gate.leave()
	if err := c.followTopic(ctx, topic); err != nil {
		return err
	}
	key := model.PartitionKey{Topic: topic, Partition: partition}
	r := c.logs[key]
	if r == nil {
		return fmt.Errorf("delete records of %s/%d: %w", topic, partition, errNoPartition)
	}
	from := r.log.Start()
	if err := r.log.DeleteRecords(before); err != nil {
		return err
	}
	if r.log.Start() == from {
		return nil
	}
	return c.raise(key, r, Change{From: from, To: r.log.Start(), At: model.InstantOf(time.Now())})
}
