package collector_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

func TestFollowersAreAskedForTheirOwnLogStart(t *testing.T) {
	f := newFake(t)
	if _, err := f.admin.CreateTopic(t.Context(), 1, 3, nil, "orders"); err != nil {
		t.Fatal(err)
	}
	if err := f.MoveTopicPartition("orders", 0, 0); err != nil {
		t.Fatal(err)
	}
	f.produce("orders", 0, 500, 600)
	f.deleteRecords("orders", 0, 1)
	config := f.steady()
	c := newCollector(t, config)
	now := clock()
	var s *model.Snapshot
	requests := f.watch(func() { s = pollWhole(t, c, now) })

	var followers []int32
	for _, r := range requests {
		if q, ok := r.body.(*kmsg.ListOffsetsRequest); ok && q.ReplicaID == -2 {
			followers = append(followers, r.node)
		}
	}
	p := s.Partitions[key("orders", 0)]
	if len(followers) != len(p.Replicas)-1 || slices.Contains(followers, int32(p.Leader)) {
		t.Errorf("asked %v, with leader %d among %v", followers, p.Leader, p.Replicas)
	}
	for _, id := range followers {
		want(t, "log start of a follower", p.FollowerLogStart[model.BrokerID(id)], 1)
	}

	s = pollWhole(t, c, now)
	for id, start := range s.Partitions[key("orders", 0)].FollowerLogStart {
		carried(t, "log start of follower "+strconv.Itoa(int(id)), s, start)
	}

	if err := f.MoveTopicPartition("orders", 0, followers[0]); err != nil {
		t.Fatal(err)
	}
	s = pollWhole(t, c, now)
	if _, there := s.Partitions[key("orders", 0)].FollowerLogStart[model.BrokerID(followers[0])]; there {
		t.Error("the new leader has a log start as a follower")
	}
}

func TestLocalLogStartIsReadOfTieredTopicsOnly(t *testing.T) {
	f := newFake(t)
	f.topic("tiered", map[string]string{"remote.storage.enable": "true", "local.retention.ms": "5000", "remote.log.copy.disable": "true"}, 0)
	f.topic("compacted", map[string]string{"remote.storage.enable": "true", "cleanup.policy": "compact"}, 0)
	f.topic("plain", nil, 0)
	s := pollWhole(t, newCollector(t, f.config()), clock())
	want(t, "local log start", s.Partitions[key("tiered", 0)].LocalLogStart, 0)
	settings := value(t, "settings", s.Topics["tiered"].Settings[0])
	if !settings.Tiered || settings.LocalRetentionMs != 5000 || !settings.RemoteCopyDisabled {
		t.Errorf("settings: %+v", settings)
	}
	for _, topic := range []string{"compacted", "plain"} {
		if _, ok := s.Partitions[key(topic, 0)].LocalLogStart.Get(); ok {
			t.Errorf("%s has a local log start", topic)
		}
	}
}
