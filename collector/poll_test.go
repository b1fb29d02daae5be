package collector_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

func TestPollFillsSnapshotOfHealthyCluster(t *testing.T) {
	f := newFake(t)
	f.topic("orders", map[string]string{"retention.ms": "60000", "retention.bytes": "1000", "segment.ms": "10000"}, 0, 1)
	f.topic("audit", map[string]string{"cleanup.policy": "compact"}, 2)
	f.produce("orders", 0, 500, 600, 700)
	f.produce("orders", 1, 800)
	f.deleteRecords("orders", 0, 1)
	f.commit("billing", "orders", 0, 2)
	f.commit("billing", "orders", 1, 1)

	now := clock()
	s := pollWhole(t, newCollector(t, f.config()), now)

	if !s.Reached || s.ClusterID == "" || s.At <= s.Started || s.GroupsSeen != 1 {
		t.Errorf("snapshot as a whole: %+v", s)
	}
	if got := slices.Sorted(maps.Keys(s.Topics)); !slices.Equal(got, []string{"audit", "orders"}) {
		t.Fatalf("topics: %v", got)
	}
	checkBrokers(t, s)
	checkOrders(t, s)
	checkAudit(t, s)

	group := s.Groups["billing"]
	if group.Kind != model.KindClassic || group.State != "Empty" || group.ProtocolType != "" || group.Refused != "" || len(group.Offsets) != 2 {
		t.Errorf("group: %+v", group)
	}
	want(t, "commit", group.Offsets[key("orders", 0)], model.Commit{Offset: 2, LeaderEpoch: -1})
	want(t, "commit", group.Offsets[key("orders", 1)], model.Commit{Offset: 1, LeaderEpoch: -1})
	fresh(t, "all offsets", s, group.OffsetsRead)
}

func checkBrokers(t *testing.T, s *model.Snapshot) {
	t.Helper()
	if got := slices.Sorted(maps.Keys(s.Brokers)); !slices.Equal(got, []model.BrokerID{0, 1, 2}) {
		t.Fatalf("brokers: %v", got)
	}
	for id, b := range s.Brokers {
		if b.ID != id || !b.Up {
			t.Errorf("broker %d: %+v", id, b)
		}
		fresh(t, "last answer", s, b.LastAnswer)
		want(t, "broker settings", b.Settings, model.BrokerSettings{
			CheckInterval: 1_000, CleanerBackoff: 315_360_000_000, OffsetsRetention: 7 * 24 * 3_600_000,
			OffsetsCheck: 600_000, InitialTaskDelay: 30_000, RemoteTaskMs: 30_000,
		})
		if v, ok := b.Version.Get(); ok {
			t.Errorf("kfake, which is no release of Kafka, is taken for %s", v)
		}
		for _, dir := range b.Dirs {
			want(t, "usable bytes", dir.Usable, 32<<30)
		}
		if len(b.Dirs) == 0 {
			t.Errorf("broker %d has no log dirs", id)
		}
	}
}

func checkOrders(t *testing.T, s *model.Snapshot) {
	t.Helper()
	topic := s.Topics["orders"]
	if topic.Name != "orders" || topic.ID == (model.TopicID{}) || topic.Internal || topic.Partitions != 2 || topic.Unreadable || len(topic.Settings) != 2 {
		t.Errorf("topic: %+v", topic)
	}
	for _, leader := range []model.BrokerID{0, 1} {
		want(t, "settings", topic.Settings[leader], model.Settings{
			Policy: model.PolicyDelete, RetentionMs: 60_000, RetentionBytes: 1_000, SegmentBytes: 100 << 20, SegmentMs: 10_000,
			SegmentIndexBytes: 10 << 20, IndexIntervalBytes: 4096, TimestampType: model.CreateTime, FileDeleteDelay: 60_000,
			LocalRetentionMs: -2, LocalRetentionBytes: -2,
			RetentionMsSource: model.SourceTopic, RetentionBytesSource: model.SourceTopic,
		})
	}
	p := s.Partitions[key("orders", 0)]
	if p.Key != key("orders", 0) || p.TopicID != topic.ID || !p.LeaderKnown || p.Leader != 0 || !slices.Equal(p.Replicas, []model.BrokerID{0}) || !slices.Equal(p.ISR, p.Replicas) {
		t.Errorf("partition: %+v", p)
	}
	want(t, "log start", p.LogStart, 1)
	want(t, "end", p.End, 3)
	want(t, "oldest", p.Oldest, model.Stamped{Offset: 1, Stamp: 600, Found: true})
	size := value(t, "size", p.Size)
	if size.Bytes <= 0 || size.EndBefore != 3 || size.EndAfter != 3 || size.LogStart != 1 || !size.Still {
		t.Errorf("size: %+v", size)
	}
	if len(p.FollowerLogStart) != 0 {
		t.Errorf("followers of a single replica: %v", p.FollowerLogStart)
	}
	if _, ok := p.LocalLogStart.Get(); ok {
		t.Error("a partition that is not tiered has a local log start")
	}
}

func checkAudit(t *testing.T, s *model.Snapshot) {
	t.Helper()
	settings := value(t, "settings", s.Topics["audit"].Settings[2])
	if settings.Policy != model.PolicyCompact || settings.RetentionMsSource != model.SourceDefault {
		t.Errorf("settings: %+v", settings)
	}
	p := s.Partitions[key("audit", 0)]
	want(t, "log start", p.LogStart, 0)
	want(t, "end", p.End, 0)
	want(t, "oldest of an empty log", p.Oldest, model.Stamped{})
}

func TestPollReadsLogStartsBeforeCommitsBeforeEnds(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0, 1, 2)
	f.produce("orders", 0, 500)
	f.commit("billing", "orders", 0, 1)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	requests := f.watch(func() { pollWhole(t, c, now) })

	stages := []string{}
	for _, r := range requests {
		if s := stageOf(r); len(stages) == 0 || stages[len(stages)-1] != s {
			stages = append(stages, s)
		}
	}
	if want := []string{"starts", "groups", "commits", "ends"}; !slices.Equal(stages, want) {
		t.Errorf("order on the wire: %v, want %v", stages, want)
	}
}

// stageOf names what a request of a steady poll is for.
func stageOf(r request) string {
	switch q := r.body.(type) {
	case *kmsg.ListOffsetsRequest:
		switch q.Topics[0].Partitions[0].Timestamp {
		case -2:
			return "starts"
		case -1:
			return "ends"
		}
		return "times"
	case *kmsg.ListGroupsRequest:
		return "groups"
	case *kmsg.OffsetFetchRequest:
		return "commits"
	}
	return kmsg.NameForKey(int16(r.key))
}

func TestRequestsPerPollDoNotGrowWithGroups(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0, 1, 2)
	c := newCollector(t, f.steady())
	now := clock()
	count := func(groups int) map[string]int {
		for i := range groups {
			f.commit("group-"+string(rune('A'+i)), "orders", 0, 0)
		}
		pollWhole(t, c, now)
		counts := map[string]int{}
		for _, r := range f.watch(func() { pollWhole(t, c, now) }) {
			counts[stageOf(r)]++
		}
		return counts
	}
	few, many := count(20), count(40)
	if want := map[string]int{"starts": 3, "groups": 3, "commits": 3, "ends": 3}; !maps.Equal(few, want) || !maps.Equal(many, want) {
		t.Errorf("requests with 20 groups %v, with 40 %v, want %v", few, many, want)
	}
}

func TestRequestsAreCountedByAPI(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0, 1, 2)
	c := newCollector(t, f.steady())
	if got := c.Requests(); len(got) != 0 {
		t.Errorf("requests before the first poll: %v", got)
	}
	now := clock()
	pollWhole(t, c, now)
	before := c.Requests()
	pollWhole(t, c, now)
	after := c.Requests()
	if after["ListOffsets"]-before["ListOffsets"] != 6 || after["ListGroups"]-before["ListGroups"] != 3 || after["Metadata"] != before["Metadata"] {
		t.Errorf("requests of a steady poll: %v, then %v", before, after)
	}
}
