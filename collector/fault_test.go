package collector_test

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// silence makes a broker accept requests and never answer, until the returned function is called.
func (f *fake) silence(node int32) (end func()) {
	ended := make(chan struct{})
	f.Control(func(kmsg.Request) (kmsg.Response, error, bool) {
		select {
		case <-ended:
			f.DropControl()
			return nil, nil, false
		default:
		}
		if f.CurrentNode() != node {
			return nil, nil, false
		}
		f.KeepControl()
		return nil, nil, true
	})
	return func() { close(ended) }
}

// threeTopics makes a topic on each broker, with a record and a group's commit on it.
func (f *fake) threeTopics() {
	for node, topic := range []string{"a", "b", "c"} {
		f.topic(topic, nil, int32(node))
		f.produce(topic, 0, 500)
		f.commit("group-"+topic, topic, 0, 1)
	}
}

func TestSilentBrokerTakesOnlyItsOwnNews(t *testing.T) {
	f := newFake(t)
	f.threeTopics()
	config := f.steady()
	config.BrokerDeadline = time.Second
	c := newCollector(t, config)
	now := clock()
	pollWhole(t, c, now)

	end := f.silence(1)
	started := time.Now()
	s := poll(t, c, now)
	if took := time.Since(started); took > 2*config.BrokerDeadline+5*time.Second {
		t.Errorf("the poll took %v with a deadline of %v for one broker", took, config.BrokerDeadline)
	}
	for topic, broker := range map[string]model.BrokerID{"a": 0, "b": 1, "c": 2} {
		p := s.Partitions[key(topic, 0)]
		if broker == 1 {
			carried(t, "log start of the silent broker", s, p.LogStart)
			carried(t, "end of the silent broker", s, p.End)
		} else {
			fresh(t, "log start", s, p.LogStart)
			fresh(t, "end", s, p.End)
		}
		if up := s.Brokers[broker].Up; up != (broker != 1) {
			t.Errorf("broker %d: up is %v", broker, up)
		}
	}
	if len(s.Groups) != 3 {
		t.Errorf("a silent broker's groups are taken for gone: %v", s.Groups)
	}
	for _, stage := range []model.Stage{model.StageLogStarts, model.StageEnds, model.StageGroups} {
		if p := problem(t, s, stage, "deadline"); !p.HasBroker || p.Broker != 1 {
			t.Errorf("problem of %s: %+v", stage, p)
		}
	}

	end()
	s = pollUntil(t, c, now, "the broker's return", func(s *model.Snapshot) bool { return len(s.Problems) == 0 })
	fresh(t, "log start after the broker is back", s, s.Partitions[key("b", 0)].LogStart)
	if !s.Brokers[1].Up {
		t.Error("the broker is back, and not up")
	}
}

func TestForbiddenTopicHurtsNoOther(t *testing.T) {
	f := newFake(t)
	f.topic("open", nil, 0, 0, 0)
	f.topic("closed", nil, 0, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)

	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: "closed", Err: kerr.TopicAuthorizationFailed, Count: -1})
	s := poll(t, c, now)

	for partition := range int32(3) {
		fresh(t, "end", s, s.Partitions[key("open", partition)].End)
	}
	carried(t, "end of a forbidden topic", s, s.Partitions[key("closed", 0)].End)
	p := problem(t, s, model.StageEnds, "TOPIC_AUTHORIZATION_FAILED")
	if p.Count != 2 || p.Topic != "closed" || p.Broker != 0 || !p.HasBroker {
		t.Errorf("problem: %+v", p)
	}
	if !s.Brokers[0].Up {
		t.Error("a broker that refuses one topic is not up")
	}
}

func TestForbiddenGroupHurtsNoOther(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	f.commit("open", "orders", 0, 0)
	f.commit("closed", "orders", 0, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)

	refusal := f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetFetch}, Group: "closed", Err: kerr.GroupAuthorizationFailed, Count: -1})
	s := poll(t, c, now)
	fresh(t, "commit", s, s.Groups["open"].Offsets[key("orders", 0)])
	carried(t, "commit of a forbidden group", s, s.Groups["closed"].Offsets[key("orders", 0)])
	if got := s.Groups["closed"].Refused; got != "GROUP_AUTHORIZATION_FAILED" {
		t.Errorf("refused: %q", got)
	}
	if p := problem(t, s, model.StageOffsets, "GROUP_AUTHORIZATION_FAILED"); p.Group != "closed" || p.Count != 1 {
		t.Errorf("problem: %+v", p)
	}

	refusal.Remove()
	s = pollWhole(t, c, now)
	if g := s.Groups["closed"]; g.Refused != "" {
		t.Errorf("refused still: %+v", g)
	}
	fresh(t, "commit", s, s.Groups["closed"].Offsets[key("orders", 0)])
}

func TestMovedLeaderIsFoundInTheSamePoll(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	if err := f.MoveTopicPartition("orders", 0, 2); err != nil {
		t.Fatal(err)
	}
	s := pollWhole(t, c, now)
	p := s.Partitions[key("orders", 0)]
	fresh(t, "log start", s, p.LogStart)
	fresh(t, "end", s, p.End)
	if p.Leader != 2 {
		t.Errorf("leader: %d", p.Leader)
	}
	s = pollWhole(t, c, now)
	fresh(t, "settings of the new leader", s, s.Topics["orders"].Settings[2])
}

func TestUnreadableConfigsAreUnknownAndSaidSo(t *testing.T) {
	f := newFake(t)
	f.topic("open", nil, 0)
	f.topic("closed", nil, 0)
	refusal := f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.DescribeConfigs}, Resource: "closed", Err: kerr.TopicAuthorizationFailed, Count: -1})
	c := newCollector(t, f.config())
	now := clock()
	s := poll(t, c, now)

	if topic := s.Topics["closed"]; !topic.Unreadable || len(topic.Settings) != 0 {
		t.Errorf("forbidden: %+v", topic)
	}
	if topic := s.Topics["open"]; topic.Unreadable {
		t.Errorf("open: %+v", topic)
	}
	fresh(t, "settings", s, s.Topics["open"].Settings[0])
	fresh(t, "end of a topic without readable settings", s, s.Partitions[key("closed", 0)].End)
	if p := problem(t, s, model.StageConfigs, "TOPIC_AUTHORIZATION_FAILED"); p.Topic != "closed" {
		t.Errorf("problem: %+v", p)
	}

	refusal.Remove()
	s = pollWhole(t, c, now)
	if topic := s.Topics["closed"]; topic.Unreadable || len(topic.Settings) != 1 {
		t.Errorf("allowed again: %+v", topic)
	}
}

func TestRefusalIsAProblemOfEveryPollAlsoBetweenAttempts(t *testing.T) {
	f := newFake(t)
	f.topic("closed", nil, 0)
	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.DescribeConfigs}, Resource: "closed", Err: kerr.TopicAuthorizationFailed, Count: -1})
	c := newCollector(t, f.steady())
	now := clock()
	for range 3 {
		s := poll(t, c, now)
		if p := problem(t, s, model.StageConfigs, "TOPIC_AUTHORIZATION_FAILED"); p.Topic != "closed" || p.Count != 1 || !s.Topics["closed"].Unreadable {
			t.Errorf("problem: %+v, topic: %+v", p, s.Topics["closed"])
		}
	}
}

func TestLogDirsRefusedLeaveTheRestWhole(t *testing.T) {
	f := newFake(t)
	f.topic("orders", map[string]string{"retention.bytes": "1000"}, 0)
	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.DescribeLogDirs}, TopLevel: true, Err: kerr.ClusterAuthorizationFailed, Count: -1})
	c := newCollector(t, f.steady())
	now := clock()
	for range 2 { // the second time from memory, without a request
		s := poll(t, c, now)
		if _, ok := s.Partitions[key("orders", 0)].Size.Get(); ok {
			t.Error("a size where none can be read")
		}
		fresh(t, "end", s, s.Partitions[key("orders", 0)].End)
		if p := problem(t, s, model.StageLogDirs, "CLUSTER_AUTHORIZATION_FAILED"); !p.HasBroker {
			t.Errorf("problem: %+v", p)
		}
		if len(s.Problems) != 3 { // one for each broker
			t.Errorf("problems: %+v", s.Problems)
		}
	}
	if asked := c.Requests()["DescribeLogDirs"]; asked != 3 {
		t.Errorf("log dirs asked %d times, want once a broker", asked)
	}
}

func TestEndThatIsNotAvailableIsAskedAgainAndKept(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.produce("orders", 0, 500)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)
	ends := func(r kmsg.Request) bool {
		q, ok := r.(*kmsg.ListOffsetsRequest)
		return ok && q.Topics[0].Partitions[0].Timestamp == -1
	}

	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: "orders", Err: kerr.OffsetNotAvailable, Count: 1, When: ends})
	s := pollWhole(t, c, now)
	fresh(t, "end at the second try", s, s.Partitions[key("orders", 0)].End)

	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: "orders", Err: kerr.OffsetNotAvailable, Count: 2, When: ends})
	s = poll(t, c, now)
	carried(t, "end", s, s.Partitions[key("orders", 0)].End)
	problem(t, s, model.StageEnds, "OFFSET_NOT_AVAILABLE")
}
