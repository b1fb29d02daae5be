package faults

import (
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/watch"
)

// TestOneBrokerOfThreeDiffers has a broker whose file sets retention in minutes, where the others
// have Kafka's default of a week: it deletes earlier on what it leads, and runs ahead on what it
// follows.
func TestOneBrokerOfThreeDiffers(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{Brokers: 3, PerBroker: map[int]map[string]string{2: {"log.retention.minutes": "1"}}})
	t.Run("each leader's own settings count", func(t *testing.T) { leadersDiffer(t, c.For(t)) })
	t.Run("failover to the one that is ahead", func(t *testing.T) { failover(t, c.For(t)) })
}

const week = model.Millis(7 * 24 * 3_600_000)

// leadersDiffer has one partition led by the broker that differs, and one that is not.
func leadersDiffer(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(2 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "plain", Partitions: 2, Replicas: 3}))
	for partition, leader := range map[int32]int32{0: 1, 1: 2} {
		c.Must(c.MoveLeader(ctx, "plain", partition, leader))
		_, err := c.Produce(ctx, "plain", partition, 10, time.Now(), time.Now())
		c.Must(err)
		c.Must(c.Commit(ctx, "reader", "plain", partition, 0))
	}
	awaitLine(t, endtoend.Start(t, c.Addresses()), `kafka_retention_topic_retention_seconds{topic="plain"} 60`)
	w := watch.New(t, c.Addresses(), time.Second)
	sight := w.Poll(ctx)
	keeps(t, sight, 0, week)
	keeps(t, sight, 1, 60_000)
	// The broker that sets minutes calls its value a default of Kafka; the value is right.
	set, _ := sight.Snapshot.Topics["plain"].Settings[2].Get()
	if set.RetentionMs != 60_000 || set.RetentionMsSource != model.SourceDefault {
		t.Errorf("broker 2 says %d ms, source %d, want 60000 and source %d", set.RetentionMs, set.RetentionMsSource, model.SourceDefault)
	}
	c.Must(c.AlterTopic(ctx, "plain", map[string]string{"retention.ms": "3600000"}))
	time.Sleep(2 * time.Second) // brokers hear of it through the metadata log
	sight = w.Poll(ctx)
	keeps(t, sight, 0, 3_600_000)
	keeps(t, sight, 1, 3_600_000)
}

// keeps checks which retention a forecast was made from.
func keeps(t *testing.T, s watch.Sight, partition int32, want model.Millis) {
	t.Helper()
	f := forecastOf(t, s, "reader", model.PartitionKey{Topic: "plain", Partition: partition})
	if got, ok := f.Inputs.RetentionMs.Get(); !ok || got != want {
		t.Errorf("partition %d is said to keep %d ms (known %v), want %d", partition, got, ok, want)
	}
}

// failover stops the leader while an in-sync follower is ahead: clients stand where it was
// announced, and the group has lost the announced number.
func failover(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(2 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "ahead", Replicas: 3, Configs: map[string]string{"internal.segment.bytes": "200"}}))
	c.Must(c.MoveLeader(ctx, "ahead", 0, 2)) // so that broker 2 comes next in the order of replicas
	c.Must(c.MoveLeader(ctx, "ahead", 0, 1))
	now := time.Now()
	for i := range 40 { // one by one, so that the follower rolls where the leader does
		stamp := now.Add(-10 * time.Minute).Add(time.Duration(i) * time.Second)
		if i >= 30 {
			stamp = now.Add(30 * time.Minute)
		}
		_, err := c.Produce(ctx, "ahead", 0, 50, stamp)
		c.Must(err)
	}
	c.Must(c.Commit(ctx, "slow", "ahead", 0, 12))

	w := watch.New(t, c.Addresses(), time.Second)
	key := model.PartitionKey{Topic: "ahead"}
	var announced, exposed model.Offset
	// A pass of the follower takes what its own high watermark allows, so it may need two to get there.
	for settled := time.Now().Add(30 * time.Second); announced != 30 && time.Now().Before(settled); {
		sight := w.Poll(ctx)
		announced, _ = sight.Report.Partitions[key].FailoverLogStart.Get()
		exposed, _ = forecastOf(t, sight, "slow", key).FailoverExposed.Get()
		time.Sleep(time.Second)
	}
	if announced != 30 || exposed != 18 {
		t.Fatalf("a failover would put the log start to %d and cost %d records, want 30 and 18", announced, exposed)
	}

	c.Broker(1).Stop()
	_, err := c.AwaitLeader(ctx, "ahead", 0, func(leader int32) bool { return leader == 2 })
	c.Must(err)
	starts, err := c.Admin().ListStartOffsets(ctx, "ahead")
	c.Must(err)
	if o, _ := starts.Lookup("ahead", 0); o.Offset != int64(announced) {
		t.Errorf("clients stand at %d after the failover, announced was %d", o.Offset, announced)
	}
	for ctx.Err() == nil {
		f := forecastOf(t, w.Poll(ctx), "slow", key)
		if state, _ := f.State.Get(); state == predictor.Lost {
			if f.LostOffsets != int64(exposed) {
				t.Errorf("%d records are counted lost, announced were %d", f.LostOffsets, exposed)
			}
			return
		}
		time.Sleep(time.Second)
	}
	t.Error("the loss was never noticed")
}

func forecastOf(t *testing.T, s watch.Sight, group string, key model.PartitionKey) predictor.Forecast {
	t.Helper()
	for _, f := range s.Report.Pairs {
		if f.Key.Group == group && f.Key.PartitionKey == key {
			return f
		}
	}
	t.Fatalf("nothing is said of %s on %v; problems: %+v", group, key, s.Snapshot.Problems)
	return predictor.Forecast{}
}

// awaitLine scrapes until a line is on the page.
func awaitLine(t *testing.T, p *endtoend.Program, line string) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for time.Now().Before(deadline) {
		if body, ok := p.Get("/metrics"); ok && strings.Contains(string(body), "\n"+line+"\n") {
			return
		}
		time.Sleep(time.Second)
	}
	t.Errorf("the page never had %s", line)
}
