package cases_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/watch"
)

// expiry is offsets.retention.minutes of the broker; it sweeps every second. Kafka's defaults are
// seven days and ten minutes.
const expiry = time.Minute

// groupCases are the clocks by which committed offsets expire.
func groupCases(t *testing.T, c *kafkatest.Cluster) {
	t.Run("case 68: a classic group's offsets expire by when it lost its members", func(t *testing.T) { parallel(t, c, classicLeft) })
	t.Run("case 69: a consumer group's by their commits, at once when the last member leaves", func(t *testing.T) { parallel(t, c, consumerLeft) })
	t.Run("case 70: those of topics a classic group no longer reads, by their commits", func(t *testing.T) { parallel(t, c, unsubscribed) })
	t.Run("case 71: those of a group that only commits, by their commits", func(t *testing.T) { parallel(t, c, onlyCommits) })
}

// member joins a group that reads a topic, and commits 3 of its 5 records.
func member(ctx context.Context, c *kafkatest.Cluster, group string, opts ...kgo.Opt) *kgo.Client {
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: group}))
	fill(ctx, c, group, 5)
	cl := c.Client(append(opts, kgo.ConsumerGroup(group), kgo.ConsumeTopics(group), kgo.DisableAutoCommit(), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))...)
	for got := 0; got < 5; { // a broker may not know of a new topic yet
		got += cl.PollFetches(ctx).NumRecords()
		c.Must(ctx.Err())
	}
	c.Must(commitAs(ctx, cl, group, topicID(ctx, c, group), 3))
	return cl
}

// commitAs commits as the member that a client is.
func commitAs(ctx context.Context, cl *kgo.Client, group string, topic kafkaID, offset int64) error {
	req := kmsg.NewPtrOffsetCommitRequest()
	req.Group = group
	req.MemberID, req.Generation = cl.GroupMetadata()
	one := kmsg.NewOffsetCommitRequestTopicPartition()
	one.Offset = offset
	req.Topics = []kmsg.OffsetCommitRequestTopic{{Topic: topic.name, TopicID: topic.id, Partitions: []kmsg.OffsetCommitRequestTopicPartition{one}}}
	answer, err := req.RequestWith(ctx, cl)
	if err != nil {
		return err
	}
	return kerr.ErrorForCode(answer.Topics[0].Partitions[0].ErrorCode)
}

// committed tells whether a group has an offset on a topic.
func committed(ctx context.Context, c *kafkatest.Cluster, group, topic string) bool {
	offsets, err := c.Admin().FetchOffsets(ctx, group)
	if errors.Is(err, kerr.GroupIDNotFound) {
		return false
	}
	c.Must(err)
	o, ok := offsets.Lookup(topic, 0)
	return ok && o.At >= 0
}

// watched is a watch that has seen the groups as they are now.
func watched(ctx context.Context, t *testing.T, c *kafkatest.Cluster) *watch.Watch {
	w := watch.New(t, c.Addresses(), time.Second)
	w.Poll(ctx)
	return w
}

// gone waits until a group has no offset on a topic and returns when that was seen, with what
// the exporter last said of the earliest instant before it.
func gone(ctx context.Context, t *testing.T, c *kafkatest.Cluster, w *watch.Watch, group, topic string) (seen time.Time, told model.Maybe[model.Instant]) {
	t.Helper()
	for ctx.Err() == nil {
		if !committed(ctx, c, group, topic) {
			return time.Now(), told
		}
		if said := w.Poll(ctx).Report.Groups[group].OffsetsExpire; said.IsKnown() {
			told = said
		}
		time.Sleep(500 * time.Millisecond)
	}
	t.Fatalf("%s still has an offset on %s", group, topic)
	return time.Time{}, told
}

// expiredAfter holds the moment an offset was seen to be gone against the rule and against what
// was said of it.
func expiredAfter(t *testing.T, seen time.Time, due time.Time, told model.Maybe[model.Instant]) {
	t.Helper()
	if seen.Before(due) {
		t.Errorf("the offset was gone at %v, before %v", seen, due)
	}
	if at, ok := told.Get(); ok && seen.Before(time.UnixMilli(int64(at))) {
		t.Errorf("the offset was gone at %v, and was said to stay until %v", seen, time.UnixMilli(int64(at)))
	}
}

// classicLeft commits long before it leaves: the commit's age does not count.
func classicLeft(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(3 * time.Minute)
	cl := member(ctx, c, "classic")
	time.Sleep(8 * time.Second)
	w := watched(ctx, t, c)
	left := time.Now()
	cl.Close()
	seen, told := gone(ctx, t, c, w, "classic", "classic")
	expiredAfter(t, seen, left.Add(expiry), told)
	if !told.IsKnown() {
		t.Error("nothing was said of the expiry of an empty classic group")
	}
}

// consumerLeft stays for longer than offsets are kept. While it is subscribed they stay; when it
// leaves they go at the next sweep, much sooner than offsets.retention after it left.
func consumerLeft(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(3 * time.Minute)
	cl := member(ctx, c, "modern", kgo.ServerSideBalancer(), kgo.Balancers(kgo.RangeBalancer()))
	commit := time.Now()
	for time.Since(commit) < expiry+5*time.Second {
		if !committed(ctx, c, "modern", "modern") {
			t.Fatalf("the offset of a subscribed topic was gone after %v", time.Since(commit))
		}
		time.Sleep(time.Second)
	}
	w := watched(ctx, t, c)
	cl.Close()
	left := time.Now()
	seen, told := gone(ctx, t, c, w, "modern", "modern")
	if seen.After(left.Add(expiry)) {
		t.Errorf("gone only %v after the group emptied", seen.Sub(left))
	}
	expiredAfter(t, seen, commit.Add(expiry), told)
}

// unsubscribed has a member that reads one topic and has committed on another as well.
func unsubscribed(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(3 * time.Minute)
	cl := member(ctx, c, "partly")
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "dropped"}))
	w := watched(ctx, t, c)
	commit := time.Now().Truncate(time.Millisecond)
	c.Must(commitAs(ctx, cl, "partly", topicID(ctx, c, "dropped"), 0))
	seen, told := gone(ctx, t, c, w, "partly", "dropped")
	expiredAfter(t, seen, commit.Add(expiry), told)
	if !told.IsKnown() {
		t.Error("nothing was said of the expiry on a topic that is not subscribed")
	}
	if !committed(ctx, c, "partly", "partly") {
		t.Error("the offset of the subscribed topic, which is older, is gone too")
	}
}

// onlyCommits has a reader without membership, which the coordinator does not know.
func onlyCommits(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(3 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "simple"}))
	commit := time.Now().Truncate(time.Millisecond)
	c.Must(c.Commit(ctx, "simple", "simple", 0, 0))
	reader := c.Client(kgo.ConsumeTopics("simple"))
	go func() {
		for ctx.Err() == nil && !reader.PollFetches(ctx).IsClientClosed() {
			continue
		}
	}()
	seen, told := gone(ctx, t, c, watched(ctx, t, c), "simple", "simple")
	expiredAfter(t, seen, commit.Add(expiry), told)
}
