package collector_test

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

func TestDeletedTopicIsGoneWithinTwoPolls(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.topic("other", nil, 0)
	f.commit("billing", "orders", 0, 0)
	f.commit("billing", "other", 0, 0)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	f.deleteTopic("orders")
	s := poll(t, c, now)
	if _, there := s.Topics["orders"]; there {
		s = poll(t, c, now)
	}
	if len(s.Topics) != 1 || len(s.Partitions) != 1 || len(s.Groups["billing"].Offsets) != 1 {
		t.Errorf("two polls after the deletion: topics %v, offsets %v", s.Topics, s.Groups["billing"].Offsets)
	}
	fresh(t, "end of the other topic", s, s.Partitions[key("other", 0)].End)
	pollWhole(t, c, now)
}

func TestTopicThatIsHiddenIsNotGone(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)

	hidden := f.metadata()
	hidden.Topics = nil
	defer f.answer(kmsg.Metadata, func(kmsg.Request) kmsg.Response { return hidden })()
	forbidden := f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Err: kerr.TopicAuthorizationFailed, Count: -1})
	for range 4 {
		s := poll(t, c, now)
		if len(s.Topics) != 1 {
			t.Fatal("a topic that we may not see is taken for deleted")
		}
		carried(t, "end", s, s.Partitions[key("orders", 0)].End)
		problem(t, s, model.StageEnds, "TOPIC_AUTHORIZATION_FAILED")
	}

	forbidden.Remove()
	f.deleteTopic("orders")
	if s := poll(t, c, now); len(s.Topics) != 0 {
		t.Errorf("topics: %v", s.Topics)
	}
}

func TestTopicDeletedBetweenTwoRequestsOfAPoll(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.topic("other", nil, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)

	deleted := false
	f.ControlKey(int16(kmsg.ListGroups), func(kmsg.Request) (kmsg.Response, error, bool) {
		if !deleted {
			deleted = true
			f.SleepControl(func() { f.deleteTopic("orders") })
		}
		return nil, nil, false
	})
	s := poll(t, c, now)
	if !deleted {
		t.Fatal("nothing was deleted in the poll")
	}
	if _, there := s.Topics["orders"]; there {
		t.Error("the leader and then metadata said that the topic is gone, and it is there")
	}
	fresh(t, "end of the other topic", s, s.Partitions[key("other", 0)].End)
}

func TestRecreatedTopicStartsAnew(t *testing.T) {
	f := newFake(t)
	f.topic("orders", map[string]string{"retention.ms": "1000"}, 0)
	f.produce("orders", 0, 500, 600, 700)
	f.deleteRecords("orders", 0, 2)
	f.commit("billing", "orders", 0, 1)
	config := f.config()
	c := newCollector(t, config)
	now := clock()
	old := pollWhole(t, c, now)

	f.deleteTopic("orders")
	f.topic("orders", map[string]string{"retention.ms": "2000"}, 1)
	s := poll(t, c, now)
	if s.Topics["orders"].ID == old.Topics["orders"].ID {
		t.Fatal("the topic has its old id")
	}
	p := s.Partitions[key("orders", 0)]
	if p.TopicID != s.Topics["orders"].ID {
		t.Errorf("partition: %+v", p)
	}
	want(t, "log start", p.LogStart, 0)
	want(t, "end", p.End, 0)
	want(t, "oldest", p.Oldest, model.Stamped{})
	if got := value(t, "settings", s.Topics["orders"].Settings[1]).RetentionMs; got != 2000 {
		t.Errorf("retention: %d", got)
	}
	if offsets := s.Groups["billing"].Offsets; len(offsets) != 0 {
		t.Errorf("commits on the old topic: %v", offsets)
	}
}

func TestRecreatedTopicIsSeenBetweenMetadataReads(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.produce("orders", 0, 500, 600, 700)
	c := newCollector(t, f.steady())
	now := clock()
	old := pollWhole(t, c, now)

	f.deleteTopic("orders")
	f.topic("orders", nil, 0)
	s := poll(t, c, now)
	if s.Topics["orders"].ID == old.Topics["orders"].ID {
		t.Error("an end that went back did not lead to the new topic id")
	}
	if end, ok := s.Partitions[key("orders", 0)].End.Get(); ok && end != 0 {
		t.Errorf("end of the old topic: %d", end)
	}
	s = pollWhole(t, c, now)
	want(t, "end", s.Partitions[key("orders", 0)].End, 0)
}

func TestNewPartitionsAppear(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)
	if _, err := f.admin.CreatePartitions(t.Context(), 2, "orders"); err != nil {
		t.Fatal(err)
	}
	s := pollWhole(t, c, now)
	if s.Topics["orders"].Partitions != 3 || len(s.Partitions) != 3 {
		t.Errorf("topic: %+v", s.Topics["orders"])
	}
	fresh(t, "end", s, s.Partitions[key("orders", 2)].End)
}

func TestCommitOnAnUnknownTopicBringsMetadataForward(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	f.topic("new", nil, 1)
	f.commit("billing", "new", 0, 0)
	pollWhole(t, c, now) // meets the name
	s := pollWhole(t, c, now)
	want(t, "commit on the new topic", s.Groups["billing"].Offsets[key("new", 0)], model.Commit{Offset: 0, LeaderEpoch: -1})
	fresh(t, "settings of the new topic", s, s.Topics["new"].Settings[1])
}

// TestHiddenTopicsAreCounted: metadata leaves out what we may not see, log dirs name it.
func TestHiddenTopicsAreCounted(t *testing.T) {
	f := newFake(t)
	f.topic("open", nil, 0)
	f.topic("closed", nil, 0)
	f.topic("left-out", nil, 1)
	config := f.config()
	config.TopicExclude = pattern("^left-out$")
	less := f.metadata()
	less.Topics = slices.DeleteFunc(less.Topics, func(m kmsg.MetadataResponseTopic) bool { return *m.Topic != "open" })
	end := f.answer(kmsg.Metadata, func(kmsg.Request) kmsg.Response { return less })
	c := newCollector(t, config)
	now := clock()
	if s := pollWhole(t, c, now); s.TopicsHidden != 1 || len(s.Topics) != 1 {
		t.Errorf("%d topics hidden, %d there", s.TopicsHidden, len(s.Topics))
	}
	end()
	pollWhole(t, c, now)
	f.deleteTopic("closed") // a topic that was known is gone, not hidden
	for range 3 {
		if s := poll(t, c, now); s.TopicsHidden != 0 {
			t.Errorf("%d topics hidden", s.TopicsHidden)
		}
	}
}
