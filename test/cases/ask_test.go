package cases_test

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	kafkatest "kafka-retention-exporter/test/kafka"
)

const day = 24 * time.Hour

// stamped is an answer of ListOffsets.
type stamped struct{ offset, stamp int64 }

// ask sends one raw ListOffsets for partition 0 to a broker. It is not tried again: an error is an
// answer here.
func ask(ctx context.Context, cl *kgo.Client, broker int32, replica int32, topic string, at int64) (stamped, error) {
	req := kmsg.NewPtrListOffsetsRequest()
	req.ReplicaID = replica
	one := kmsg.NewListOffsetsRequestTopicPartition()
	one.Timestamp = at
	req.Topics = []kmsg.ListOffsetsRequestTopic{{Topic: topic, Partitions: []kmsg.ListOffsetsRequestTopicPartition{one}}}
	answer, err := cl.Broker(int(broker)).Request(ctx, req)
	if err != nil {
		return stamped{}, err
	}
	p := answer.(*kmsg.ListOffsetsResponse).Topics[0].Partitions[0]
	return stamped{p.Offset, p.Timestamp}, kerr.ErrorForCode(p.ErrorCode)
}

// Special times and replica ids of ListOffsets.
const (
	latest   = -1
	earliest = -2
	youngest = -3

	consumer  = -1
	debugging = -2 // answered by every replica from its own log
)

// fetch reads partition 0 of a topic from one broker at an offset, as a consumer does, and
// returns the error the broker answers with.
func fetch(ctx context.Context, cl *kgo.Client, broker int32, id kafkaID, offset int64) error {
	_, err := fetchFrom(ctx, cl, broker, id, offset, "")
	return err
}

// fetchFrom does the same as a consumer of some rack, and returns the replica that the broker
// sends it to instead, -1 if it serves the records itself.
func fetchFrom(ctx context.Context, cl *kgo.Client, broker int32, id kafkaID, offset int64, rack string) (preferred int32, err error) {
	req := kmsg.NewPtrFetchRequest()
	req.ReplicaID, req.Rack = consumer, rack
	req.MaxBytes, req.MaxWaitMillis = 1<<20, 100
	req.SessionEpoch = -1 // no session
	topic := kmsg.NewFetchRequestTopic()
	topic.Topic, topic.TopicID = id.name, id.id
	one := kmsg.NewFetchRequestTopicPartition()
	one.FetchOffset, one.PartitionMaxBytes, one.CurrentLeaderEpoch = offset, 1<<20, -1
	topic.Partitions = append(topic.Partitions, one)
	req.Topics = append(req.Topics, topic)
	answer, err := cl.Broker(int(broker)).Request(ctx, req)
	if err != nil {
		return -1, err
	}
	fetched := answer.(*kmsg.FetchResponse)
	if len(fetched.Topics) != 1 || len(fetched.Topics[0].Partitions) != 1 {
		return -1, fmt.Errorf("fetch %s: no partition answered, error %d", id.name, fetched.ErrorCode)
	}
	p := fetched.Topics[0].Partitions[0]
	return p.PreferredReadReplica, kerr.ErrorForCode(p.ErrorCode)
}

// kafkaID names a topic in a Fetch: new brokers take the id only.
type kafkaID struct {
	name string
	id   [16]byte
}

func topicID(ctx context.Context, c *kafkatest.Cluster, topic string) kafkaID {
	topics, err := c.Admin().ListTopics(ctx, topic)
	c.Must(err)
	return kafkaID{topic, topics[topic].ID}
}

// fill appends records stamped now, one a batch.
func fill(ctx context.Context, c *kafkatest.Cluster, topic string, records int) {
	for range records {
		_, err := c.Produce(ctx, topic, 0, 10, time.Now())
		c.Must(err)
	}
}

// movedTo waits until the log start of a topic stands at an offset, and returns that move.
func movedTo(ctx context.Context, c *kafkatest.Cluster, truth *kafkatest.Truth, topic string, offset int64) kafkatest.Change {
	change, err := truth.AwaitChange(ctx, kafkatest.Key{Topic: topic}, func(m kafkatest.Change) bool { return m.To == offset })
	c.Must(err)
	return change
}
