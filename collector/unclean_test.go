package collector_test

import (
	"testing"
	"time"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestRealUncleanElectionTakesTheEndBack loses records as clusters do that elect whoever is there:
// the follower was away when they were written, and leads when only it is left.
func TestRealUncleanElectionTakesTheEndBack(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{Brokers: 3})
	ctx := c.Context(4 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "orders", Replicas: 2, Configs: map[string]string{
		"unclean.leader.election.enable": "true", "min.insync.replicas": "1",
	}}))
	now := time.Now()
	_, err := c.Produce(ctx, "orders", 0, 100, now, now, now)
	c.Must(err)
	config := collector.Default()
	config.Brokers = c.Addresses()
	source := newCollector(t, config)
	at := key("orders", 0)
	before := pollFor(ctx, t, source, "the topic", func(s *model.Snapshot) bool { return whole(s, "orders") && len(s.Partitions[at].Replicas) == 2 })
	leader := before.Partitions[at].Leader
	follower := before.Partitions[at].Replicas[0] + before.Partitions[at].Replicas[1] - leader

	c.Broker(int32(follower)).Stop()
	pollFor(ctx, t, source, "the follower out of sync", func(s *model.Snapshot) bool { return len(s.Partitions[at].ISR) == 1 })
	_, err = c.Produce(ctx, "orders", 0, 100, now, now)
	c.Must(err)
	c.Must(c.Commit(ctx, "billing", "orders", 0, 5))
	pollFor(ctx, t, source, "the later records and the commit", func(s *model.Snapshot) bool {
		end, _ := s.Partitions[at].End.FreshSince(s.Started)
		_, committed := s.Groups["billing"].Offsets[at].Get()
		return end == 5 && committed
	})

	c.Broker(int32(leader)).Kill()
	c.Must(c.Broker(int32(follower)).Start(ctx))
	s := pollFor(ctx, t, source, "the end of the follower", func(s *model.Snapshot) bool {
		_, fresh := s.Partitions[at].End.FreshSince(s.Started)
		return fresh && s.Partitions[at].Leader == follower
	})
	want(t, "end", s.Partitions[at].End, 3)
	want(t, "log start", s.Partitions[at].LogStart, 0)
	if s.Partitions[at].LeaderEpoch <= before.Partitions[at].LeaderEpoch {
		t.Errorf("leader epoch %d, and it was %d", s.Partitions[at].LeaderEpoch, before.Partitions[at].LeaderEpoch)
	}
	c.Must(c.Broker(int32(leader)).Start(ctx))
	s = pollFor(ctx, t, source, "a whole poll with the old leader back", func(s *model.Snapshot) bool {
		return whole(s, "orders") && len(s.Problems) == 0
	})
	want(t, "end after that", s.Partitions[at].End, 3)
}
