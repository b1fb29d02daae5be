package collector_test

import (
	"context"
	"net"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector"
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

func TestDeletedGroupIsGoneWithinTwoPolls(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.commit("billing", "orders", 0, 0)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	if _, err := f.admin.DeleteGroups(t.Context(), "billing"); err != nil {
		t.Fatal(err)
	}
	s := poll(t, c, now)
	if len(s.Groups) != 1 {
		t.Error("a group is gone after one list without it, which a coordinator that loads gives too")
	}
	problem(t, s, model.StageGroups, "empty_answer")
	if s = pollWhole(t, c, now); len(s.Groups) != 0 || s.GroupsSeen != 0 {
		t.Errorf("groups: %v", s.Groups)
	}
}

func TestCommitsThatVanishAreBelievedTheSecondTime(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.commit("billing", "orders", 0, 0)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	defer f.answer(kmsg.OffsetFetch, func(r kmsg.Request) kmsg.Response {
		response := r.ResponseKind().(*kmsg.OffsetFetchResponse)
		for _, g := range r.(*kmsg.OffsetFetchRequest).Groups {
			one := kmsg.NewOffsetFetchResponseGroup()
			one.Group = g.Group
			response.Groups = append(response.Groups, one)
		}
		return response
	})()
	s := poll(t, c, now)
	carried(t, "commit", s, s.Groups["billing"].Offsets[key("orders", 0)])
	problem(t, s, model.StageOffsets, "empty_answer")
	s = pollWhole(t, c, now)
	if offsets := s.Groups["billing"].Offsets; len(offsets) != 0 {
		t.Errorf("offsets: %v", offsets)
	}
	fresh(t, "all offsets", s, s.Groups["billing"].OffsetsRead)
}

func TestClusterThatComesLater(t *testing.T) {
	port := freePort(t)
	config := collector.Default()
	config.Brokers = []string{net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
	c := newCollector(t, config)
	now := clock()
	for range 2 {
		s := poll(t, c, now)
		if s.Reached || len(s.Brokers) != 0 {
			t.Errorf("reached nobody, and says %+v", s)
		}
		if p := problem(t, s, model.StageMetadata, "refused"); len(s.Problems) != 1 || !strings.Contains(p.Detail, "127.0.0.1") {
			t.Errorf("problems: %+v", s.Problems)
		}
	}

	f := newFake(t, kfake.NumBrokers(1), kfake.Ports(port))
	f.topic("orders", nil, 0)
	s := pollWhole(t, c, now)
	if !s.Reached || len(s.Partitions) != 1 {
		t.Errorf("the cluster is there, and the snapshot is %+v", s)
	}

	f.Close()
	s = poll(t, c, now)
	if s.Reached || s.Brokers[0].Up {
		t.Error("the cluster has gone, and is reached")
	}
	carried(t, "end", s, s.Partitions[key("orders", 0)].End)
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func TestSeedThatRefusesDoesNotKeepFromTheOthers(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	config := f.config()
	config.Brokers = append([]string{net.JoinHostPort("127.0.0.1", strconv.Itoa(freePort(t)))}, config.Brokers...)
	pollWhole(t, newCollector(t, config), clock())
}

func TestSilentSeedDoesNotKeepFromTheOthers(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts by itself and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	config := f.config()
	config.BrokerDeadline = time.Second
	config.Brokers = append([]string{silent.Addr().String()}, config.Brokers...)
	pollWhole(t, newCollector(t, config), clock())
}

func TestPollEndsWithItsContext(t *testing.T) {
	f := newFake(t)
	f.threeTopics()
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := c.Poll(ctx, now)
	if s.Reached || len(s.Partitions) != 3 || len(s.Groups) != 3 {
		t.Errorf("snapshot: %+v", s)
	}
	problem(t, s, model.StageMetadata, "canceled")
}

func TestCloseLeavesNoGoroutineBehind(t *testing.T) {
	f := newFake(t)
	f.threeTopics()
	before := runtime.NumGoroutine()
	config := f.config()
	config.BrokerDeadline = 300 * time.Millisecond
	c, err := collector.New(config)
	if err != nil {
		t.Fatal(err)
	}
	now := clock()
	end := f.silence(1)
	poll(t, c, now)
	poll(t, c, now)
	end()
	c.Close()
	// What serves the connections ends when it sees them closed.
	for range 500 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines before, %d after Close:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
}
