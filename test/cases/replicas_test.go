package cases_test

import (
	"context"
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestThreeBrokers shows the cases of replicas. Brokers 2 and 3 keep an hour by their own
// configuration, broker 1 a week. A silent broker stays in the set of replicas for as long as a
// test needs, so that high watermarks stand still when they are told to.
func TestThreeBrokers(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	hour := map[string]string{"log.retention.ms": "3600000"}
	c := kafkatest.Start(t, kafkatest.Options{Brokers: 3,
		Properties: map[string]string{
			"broker.session.timeout.ms": "120000", "replica.lag.time.max.ms": "120000",
			"replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector",
		},
		PerBroker: map[int]map[string]string{1: {"broker.rack": "one"}, 2: with(hour, "broker.rack", "two"), 3: with(hour, "broker.rack", "three")},
	})
	ctx := c.Context(4 * time.Minute)
	cl, id := followerAhead(ctx, t, c)
	t.Run("case 54: a follower refuses what only the leader has, and the leader serves it", func(t *testing.T) { nearbyReader(t, c.For(t), cl, id) })
	t.Run("case 76: a record at or above the high watermark is not found", func(t *testing.T) { aboveHighWatermark(t, c.For(t)) })
	t.Run("case 51: failover to a follower that is ahead moves the start", func(t *testing.T) { failover(t, c.For(t), cl, id) })
}

func with(m map[string]string, key, value string) map[string]string {
	out := map[string]string{key: value}
	maps.Copy(out, m)
	return out
}

// aboveHighWatermark pauses a follower, so that what the leader appends stays above the high
// watermark, first under the same leader and then under a new one.
func aboveHighWatermark(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(90 * time.Second)
	const topic = "watermark"
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: topic, Replicas: 3, Configs: map[string]string{"retention.ms": "-1"}}))
	c.Must(c.MoveLeader(ctx, topic, 0, 1))
	write(ctx, c, topic, true, 10, 100)
	var order kadm.AlterPartitionAssignmentsReq // which makes 2 the preferred leader, and 1 goes on leading
	order.Assign(topic, 0, []int32{2, 1, 3})
	_, err := c.Admin().AlterPartitionAssignments(ctx, order)
	c.Must(err)
	cl := c.Client(kgo.RequiredAcks(kgo.LeaderAck()), kgo.DisableIdempotentWrite(), kgo.DefaultProduceTopic(topic))
	c.Must(cl.Ping(ctx))
	c.Must(c.Broker(3).Pause())
	defer c.Broker(3).Resume()
	c.Must(cl.ProduceSync(ctx, &kgo.Record{Value: []byte("x"), Timestamp: time.UnixMilli(500)}).FirstErr())
	for at, want := range map[int64]stamped{50: {0, 100}, 500: none, latest: {1, -1}} {
		if got, err := ask(ctx, cl, 1, consumer, topic, at); err != nil || got != want {
			t.Errorf("asked for %d: %+v, %v; want %+v", at, got, err, want)
		}
	}
	electPreferred(ctx, t, cl, topic)
	for _, at := range []int64{500, latest} {
		if got, err := ask(ctx, cl, 2, consumer, topic, at); !errors.Is(err, kerr.OffsetNotAvailable) {
			t.Errorf("asked a new leader for %d: %+v, %v; want OFFSET_NOT_AVAILABLE", at, got, err)
		}
	}
	c.Must(c.Broker(3).Resume())
	for ctx.Err() == nil {
		if got, err := ask(ctx, cl, 2, consumer, topic, 500); err == nil && got == (stamped{1, 500}) {
			return
		}
		time.Sleep(perSecond)
	}
	t.Error("the record was not found after the follower had caught up")
}

// electPreferred makes broker 2 the leader. It asks broker 1 alone: any other request may land at
// the broker that is paused.
func electPreferred(ctx context.Context, t *testing.T, cl *kgo.Client, topic string) {
	t.Helper()
	req := kmsg.NewPtrElectLeadersRequest()
	req.TimeoutMillis = 5000
	req.Topics = []kmsg.ElectLeadersRequestTopic{{Topic: topic, Partitions: []int32{0}}}
	for ctx.Err() == nil {
		once, cancel := context.WithTimeout(ctx, 6*time.Second)
		_, _ = cl.Broker(1).Request(once, req) // without a controller there is none; what came of it is asked below
		_, err := ask(once, cl, 2, consumer, topic, latest)
		cancel()
		if err == nil || errors.Is(err, kerr.OffsetNotAvailable) {
			return
		}
		time.Sleep(perSecond)
	}
	t.Fatal("broker 2 does not lead")
}

// followerAhead makes a log whose first ten records are two hours old: the followers expire them,
// the leader does not. A group stands at 5.
func followerAhead(ctx context.Context, t *testing.T, c *kafkatest.Cluster) (*kgo.Client, kafkaID) {
	const topic = "ahead"
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: topic, Replicas: 3, Configs: map[string]string{"internal.segment.bytes": "1000"}}))
	c.Must(c.MoveLeader(ctx, topic, 0, 1))
	var old, young []time.Time
	for range 10 {
		old, young = append(old, time.Now().Add(-2*time.Hour)), append(young, time.Now())
	}
	for _, stamps := range [][]time.Time{old, young} {
		_, err := c.Produce(ctx, topic, 0, 50, stamps...)
		c.Must(err)
	}
	c.Must(c.Commit(ctx, "slow", topic, 0, 5))
	cl := c.Client()
	for _, follower := range []int32{2, 3} {
		awaitStart(ctx, t, cl, follower, debugging, topic, 10)
	}
	awaitStart(ctx, t, cl, 1, consumer, topic, 0)
	return cl, topicID(ctx, c, topic)
}

// failover: nothing is deleted anywhere, and the group has lost its position all the same.
func failover(t *testing.T, c *kafkatest.Cluster, cl *kgo.Client, id kafkaID) {
	ctx := c.Context(90 * time.Second)
	c.Broker(1).Stop()
	leader, err := c.AwaitLeader(ctx, id.name, 0, func(leader int32) bool { return leader != 1 })
	c.Must(err)
	awaitStart(ctx, t, cl, leader, consumer, id.name, 10)
	if err := fetch(ctx, cl, leader, id, 5); !errors.Is(err, kerr.OffsetOutOfRange) {
		t.Errorf("the group's position is answered %v, want OFFSET_OUT_OF_RANGE", err)
	}
}

// awaitStart waits until a broker tells a log start; what is asked for is where it settles.
func awaitStart(ctx context.Context, t *testing.T, cl *kgo.Client, broker, replica int32, topic string, want int64) {
	t.Helper()
	var got stamped
	var err error
	for ctx.Err() == nil {
		if got, err = ask(ctx, cl, broker, replica, topic, earliest); err == nil && got.offset == want {
			return
		}
		time.Sleep(perSecond)
	}
	t.Fatalf("broker %d tells log start %d, %v; want %d", broker, got.offset, err, want)
}

// nearbyReader is in the rack of a follower. The leader sends it there for what the follower has,
// and serves the rest itself as soon as it knows of the follower's start.
func nearbyReader(t *testing.T, c *kafkatest.Cluster, cl *kgo.Client, id kafkaID) {
	ctx := c.Context(time.Minute)
	if err := fetch(ctx, cl, 2, id, 5); !errors.Is(err, kerr.OffsetOutOfRange) {
		t.Errorf("the follower answers %v, want OFFSET_OUT_OF_RANGE", err)
	}
	if err := fetch(ctx, cl, 1, id, 5); err != nil {
		t.Errorf("the leader answers %v", err)
	}
	for offset, want := range map[int64]int32{5: -1, 12: 2} {
		got := int32(0)
		for ctx.Err() == nil && got != want {
			var err error
			got, err = fetchFrom(ctx, cl, 1, id, offset, "two")
			c.Must(err)
		}
		if got != want {
			t.Errorf("the leader sends a reader at %d to %d, want %d", offset, got, want)
		}
	}
}
