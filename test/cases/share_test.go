package cases_test

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// shareBehind has a share group at 100 when the log start moves to 150 and the end is 200. Its
// share.auto.offset.reset is latest, and counts only for a group without a position. The position
// that is described trails by one round of acknowledgements.
func shareBehind(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(2 * time.Minute)
	const group, topic = "sharers", "shared"
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: topic}))
	setReset(ctx, c, group, "earliest")
	fill(ctx, c, topic, 100)
	first := shareMember(c, group, topic)
	if at := acknowledge(ctx, c, first, 100, kgo.AckAccept); at != 0 {
		t.Fatalf("the first record delivered is %d", at)
	}
	fill(ctx, c, topic, 1)
	acknowledge(ctx, c, first, 1, kgo.AckRelease)
	first.Close()
	awaitShareStart(ctx, t, c, group, topic, 100)
	setReset(ctx, c, group, "latest")
	fill(ctx, c, topic, 99)
	c.Must(c.DeleteRecords(ctx, topic, 0, 150))
	if got := shareStart(ctx, c, group, topic); got != 100 {
		t.Errorf("described at %d before anybody asked for records", got)
	}
	second := shareMember(c, group, topic)
	if at := acknowledge(ctx, c, second, 50, kgo.AckAccept); at != 150 {
		t.Errorf("it goes on at %d, want 150", at)
	}
	awaitShareStart(ctx, t, c, group, topic, 150)
}

func setReset(ctx context.Context, c *kafkatest.Cluster, group, reset string) {
	req := kmsg.NewPtrIncrementalAlterConfigsRequest()
	req.Resources = []kmsg.IncrementalAlterConfigsRequestResource{{
		ResourceType: kmsg.ConfigResourceTypeGroupConfig, ResourceName: group,
		Configs: []kmsg.IncrementalAlterConfigsRequestResourceConfig{{Name: "share.auto.offset.reset", Value: &reset}},
	}}
	answer, err := req.RequestWith(ctx, c.Client())
	c.Must(err)
	c.Must(kerr.ErrorForCode(answer.Resources[0].ErrorCode))
}

func shareMember(c *kafkatest.Cluster, group, topic string) *kgo.Client {
	return c.Client(kgo.ShareGroup(group), kgo.ConsumeTopics(topic))
}

// acknowledge reads that many records, says one thing of all of them, and returns the offset of
// the first.
func acknowledge(ctx context.Context, c *kafkatest.Cluster, cl *kgo.Client, records int, how kgo.AckStatus) (first int64) {
	first = -1
	for got := 0; got < records; c.Must(ctx.Err()) {
		fetches := cl.PollFetches(ctx)
		fetches.EachRecord(func(r *kgo.Record) {
			if first < 0 {
				first = r.Offset
			}
			r.Ack(how)
		})
		got += fetches.NumRecords()
	}
	c.Must(cl.FlushAcks(ctx))
	return first
}

func shareStart(ctx context.Context, c *kafkatest.Cluster, group, topic string) int64 {
	described, err := c.Admin().DescribeShareGroupOffsets(ctx, group)
	c.Must(err)
	one, ok := described[group].Offsets.Lookup(topic, 0)
	if !ok {
		return -1
	}
	return one.StartOffset
}

// awaitShareStart waits for a position, at the least, to be persisted.
func awaitShareStart(ctx context.Context, t *testing.T, c *kafkatest.Cluster, group, topic string, want int64) {
	t.Helper()
	got := int64(-1)
	for ctx.Err() == nil {
		if got = shareStart(ctx, c, group, topic); got >= want {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Fatalf("the share group is described at %d, want %d", got, want)
}
