package kafka_test

import (
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// perSecond are five samples a second.
const perSecond = 200 * time.Millisecond

func TestOneBroker(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{Properties: map[string]string{"offsets.topic.num.partitions": "3"}})
	t.Run("deletes old stamps no earlier than they come of age, as the sampler sees", func(t *testing.T) { sampledDeletion(t, c.For(t)) })
	t.Run("serves deleted records, settings, re-creation and commits", func(t *testing.T) { accidents(t, c.For(t)) })
	t.Run("comes back after a stop with its log", func(t *testing.T) { stopAndStart(t, c.For(t)) })
}

// sampledDeletion writes three segments, of which the first is overdue, the second comes of age in some
// seconds and the third later.
func sampledDeletion(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(40 * time.Second)
	key := kafkatest.Key{Topic: "aged"}
	retention, wait := 60*time.Second, 4*time.Second
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "aged", Configs: map[string]string{"retention.ms": "60000", "segment.ms": "10000"}}))
	truth := c.Truth(perSecond, key)
	now := time.Now()
	second := now.Add(wait - retention)
	for i, stamp := range []time.Time{now.Add(-time.Hour), second, now} {
		first, err := c.Produce(ctx, "aged", 0, 100, stamp, stamp)
		c.Must(err)
		if first != int64(2*i) {
			t.Fatalf("batch %d begins at offset %d", i, first)
		}
	}
	_, err := truth.AwaitChange(ctx, key, func(m kafkatest.Change) bool { return m.To >= 2 })
	c.Must(err)
	_, err = truth.AwaitChange(ctx, key, func(m kafkatest.Change) bool { return m.To == 4 })
	c.Must(err)
	overdue, ok := truth.Passed(key, 1)
	aged, ok2 := truth.Passed(key, 3)
	if !ok || !ok2 {
		t.Fatalf("offsets 1 and 3 passed: %v, %v, want both", ok, ok2)
	}
	if overdue.From != 0 || aged.To != 4 || aged.Recreated {
		t.Errorf("moves are %+v and %+v, want from 0 and to 4", overdue, aged)
	}
	if aged.Before.Before(second.Add(retention)) {
		t.Errorf("segment was seen gone at %v, before it came of age at %v", aged.Before, second.Add(retention))
	}
	if _, ok := truth.Passed(key, 4); ok {
		t.Error("offset 4 is the log start and must not count as passed")
	}
	last := truth.Samples(key)
	if s := last[len(last)-1]; s.Start != 4 || s.End != 6 || s.TopicID == [16]byte{} {
		t.Errorf("last sample is %+v", s)
	}
}

func accidents(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(40 * time.Second)
	key := kafkatest.Key{Topic: "fate", Partition: 1}
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "fate", Partitions: 2}))
	truth := c.Truth(perSecond, key)
	now := time.Now()
	_, err := c.Produce(ctx, "fate", 1, 10, now, now, now)
	c.Must(err)
	c.Must(c.Commit(ctx, "reader", "fate", 1, 2))
	offsets, err := c.Admin().FetchOffsets(ctx, "reader")
	c.Must(err)
	if o, ok := offsets.Lookup("fate", 1); !ok || o.At != 2 {
		t.Errorf("committed offset is %+v %v, want 2", o, ok)
	}
	c.Must(c.AlterTopic(ctx, "fate", map[string]string{"retention.ms": "77000"}))
	configs, err := c.Admin().DescribeTopicConfigs(ctx, "fate")
	c.Must(err)
	if got := topicConfig(configs, "retention.ms"); got != "77000" {
		t.Errorf("retention.ms is %q after the change", got)
	}
	c.Must(c.DeleteRecords(ctx, "fate", 1, 1))
	_, err = truth.AwaitChange(ctx, key, func(m kafkatest.Change) bool { return m.From == 0 && m.To == 1 && !m.Recreated })
	c.Must(err)
	c.Must(c.DeleteTopic(ctx, "fate"))
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "fate", Partitions: 2}))
	_, err = c.Produce(ctx, "fate", 1, 10, now)
	c.Must(err)
	_, err = truth.AwaitChange(ctx, key, func(m kafkatest.Change) bool { return m.Recreated })
	c.Must(err)
}

func topicConfig(all kadm.ResourceConfigs, name string) string {
	for _, resource := range all {
		for _, setting := range resource.Configs {
			if setting.Key == name && setting.Value != nil {
				return *setting.Value
			}
		}
	}
	return ""
}

func stopAndStart(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(40 * time.Second)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "kept"}))
	_, err := c.Produce(ctx, "kept", 0, 100, time.Now(), time.Now())
	c.Must(err)
	b := c.Broker(1)
	b.Stop()
	if b.Running() {
		t.Fatal("the broker runs after Stop")
	}
	c.Must(b.Start(ctx))
	c.Must(c.AwaitLeaders(ctx, "kept", 1))
	first, err := c.Produce(ctx, "kept", 0, 100, time.Now())
	c.Must(err)
	if first != 2 {
		t.Errorf("first record after the restart has offset %d, want 2", first)
	}
	c.Must(c.Commit(ctx, "reader", "kept", 0, 3))
}

func TestThreeBrokers(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{
		Brokers:   3,
		PerBroker: map[int]map[string]string{2: {"log.retention.ms": "123456"}},
	})
	ctx := c.Context(100 * time.Second)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "moving", Replicas: 3}))

	t.Run("leader moves on request", func(t *testing.T) {
		c := c.For(t)
		for _, to := range []int32{3, 2} {
			c.Must(c.MoveLeader(ctx, "moving", 0, to))
		}
	})
	t.Run("one broker has a setting of its own", func(t *testing.T) {
		c := c.For(t)
		configs, err := c.Admin().DescribeBrokerConfigs(ctx, 1, 2)
		c.Must(err)
		for _, resource := range configs {
			want := map[string]string{"1": "", "2": "123456"}[resource.Name]
			if got := topicConfig(kadm.ResourceConfigs{resource}, "log.retention.ms"); got != want {
				t.Errorf("log.retention.ms of broker %s is %q, want %q", resource.Name, got, want)
			}
		}
	})
	t.Run("leader moves when its broker stops and groups go on", func(t *testing.T) {
		c := c.For(t)
		c.Broker(2).Stop()
		leader, err := c.AwaitLeader(ctx, "moving", 0, func(l int32) bool { return l != 2 })
		c.Must(err)
		t.Logf("broker %d leads now", leader)
		_, err = c.Produce(ctx, "moving", 0, 10, time.Now())
		c.Must(err)
		c.Must(c.AwaitGroups(ctx))
		c.Must(c.Commit(ctx, "reader", "moving", 0, 1))
		c.Must(c.Broker(2).Start(ctx))
	})
	t.Run("a paused leader is silent and goes on when resumed", func(t *testing.T) { pauseLeader(t, c.For(t)) })
}

func pauseLeader(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(40 * time.Second)
	key := kafkatest.Key{Topic: "moving"}
	leader, err := c.AwaitLeader(ctx, "moving", 0, func(int32) bool { return true })
	c.Must(err)
	b := c.Broker(leader)
	truth := c.Truth(perSecond, key)
	awaitSamples(t, truth, key, 1)
	c.Must(b.Pause())
	time.Sleep(3 * time.Second)
	while := len(truth.Samples(key))
	c.Must(b.Resume())
	if !strings.Contains(b.Log(), "Kafka Server started") {
		t.Errorf("console of broker %d does not tell of a start", leader)
	}
	awaitSamples(t, truth, key, while+2)
	samples := truth.Samples(key)
	if gap := longestGap(samples); gap < 2*time.Second {
		t.Errorf("longest gap between samples is %v across a pause of 3 s", gap)
	}
}

func awaitSamples(t *testing.T, truth *kafkatest.Truth, key kafkatest.Key, n int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if len(truth.Samples(key)) >= n {
			return
		}
	}
	t.Fatalf("%d samples of %v, want %d", len(truth.Samples(key)), key, n)
}

func longestGap(samples []kafkatest.Sample) (gap time.Duration) {
	for i := 1; i < len(samples); i++ {
		gap = max(gap, samples[i].Got.Sub(samples[i-1].Got))
	}
	return gap
}
