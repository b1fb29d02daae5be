package commits

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/watch"
)

// committedBefore is a group without members, and between when it committed last.
type committedBefore struct {
	after, before model.Instant
	said          model.Instant // when its offsets expire, by the first poll
	went          model.Instant // the first look that showed none
}

// TestOffsetsExpireWhenTheirTopicSaid commits for groups without members and starts to watch only
// afterwards, so that nothing but the offsets topic tells when that was: from the first poll on the
// expiry is said to the instant, and one check of the coordinator and one look later the offsets are
// gone. One who does not read the topic says nothing.
func TestOffsetsExpireWhenTheirTopicSaid(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	const check, look, noise = model.Millis(1000), model.Millis(200), model.Millis(2000)
	c := kafkatest.Start(t, kafkatest.Options{Properties: map[string]string{
		"offsets.retention.minutes": "1", "offsets.retention.check.interval.ms": "1000",
		"transaction.state.log.replication.factor": "1", "transaction.state.log.min.isr": "1",
	}})
	ctx := c.Context(4 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "kept"}))
	_, err := c.Produce(ctx, "kept", 0, 10, make([]time.Time, 100)...)
	c.Must(err)
	groups := map[string]*committedBefore{}
	commits := func(group string, commit func()) {
		g := &committedBefore{after: watch.Now()}
		commit()
		g.before = watch.Now()
		groups[group] = g
	}
	c.Must(c.Commit(ctx, "simple", "kept", 0, 10))
	c.Must(c.Commit(ctx, "again", "kept", 0, 10))
	consumer := join(ctx, t, c, "consumer", kgo.ServerSideBalancer())
	c.Must(commitAs(ctx, consumer, 10))
	time.Sleep(3 * time.Second)
	commits("simple", func() { c.Must(c.Commit(ctx, "simple", "kept", 0, 20)) })
	commits("again", func() { c.Must(c.Commit(ctx, "again", "kept", 0, 10)) })
	commits("consumer", func() { c.Must(commitAs(ctx, consumer, 20)) })
	consumer.Close()
	commits("transaction", func() { c.Must(commitInTransaction(ctx, c, "transaction", 10, true)) })
	time.Sleep(2 * time.Second)
	c.Must(commitInTransaction(ctx, c, "transaction", 20, false))
	time.Sleep(5 * time.Second)

	without := watch.New(t, c.Addresses(), time.Second).Poll(ctx)
	with := watch.NewAs(t, c.Addresses(), time.Second, func(config *collector.Config) { config.OffsetsTopic = true }).Poll(ctx)
	if len(with.Snapshot.Problems) > 0 {
		t.Errorf("problems: %+v", with.Snapshot.Problems)
	}
	for name, g := range groups {
		if at, ok := without.Report.Groups[name].OffsetsExpire.Get(); ok {
			t.Errorf("offsets of %s are said to expire at %v by one who cannot know", name, at)
		}
		g.said, _ = with.Report.Groups[name].OffsetsExpire.Get()
		if made := g.said.Add(-60_000); made < g.after || made > g.before {
			t.Errorf("%s is said to have committed at %v, not between %v and %v", name, made, g.after, g.before)
		}
	}
	awaitExpiry(ctx, c, groups, look)
	for name, g := range groups {
		late := g.went.Sub(g.said)
		t.Logf("%s: expiry said %v, gone %d ms after", name, g.said, late)
		if late < 0 || late > check+look+noise {
			t.Errorf("offsets of %s were gone %d ms after they were said to expire", name, late)
		}
	}
}

// join makes a member of a classic group, or of the kind the options say, and waits until it reads.
func join(ctx context.Context, t *testing.T, c *kafkatest.Cluster, group string, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	client := c.Client(append(opts, kgo.ConsumerGroup(group), kgo.ConsumeTopics("kept"), kgo.DisableAutoCommit(),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))...)
	for client.PollFetches(ctx).NumRecords() == 0 {
		if ctx.Err() != nil {
			t.Fatalf("%s never read anything", group)
		}
	}
	return client
}

func commitAs(ctx context.Context, client *kgo.Client, offset int64) (failed error) {
	client.CommitOffsetsSync(ctx, map[string]map[int32]kgo.EpochOffset{"kept": {0: {Epoch: -1, Offset: offset}}},
		func(_ *kgo.Client, _ *kmsg.OffsetCommitRequest, _ *kmsg.OffsetCommitResponse, err error) {
			failed = err
		})
	return failed
}

// awaitExpiry looks for the offsets of every group until they are gone.
func awaitExpiry(ctx context.Context, c *kafkatest.Cluster, groups map[string]*committedBefore, every model.Millis) {
	for left := len(groups); left > 0 && ctx.Err() == nil; time.Sleep(every.Duration()) {
		for name, g := range groups {
			if g.went != 0 {
				continue
			}
			found, err := c.Admin().FetchOffsets(ctx, name)
			if at := watch.Now(); err == nil && len(found) == 0 {
				g.went = at
				left--
			}
		}
	}
}

// commitInTransaction commits an offset for a group without members in a transaction that then ends well
// or is aborted.
func commitInTransaction(ctx context.Context, c *kafkatest.Cluster, group string, offset int64, well bool) error {
	client := c.Client(kgo.TransactionalID("of-" + group))
	defer client.Close()
	id, epoch, err := client.ProducerID(ctx)
	if err != nil {
		return err
	}
	add := kmsg.NewPtrAddOffsetsToTxnRequest()
	add.TransactionalID, add.ProducerID, add.ProducerEpoch, add.Group = "of-"+group, id, epoch, group
	added, err := add.RequestWith(ctx, client)
	if err == nil {
		err = kerr.ErrorForCode(added.ErrorCode)
	}
	if err != nil {
		return fmt.Errorf("add offsets to the transaction: %w", err)
	}
	commit := kmsg.NewPtrTxnOffsetCommitRequest()
	commit.TransactionalID, commit.ProducerID, commit.ProducerEpoch, commit.Group, commit.Generation = "of-"+group, id, epoch, group, -1
	partition := kmsg.NewTxnOffsetCommitRequestTopicPartition()
	partition.Offset, partition.LeaderEpoch = offset, -1
	topic := kmsg.NewTxnOffsetCommitRequestTopic()
	topics, err := c.Admin().ListTopics(ctx, "kept")
	if err != nil {
		return err
	}
	topic.Topic, topic.TopicID, topic.Partitions = "kept", topics["kept"].ID, append(topic.Partitions, partition)
	commit.Topics = append(commit.Topics, topic)
	committed, err := commit.RequestWith(ctx, client)
	if err == nil {
		err = kerr.ErrorForCode(committed.Topics[0].Partitions[0].ErrorCode)
	}
	if err != nil {
		return fmt.Errorf("commit in the transaction: %w", err)
	}
	end := kmsg.NewPtrEndTxnRequest()
	end.TransactionalID, end.ProducerID, end.ProducerEpoch, end.Commit = "of-"+group, id, epoch, well
	ended, err := end.RequestWith(ctx, client)
	if err == nil {
		err = kerr.ErrorForCode(ended.ErrorCode)
	}
	return err
}

// TestPaceIsKnownAtTheFirstPoll lets a group without members read on for a while, and starts to watch
// then: by the offsets topic its pace is known at once, and is the right one.
func TestPaceIsKnownAtTheFirstPoll(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	c := kafkatest.Start(t, kafkatest.Options{})
	ctx := c.Context(2 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "kept", Configs: map[string]string{"segment.ms": "10000"}}))
	for i := range 10 {
		stamps := make([]time.Time, 1000)
		for k := range stamps {
			stamps[k] = time.Now().Add(time.Duration(i-11) * time.Minute)
		}
		_, err := c.Produce(ctx, "kept", 0, 10, stamps...)
		c.Must(err)
	}
	const commits, step = 12, 10
	for i := range commits {
		c.Must(c.Commit(ctx, "reader", "kept", 0, int64(step*(i+1))))
		time.Sleep(time.Second)
	}
	first := watch.NewAs(t, c.Addresses(), time.Second, func(config *collector.Config) { config.OffsetsTopic = true }).Poll(ctx)
	f, _ := first.Pair("reader", "kept")
	if state, ok := f.State.Get(); !ok || state != predictor.Progressing {
		t.Errorf("state is %v (known %v), want progressing", state, ok)
	}
	if pace, ok := f.Inputs.Pace.Get(); !ok || pace < 0.7*step || pace > 1.2*step {
		t.Errorf("pace is %v a second (known %v), want about %d (%+v)", pace, ok, step, f.Reason)
	}
	without, _ := watch.New(t, c.Addresses(), time.Second).Poll(ctx).Pair("reader", "kept")
	if state, ok := without.State.Get(); ok {
		t.Errorf("state is %v without the topic", state)
	}
}
