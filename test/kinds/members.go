package kinds

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// Stand is where a group is to stand: on partition 0 of a topic that holds so many records from
// offset 0 on.
type Stand struct {
	Group, Topic string
	Position     int64
	Records      int
}

// Classic joins, commits, and stays as long as the test, as the following do.
func Classic(ctx context.Context, c *kafkatest.Cluster, s Stand) { s.member(ctx, c) }

// Consumer does so in a group of KIP-848.
func Consumer(ctx context.Context, c *kafkatest.Cluster, s Stand) {
	s.member(ctx, c, kgo.ServerSideBalancer(), kgo.Balancers(kgo.RangeBalancer()))
}

func (s Stand) member(ctx context.Context, c *kafkatest.Cluster, opts ...kgo.Opt) {
	cl := c.Client(append(opts, kgo.ConsumerGroup(s.Group), kgo.ConsumeTopics(s.Topic), kgo.DisableAutoCommit(), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))...)
	for got := 0; got == 0; c.Must(ctx.Err()) {
		got = cl.PollFetches(ctx).NumRecords()
	}
	member, generation := cl.GroupMetadata()
	s.commit(ctx, c, member, generation)
}

// Simple commits without being a member.
func Simple(ctx context.Context, c *kafkatest.Cluster, s Stand) {
	c.Must(c.Commit(ctx, s.Group, s.Topic, 0, s.Position))
}

// commit commits as a member.
func (s Stand) commit(ctx context.Context, c *kafkatest.Cluster, member string, generation int32) {
	topics, err := c.Admin().ListTopics(ctx, s.Topic)
	c.Must(err)
	req := kmsg.NewPtrOffsetCommitRequest()
	req.Group, req.MemberID, req.Generation = s.Group, member, generation
	one := kmsg.NewOffsetCommitRequestTopicPartition()
	one.Offset = s.Position
	req.Topics = []kmsg.OffsetCommitRequestTopic{{Topic: s.Topic, TopicID: topics[s.Topic].ID, Partitions: []kmsg.OffsetCommitRequestTopicPartition{one}}}
	answer, err := req.RequestWith(ctx, c.Client())
	c.Must(err)
	c.Must(kerr.ErrorForCode(answer.Topics[0].Partitions[0].ErrorCode))
}

// Share accepts records up to the position and gives the others back, twice: the start that is
// told trails by a round of acknowledgements.
func Share(ctx context.Context, c *kafkatest.Cluster, s Stand) {
	cl := s.sharing(ctx, c)
	acknowledge(ctx, c, cl, s.Records, s.Position)
	acknowledge(ctx, c, cl, 1, s.Position)
}

// ShareWhole accepts everything and leaves.
func ShareWhole(ctx context.Context, c *kafkatest.Cluster, s Stand) {
	cl := s.sharing(ctx, c)
	acknowledge(ctx, c, cl, s.Records, int64(s.Records))
	cl.Close()
}

func (s Stand) sharing(ctx context.Context, c *kafkatest.Cluster) *kgo.Client {
	earliest := "earliest"
	req := kmsg.NewPtrIncrementalAlterConfigsRequest()
	req.Resources = []kmsg.IncrementalAlterConfigsRequestResource{{
		ResourceType: kmsg.ConfigResourceTypeGroupConfig, ResourceName: s.Group,
		Configs: []kmsg.IncrementalAlterConfigsRequestResourceConfig{{Name: "share.auto.offset.reset", Value: &earliest}},
	}}
	answer, err := req.RequestWith(ctx, c.Client())
	c.Must(err)
	c.Must(kerr.ErrorForCode(answer.Resources[0].ErrorCode))
	return c.Client(kgo.ShareGroup(s.Group), kgo.ConsumeTopics(s.Topic))
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
