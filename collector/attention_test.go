package collector_test

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// stands compares until when a log start stands for the present.
func stands(t *testing.T, s *model.Snapshot, k model.PartitionKey, now bool) {
	t.Helper()
	at, ok := s.Partitions[k].LogStartAsOf()
	if !ok || at >= s.Started != now {
		t.Errorf("the log start of %v stands as of %v (%v), in a poll that began at %v", k, at, ok, s.Started)
	}
}

func TestLogStartRestsWhereItMay(t *testing.T) {
	f := newFake(t)
	f.topic("quiet", nil, 0)
	f.topic("near", nil, 0)
	c := newCollector(t, f.steady())
	now := clock()
	c.Attend(allRests(pollWhole(t, c, now)))
	rest := model.Attention{LogStarts: map[model.PartitionKey]model.Instant{key("quiet", 0): model.Forever}}
	c.Attend(rest)

	s := pollWhole(t, c, now)
	carried(t, "log start that rests", s, s.Partitions[key("quiet", 0)].LogStart)
	stands(t, s, key("quiet", 0), true)
	fresh(t, "log start that does not", s, s.Partitions[key("near", 0)].LogStart)
	stands(t, s, key("near", 0), true)

	rest.LogStarts[key("quiet", 0)] = s.At // over by the next poll
	s = pollWhole(t, c, now)
	fresh(t, "log start whose rest is over", s, s.Partitions[key("quiet", 0)].LogStart)
}

func TestLogStartIsReadAtOnceUnderANewLeader(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	c := newCollector(t, f.steady())
	now := clock()
	c.Attend(allRests(pollWhole(t, c, now)))
	if err := f.MoveTopicPartition("orders", 0, 2); err != nil {
		t.Fatal(err)
	}
	s := pollWhole(t, c, now) // finds the leader when it reads the end
	stands(t, s, key("orders", 0), false)
	s = pollWhole(t, c, now)
	fresh(t, "log start of the new leader", s, s.Partitions[key("orders", 0)].LogStart)
	s = pollWhole(t, c, now)
	carried(t, "log start", s, s.Partitions[key("orders", 0)].LogStart)
}

// TestLogStartThatWasDueAndFailedDoesNotStand: it is asked for at every poll until it is answered.
func TestLogStartThatWasDueAndFailedDoesNotStand(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)
	starts := func(r kmsg.Request) bool {
		q, ok := r.(*kmsg.ListOffsetsRequest)
		return ok && q.Topics[0].Partitions[0].Timestamp == -2
	}
	refusal := f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: "orders", Err: kerr.TopicAuthorizationFailed, Count: -1, When: starts})
	s := poll(t, c, now) // nothing rests
	problem(t, s, model.StageLogStarts, "TOPIC_AUTHORIZATION_FAILED")
	stands(t, s, key("orders", 0), false)
	c.Attend(allRests(s))
	s = poll(t, c, now)
	problem(t, s, model.StageLogStarts, "TOPIC_AUTHORIZATION_FAILED")
	stands(t, s, key("orders", 0), false)
	fresh(t, "end", s, s.Partitions[key("orders", 0)].End)

	refusal.Remove()
	s = pollWhole(t, c, now)
	fresh(t, "log start", s, s.Partitions[key("orders", 0)].LogStart)
}

// TestRestingLogStartDoesNotStandWhileItsLeaderIsSilent: what was read grows old then.
func TestRestingLogStartDoesNotStandWhileItsLeaderIsSilent(t *testing.T) {
	f := newFake(t)
	f.threeTopics()
	c := newCollector(t, f.steady())
	now := clock()
	c.Attend(allRests(pollWhole(t, c, now)))
	end := f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: "b", Err: kerr.TopicAuthorizationFailed, Count: -1})
	s := poll(t, c, now)
	stands(t, s, key("a", 0), true)
	stands(t, s, key("b", 0), false)
	end.Remove()
	s = pollWhole(t, c, now)
	stands(t, s, key("b", 0), true)
}

func TestSizeRestsWhereItMay(t *testing.T) {
	f := newFake(t)
	f.topic("limited", map[string]string{"retention.bytes": "1000"}, 0)
	f.produce("limited", 0, 500, 501)
	c := newCollector(t, f.steady())
	now := clock()
	c.Attend(allRests(pollWhole(t, c, now)))
	s := pollWhole(t, c, now)
	carried(t, "size that rests", s, s.Partitions[key("limited", 0)].Size)

	f.deleteRecords("limited", 0, 1)
	a := allRests(s)
	delete(a.LogStarts, key("limited", 0))
	c.Attend(a)
	s = pollWhole(t, c, now)
	fresh(t, "size after the log start moved", s, s.Partitions[key("limited", 0)].Size)
	s = pollWhole(t, c, now)
	carried(t, "size", s, s.Partitions[key("limited", 0)].Size)
}
