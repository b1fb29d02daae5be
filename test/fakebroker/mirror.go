package fakebroker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

var errNoPartition = errors.New("no such partition")

// replica is one partition as the model has it. It follows the cluster: whoever produced a
// batch, it is read back from the log and appended to the model.
type replica struct {
	id      [16]byte // of the topic
	leader  int32
	log     *model.Log
	changes []Change
}

// followAll brings the model of every topic up to what the cluster has.
func (c *Cluster) followAll(ctx context.Context) error {
	topics, err := c.admin.ListTopicsWithInternal(ctx)
	if err != nil {
		return fmt.Errorf("list topics: %w", err)
	}
	for key := range c.logs {
		if _, ok := topics[key.Topic]; !ok {
			delete(c.logs, key)
		}
	}
	for topic := range topics {
		if err := c.followTopic(ctx, topic); err != nil {
			return err
		}
	}
	return nil
}

// followTopic does it for one topic. A topic that is gone has no logs.
func (c *Cluster) followTopic(ctx context.Context, topic string) error {
	about := c.fake.TopicInfo(topic)
	if about == nil {
		return nil
	}
	settings, err := settingsOf(c.resolve(about.Configs))
	if err != nil {
		return fmt.Errorf("read settings of %s: %w", topic, err)
	}
	for _, at := range c.fake.PartitionInfos(topic) {
		key := model.PartitionKey{Topic: topic, Partition: at.Partition}
		r := c.logs[key]
		if r == nil || r.id != about.TopicID {
			r = &replica{id: about.TopicID, log: model.NewLog(settings, model.InstantOf(time.Now()))}
			c.logs[key] = r
		}
		r.leader = at.Leader
		r.log.Configure(settings)
		if err := c.follow(ctx, key, r, at); err != nil {
			return fmt.Errorf("follow %s/%d: %w", topic, at.Partition, err)
		}
	}
	return nil
}

// follow appends what is new and takes over a log start that a DeleteRecords request moved.
func (c *Cluster) follow(ctx context.Context, key model.PartitionKey, r *replica, at *kfake.PartitionInfo) error {
	start, end := model.Offset(at.LogStartOffset), model.Offset(at.HighWatermark)
	for r.log.End() < end {
		before := r.log.End()
		batches, err := c.fetch(ctx, key, r.id, at.Leader, max(before, start))
		if err != nil {
			return err
		}
		for _, b := range batches {
			if err := r.log.Append(model.InstantOf(time.Now()), b); err != nil {
				return err
			}
		}
		if r.log.End() == before {
			break // deleted up to the end in the meantime, or moved: the next time finds out
		}
	}
	r.log.SetHighWatermark(r.log.End())
	if from := r.log.Start(); start > from && start <= r.log.HighWatermark() {
		if err := r.log.RaiseStart(start); err != nil {
			return err
		}
		r.changes = append(r.changes, Change{From: from, To: start, At: model.InstantOf(time.Now())})
	}
	return nil
}

// fetch reads the batches from an offset on, as a consumer does.
func (c *Cluster) fetch(ctx context.Context, key model.PartitionKey, id [16]byte, leader int32, from model.Offset) ([]model.Batch, error) {
	const most = 16 << 20
	p := kmsg.NewFetchRequestTopicPartition()
	p.Partition, p.FetchOffset, p.PartitionMaxBytes = key.Partition, int64(from), most
	topic := kmsg.NewFetchRequestTopic()
	topic.Topic, topic.TopicID, topic.Partitions = key.Topic, id, append(topic.Partitions, p)
	request := kmsg.NewPtrFetchRequest()
	request.MaxBytes, request.Topics = most, append(request.Topics, topic)
	request.SessionEpoch = -1 // no session: every answer is whole
	answer, err := c.client.Broker(int(leader)).RetriableRequest(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	response := answer.(*kmsg.FetchResponse)
	if err := kerr.ErrorForCode(response.ErrorCode); err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	var batches []model.Batch
	for _, t := range response.Topics {
		for _, p := range t.Partitions {
			if err := kerr.ErrorForCode(p.ErrorCode); err != nil {
				return nil, fmt.Errorf("fetch: %w", err)
			}
			batches = append(batches, decode(p.RecordBatches)...)
		}
	}
	return batches, nil
}
