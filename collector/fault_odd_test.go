package collector_test

import (
	"net"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
)

// TestStormOfMovedLeadersIsWeathered: a cluster whose brokers all deny to lead costs two rounds and
// two looks at metadata a poll, whatever the number of partitions, and keeps what is known.
func TestStormOfMovedLeadersIsWeathered(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0, 1, 2, 0, 1, 2)
	f.commit("billing", "orders", 0, 0)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	storm := f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Err: kerr.NotLeaderForPartition, Count: -1})
	var s *model.Snapshot
	counts := map[kmsg.Key]int{}
	for _, r := range f.watch(func() { s = poll(t, c, now) }) {
		counts[r.key]++
	}
	if counts[kmsg.Metadata] > 2 || counts[kmsg.ListOffsets] > 2*2*3 {
		t.Errorf("requests in the storm: %v", counts)
	}
	if p := problem(t, s, model.StageEnds, "NOT_LEADER_FOR_PARTITION"); p.Count != 2 {
		t.Errorf("problem: %+v", p)
	}
	carried(t, "end", s, s.Partitions[key("orders", 3)].End)
	stands(t, s, key("orders", 3), false)
	fresh(t, "commit", s, s.Groups["billing"].Offsets[key("orders", 0)])

	storm.Remove()
	s = pollWhole(t, c, now)
	fresh(t, "end", s, s.Partitions[key("orders", 3)].End)
	fresh(t, "log start", s, s.Partitions[key("orders", 3)].LogStart)
}

// TestThrottlingBrokerIsSaidToBeOne: kgo honours the broker's wish and sends nothing; that is no
// silence of the broker, and the others are as ever.
func TestThrottlingBrokerIsSaidToBeOne(t *testing.T) {
	f := newFake(t)
	f.threeTopics()
	config := f.steady()
	config.BrokerDeadline = 500 * time.Millisecond
	c := newCollector(t, config)
	now := clock()
	pollWhole(t, c, now)

	end := f.answer(kmsg.ListOffsets, func(r kmsg.Request) kmsg.Response {
		if f.CurrentNode() != 1 {
			return nil
		}
		response := r.ResponseKind().(*kmsg.ListOffsetsResponse)
		response.ThrottleMillis = 3_000
		return response
	})
	s := poll(t, c, now)
	problem(t, s, model.StageGroups, "throttled")
	end()
	fresh(t, "end elsewhere", s, s.Partitions[key("a", 0)].End)
	carried(t, "end", s, s.Partitions[key("b", 0)].End)
	if s.Brokers[1].Up {
		t.Error("a broker that answered only a part is up")
	}
	pollUntil(t, c, now, "the end of the throttling", func(s *model.Snapshot) bool { return len(s.Problems) == 0 })
}

// TestLoadingCoordinatorKeepsItsCommits: it lists its groups already, and does not know their
// offsets yet.
func TestLoadingCoordinatorKeepsItsCommits(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	f.commit("billing", "orders", 0, 0)
	f.commit("other", "orders", 0, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)
	loading := f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetFetch}, Group: "billing", Err: kerr.CoordinatorLoadInProgress, Count: -1})
	s := poll(t, c, now)
	carried(t, "commit", s, s.Groups["billing"].Offsets[key("orders", 0)])
	fresh(t, "commit of another group", s, s.Groups["other"].Offsets[key("orders", 0)])
	if p := problem(t, s, model.StageOffsets, "COORDINATOR_LOAD_IN_PROGRESS"); p.Group != "billing" || p.Count != 1 {
		t.Errorf("problem: %+v", p)
	}
	loading.Remove()
	s = pollWhole(t, c, now)
	fresh(t, "commit", s, s.Groups["billing"].Offsets[key("orders", 0)])
}

// TestAnswerThatIsTooLargeIsRefused: what claims to be two gigabytes is not read, and no memory is
// set aside for it.
func TestAnswerThatIsTooLargeIsRefused(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 1024))
			_, _ = conn.Write([]byte{0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0})
		}
	}()
	config := collector.Default()
	config.Brokers = []string{listener.Addr().String()}
	s := poll(t, newCollector(t, config), clock())
	problem(t, s, model.StageMetadata, "too_large")
}

// TestAnswersAboutMoreThanWasAskedForAreNotTaken: a broker may tell of partitions and groups that
// nobody asked about.
func TestAnswersAboutMoreThanWasAskedForAreNotTaken(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	f.commit("billing", "orders", 0, 0)
	defer f.answer(kmsg.ListOffsets, func(r kmsg.Request) kmsg.Response {
		response := r.ResponseKind().(*kmsg.ListOffsetsResponse)
		for _, topic := range []string{"orders", "unheard-of"} {
			one := kmsg.NewListOffsetsResponseTopic()
			one.Topic = topic
			for p := range int32(3) {
				part := kmsg.NewListOffsetsResponseTopicPartition()
				part.Partition, part.Offset = p, 7
				one.Partitions = append(one.Partitions, part)
			}
			response.Topics = append(response.Topics, one)
		}
		return response
	})()
	s := poll(t, newCollector(t, f.steady()), clock())
	if len(s.Partitions) != 1 || len(s.Topics) != 1 {
		t.Errorf("partitions: %v", s.Partitions)
	}
	want(t, "end", s.Partitions[key("orders", 0)].End, 7)
}

// TestEdgeThatIsNoOffsetIsNotTaken: -1 without an error is no end.
func TestEdgeThatIsNoOffsetIsNotTaken(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)
	defer f.offsets(map[int64]int64{-1: -1, -2: -1})()
	s := poll(t, c, now)
	problem(t, s, model.StageEnds, "missing_answer")
	problem(t, s, model.StageLogStarts, "missing_answer")
	want(t, "end", s.Partitions[key("orders", 0)].End, 0)
	want(t, "log start", s.Partitions[key("orders", 0)].LogStart, 0)
}

// TestClockThatIsPutBackHoldsNothingUp: readings and rests of a clock that ran ahead count for
// nothing once it is right.
func TestClockThatIsPutBackHoldsNothingUp(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	c := newCollector(t, f.steady())
	ahead, right := clock(), clock()
	const day = model.Millis(86_400_000)
	s := pollWhole(t, c, func() model.Instant { return ahead().Add(day) })
	rest := s.At.Add(60_000)
	c.Attend(model.Attention{LogStarts: map[model.PartitionKey]model.Instant{key("orders", 0): rest}})

	s = pollWhole(t, c, right)
	fresh(t, "log start", s, s.Partitions[key("orders", 0)].LogStart)
	if at, _ := s.Partitions[key("orders", 0)].LogStartAsOf(); at > s.At {
		t.Errorf("a log start that stands as of %v at %v", at, s.At)
	}
}

func TestSettingsMissingInAnAnswerAreAskedForAgain(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	c := newCollector(t, f.steady())
	now := clock()
	end := f.answer(kmsg.DescribeConfigs, func(r kmsg.Request) kmsg.Response { return r.ResponseKind() })
	s := poll(t, c, now)
	if p := problem(t, s, model.StageConfigs, "missing_answer"); p.Count != 2 {
		t.Errorf("problem: %+v", p)
	}
	end()
	s = pollWhole(t, c, now)
	fresh(t, "settings", s, s.Topics["orders"].Settings[0])
	value(t, "broker settings", s.Brokers[0].Settings)
}

// TestLogDirsThatVanishAreSuspicious: brokers before 3.2 answer so where the right is missing.
func TestLogDirsThatVanishAreSuspicious(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", map[string]string{"retention.bytes": "1000"}, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)
	end := f.answer(kmsg.DescribeLogDirs, func(r kmsg.Request) kmsg.Response { return r.ResponseKind() })
	s := poll(t, c, now)
	problem(t, s, model.StageLogDirs, "empty_answer")
	carried(t, "size", s, s.Partitions[key("orders", 0)].Size)
	fresh(t, "end", s, s.Partitions[key("orders", 0)].End)
	end()
	fresh(t, "size", pollWhole(t, c, now), poll(t, c, now).Partitions[key("orders", 0)].Size)
}

// TestBrokersThatKeepTheirSettingsToThemselves: topics stay whole.
func TestBrokersThatKeepTheirSettingsToThemselves(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.DescribeConfigs}, Resource: "0", Err: kerr.ClusterAuthorizationFailed, Count: -1})
	s := poll(t, newCollector(t, f.steady()), clock())
	if p := problem(t, s, model.StageConfigs, "CLUSTER_AUTHORIZATION_FAILED"); !p.HasBroker || p.Topic != "" {
		t.Errorf("problem: %+v", p)
	}
	if _, ok := s.Brokers[0].Settings.Get(); ok || s.Topics["orders"].Unreadable {
		t.Errorf("broker: %+v, topic: %+v", s.Brokers[0], s.Topics["orders"])
	}
	fresh(t, "settings", s, s.Topics["orders"].Settings[0])
}
