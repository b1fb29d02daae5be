package collector_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// wall is the clock of brokers on the same machine.
func wall() model.Instant { return model.InstantOf(time.Now()) }

func TestRealBrokersFillTheSnapshot(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{Brokers: 3})
	ctx := c.Context(3 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "orders", Partitions: 3, Replicas: 3, Configs: map[string]string{
		"retention.ms": "600000", "retention.bytes": "1000000", "segment.ms": "60000",
	}}))
	stamp := time.Now().Add(-time.Minute).Truncate(time.Millisecond)
	for partition := range int32(3) {
		_, err := c.Produce(ctx, "orders", partition, 100, stamp, stamp.Add(time.Second), stamp.Add(2*time.Second))
		c.Must(err)
		c.Must(c.Commit(ctx, "billing", "orders", partition, 1))
	}
	c.Must(c.DeleteRecords(ctx, "orders", 0, 2))
	config := collector.Default()
	config.Brokers = c.Addresses()
	source := newCollector(t, config)

	s := pollWhole(t, source, wall)
	for id, b := range s.Brokers {
		want(t, "version", b.Version, kafkatest.DefaultVersion[:3])
		settings := value(t, "broker settings", b.Settings)
		if settings.CheckInterval != 1000 || settings.OffsetsRetention != 7*24*3_600_000 || !b.Up || len(b.Dirs) != 1 {
			t.Errorf("broker %d: %+v, settings %+v", id, b, settings)
		}
		for _, dir := range b.Dirs {
			if value(t, "total bytes", dir.Total) < value(t, "usable bytes", dir.Usable) {
				t.Errorf("volume: %+v", dir)
			}
		}
	}
	if topics := slices.Collect(maps.Keys(s.Topics)); !slices.Equal(topics, []string{"orders"}) {
		t.Errorf("topics: %v", topics)
	}
	for partition := range int32(3) {
		checkRealPartition(t, s, partition, stamp)
	}
	steady := poll(t, source, wall)
	if len(steady.Problems) > 0 {
		t.Errorf("problems: %+v", steady.Problems)
	}
}

func checkRealPartition(t *testing.T, s *model.Snapshot, partition int32, stamp time.Time) {
	t.Helper()
	start, oldest := model.Offset(0), model.InstantOf(stamp)
	if partition == 0 {
		start, oldest = 2, oldest.Add(2000)
	}
	p := s.Partitions[key("orders", partition)]
	want(t, "log start", p.LogStart, start)
	want(t, "end", p.End, 3)
	want(t, "oldest", p.Oldest, model.Stamped{Offset: start, Stamp: oldest, Found: true})
	size := value(t, "size", p.Size)
	if size.Bytes <= 300 || size.EndBefore != 3 || size.EndAfter != 3 || !size.Still {
		t.Errorf("size: %+v", size)
	}
	if len(p.Replicas) != 3 || len(p.ISR) != 3 || len(p.FollowerLogStart) != 2 {
		t.Errorf("replicas: %+v", p)
	}
	settings := value(t, "settings", s.Topics["orders"].Settings[p.Leader])
	if settings.RetentionMs != 600_000 || settings.RetentionBytes != 1_000_000 || settings.SegmentJitterMs != 0 || settings.FileDeleteDelay != 500 ||
		settings.RetentionMsSource != model.SourceTopic || settings.MaxCompactionLagMs != 0 {
		t.Errorf("settings: %+v", settings)
	}
	want(t, "commit", s.Groups["billing"].Offsets[key("orders", partition)], model.Commit{Offset: 1, LeaderEpoch: -1})
}

func TestRealBrokerThatIsPausedTakesOnlyItsOwnNews(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{Brokers: 3})
	ctx := c.Context(4 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "single", Partitions: 6, Replicas: 1}))
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "replicated", Partitions: 6, Replicas: 3}))
	config := collector.Default()
	config.Brokers = c.Addresses()
	config.BrokerDeadline = 5 * time.Second // of which there is as much to spare below, whatever else the machine does
	source := newCollector(t, config)
	before := pollWhole(t, source, wall)
	victim := before.Partitions[key("single", 0)].Leader

	c.Broker(int32(victim)).Pause()
	started := time.Now()
	s := poll(t, source, wall)
	if took := time.Since(started); took > 2*config.BrokerDeadline {
		t.Errorf("the poll took %v", took)
	}
	for k, p := range s.Partitions {
		if p.Leader == victim {
			carried(t, "end of a partition of the paused broker", s, p.End)
		} else {
			fresh(t, "end of a partition of the others", s, p.End)
		}
		if before.Partitions[k].Leader != p.Leader && k.Topic == "single" {
			t.Errorf("%v: leader moved from %d to %d", k, before.Partitions[k].Leader, p.Leader)
		}
	}
	pollFor(ctx, t, source, "replicated partitions with new leaders", func(s *model.Snapshot) bool { return whole(s, "replicated") })

	c.Broker(int32(victim)).Resume()
	s = pollFor(ctx, t, source, "all partitions", func(s *model.Snapshot) bool {
		return whole(s, "single") && whole(s, "replicated") && s.Brokers[victim].Up
	})
	if len(s.Partitions) != 12 {
		t.Errorf("partitions: %v", s.Partitions)
	}
}

// pollFor polls until a condition holds or the context ends.
func pollFor(ctx context.Context, t *testing.T, c *collector.Collector, what string, holds func(*model.Snapshot) bool) *model.Snapshot {
	t.Helper()
	for ctx.Err() == nil {
		if s := c.Poll(ctx, wall); holds(s) {
			return s
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Fatalf("%s did not come to pass", what)
	return nil
}

// whole tells whether the poll read every end of a topic.
func whole(s *model.Snapshot, topic string) bool {
	for k, p := range s.Partitions {
		if _, ok := p.End.FreshSince(s.Started); k.Topic == topic && !ok {
			return false
		}
	}
	return true
}
