package kinds

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	kafkatest "kafka-retention-exporter/test/kafka"
)

func readClassic(ctx context.Context, c *kafkatest.Cluster, name string) { readAs(ctx, c, name) }

func readConsumer(ctx context.Context, c *kafkatest.Cluster, name string) {
	readAs(ctx, c, name, kgo.ServerSideBalancer(), kgo.Balancers(kgo.RangeBalancer()))
}

// readAs joins and commits. The member stays as long as the test.
func readAs(ctx context.Context, c *kafkatest.Cluster, name string, opts ...kgo.Opt) {
	cl := c.Client(append(opts, kgo.ConsumerGroup(name), kgo.ConsumeTopics(name), kgo.DisableAutoCommit(), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))...)
	for got := 0; got == 0; c.Must(ctx.Err()) {
		got = cl.PollFetches(ctx).NumRecords()
	}
	member, generation := cl.GroupMetadata()
	commitAs(ctx, c, name, member, generation)
}

// readSimple commits without being a member.
func readSimple(ctx context.Context, c *kafkatest.Cluster, name string) {
	c.Must(c.Commit(ctx, name, name, 0, position))
}

// commitAs commits as a member.
func commitAs(ctx context.Context, c *kafkatest.Cluster, name, member string, generation int32) {
	topics, err := c.Admin().ListTopics(ctx, name)
	c.Must(err)
	req := kmsg.NewPtrOffsetCommitRequest()
	req.Group, req.MemberID, req.Generation = name, member, generation
	one := kmsg.NewOffsetCommitRequestTopicPartition()
	one.Offset = position
	req.Topics = []kmsg.OffsetCommitRequestTopic{{Topic: name, TopicID: topics[name].ID, Partitions: []kmsg.OffsetCommitRequestTopicPartition{one}}}
	answer, err := req.RequestWith(ctx, c.Client())
	c.Must(err)
	c.Must(kerr.ErrorForCode(answer.Topics[0].Partitions[0].ErrorCode))
}

// readShare accepts records up to the position and gives the others back, twice: the start that is
// told trails by a round of acknowledgements.
func readShare(ctx context.Context, c *kafkatest.Cluster, name string) {
	cl := shareMember(ctx, c, name)
	acknowledge(ctx, c, cl, records, position)
	acknowledge(ctx, c, cl, 1, position)
}

// readShareWhole accepts everything and leaves.
func readShareWhole(ctx context.Context, c *kafkatest.Cluster, name string) {
	cl := shareMember(ctx, c, name)
	acknowledge(ctx, c, cl, records, records)
	cl.Close()
}

func shareMember(ctx context.Context, c *kafkatest.Cluster, name string) *kgo.Client {
	earliest := "earliest"
	req := kmsg.NewPtrIncrementalAlterConfigsRequest()
	req.Resources = []kmsg.IncrementalAlterConfigsRequestResource{{
		ResourceType: kmsg.ConfigResourceTypeGroupConfig, ResourceName: name,
		Configs: []kmsg.IncrementalAlterConfigsRequestResourceConfig{{Name: "share.auto.offset.reset", Value: &earliest}},
	}}
	answer, err := req.RequestWith(ctx, c.Client())
	c.Must(err)
	c.Must(kerr.ErrorForCode(answer.Resources[0].ErrorCode))
	return c.Client(kgo.ShareGroup(name), kgo.ConsumeTopics(name))
}

// acknowledge takes so many records at least, accepts those below an offset and releases the others.
func acknowledge(ctx context.Context, c *kafkatest.Cluster, cl *kgo.Client, most int, below int64) {
	for got := 0; got < most; c.Must(ctx.Err()) {
		fetches := cl.PollFetches(ctx)
		fetches.EachRecord(func(r *kgo.Record) {
			if r.Offset < below {
				r.Ack(kgo.AckAccept)
			} else {
				r.Ack(kgo.AckRelease)
			}
		})
		got += fetches.NumRecords()
	}
	c.Must(cl.FlushAcks(ctx))
}
