package compacted_test

import (
	"context"
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector/compacted"
)

// stand is a fake cluster with the topic "kept" of three partitions, and what was read of it.
type stand struct {
	*kfake.Cluster
	t      *testing.T
	client *kgo.Client
	admin  *kadm.Client
	topic  *compacted.Topic
	have   map[string]string // by key
	from   map[string]int32
	wanted func(int32) bool
}

func newStand(t *testing.T) *stand {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(2), kfake.BrokerConfigs(map[string]string{"log.cleaner.backoff.ms": "315360000000"}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	s := &stand{Cluster: cluster, t: t, have: map[string]string{}, from: map[string]int32{}}
	s.client = s.connect()
	s.admin, s.topic = kadm.NewClient(s.client), compacted.NewTopic(s.connect(), "kept")
	s.create()
	return s
}

func (s *stand) connect() *kgo.Client {
	client, err := kgo.NewClient(kgo.SeedBrokers(s.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DisableClientMetrics())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(client.Close)
	return client
}

func (s *stand) create() {
	s.t.Helper()
	if _, err := s.admin.CreateTopic(s.t.Context(), 3, 1, nil, "kept"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stand) write(partition int32, key, value string) {
	s.t.Helper()
	r := &kgo.Record{Topic: "kept", Partition: partition, Key: []byte(key), Value: []byte(value)}
	if value == "" {
		r.Value = nil
	}
	if err := s.client.ProduceSync(s.t.Context(), r).FirstErr(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stand) read() error {
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Second)
	defer cancel()
	return s.topic.Read(ctx, compacted.Sink{
		Wanted: s.wanted,
		Take: func(r compacted.Record) {
			if r.Value == nil {
				delete(s.have, string(r.Key))
				return
			}
			s.have[string(r.Key)], s.from[string(r.Key)] = string(r.Value), r.Partition
		},
		Forget: func(partition int32) {
			maps.DeleteFunc(s.have, func(key, _ string) bool { return s.from[key] == partition })
		},
	})
}

// sees reads and compares with what is there.
func (s *stand) sees(what string, want map[string]string) {
	s.t.Helper()
	if err := s.read(); err != nil {
		s.t.Errorf("%s: %v", what, err)
	}
	if !maps.Equal(s.have, want) {
		s.t.Errorf("%s: have %v, want %v", what, s.have, want)
	}
}

func TestReadsOnFromWhereItWas(t *testing.T) {
	s := newStand(t)
	s.sees("empty", map[string]string{})
	if !s.topic.Complete() {
		t.Error("the end of an empty topic is reached at once")
	}
	s.write(0, "a", "1")
	s.write(1, "b", "1")
	s.sees("first", map[string]string{"a": "1", "b": "1"})
	s.write(0, "a", "2")
	s.write(1, "b", "")
	s.write(2, "c", "1")
	s.sees("then", map[string]string{"a": "2", "c": "1"})
}

func TestOnlyWhatIsWanted(t *testing.T) {
	s := newStand(t)
	s.write(0, "a", "1")
	s.write(1, "b", "1")
	s.wanted = func(partition int32) bool { return partition == 0 }
	s.sees("one partition", map[string]string{"a": "1"})
	s.wanted = func(partition int32) bool { return partition == 1 }
	s.sees("another", map[string]string{"b": "1"})
	if s.topic.Current(0) || !s.topic.Current(1) {
		t.Error("what is not wanted is not current")
	}
	s.wanted = nil
	s.sees("all", map[string]string{"a": "1", "b": "1"})
}

// TestLogsThatBeginLater: what was read of the log before counts no more, and the rest is read anew.
func TestLogsThatBeginLater(t *testing.T) {
	s := newStand(t)
	s.write(0, "a", "1")
	s.write(0, "b", "1")
	if err := s.DeleteRecords("kept", 0, 1); err != nil {
		t.Fatal(err)
	}
	s.sees("a log that begins later", map[string]string{"b": "1"})
	s.write(0, "c", "1")
	s.write(0, "d", "1")
	if err := s.DeleteRecords("kept", 0, 3); err != nil {
		t.Fatal(err)
	}
	s.sees("a log whose start passed us", map[string]string{"d": "1"})
	if err := s.DeleteRecords("kept", 0, 4); err != nil {
		t.Fatal(err)
	}
	s.sees("a log that is empty", map[string]string{"d": "1"})
	if !s.topic.Current(0) {
		t.Error("its end is reached")
	}
}

func TestAnotherTopicOfTheName(t *testing.T) {
	s := newStand(t)
	s.write(0, "a", "1")
	s.sees("first", map[string]string{"a": "1"})
	if _, err := s.admin.DeleteTopics(t.Context(), "kept"); err != nil {
		t.Fatal(err)
	}
	s.create()
	s.client = s.connect() // which knows nothing of the old one
	s.write(1, "b", "1")
	for range 2 { // that it is another one shows an error first
		_ = s.read()
	}
	s.sees("the new one", map[string]string{"b": "1"})
}

func TestLeadersThatMove(t *testing.T) {
	s := newStand(t)
	s.write(0, "a", "1")
	s.sees("first", map[string]string{"a": "1"})
	for leader := range int32(2) {
		if err := s.MoveTopicPartition("kept", 0, leader); err != nil {
			t.Fatal(err)
		}
		_ = s.read() // an error, where it was elsewhere
	}
	s.write(0, "a", "2")
	_ = s.read()
	s.sees("elsewhere", map[string]string{"a": "2"})
}

func TestWhatIsRefusedIsTheError(t *testing.T) {
	s := newStand(t)
	s.write(0, "a", "1")
	s.write(1, "b", "1")
	s.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Topic: "kept", Partitions: []int32{1}, Err: kerr.TopicAuthorizationFailed})
	if err := s.read(); !errors.Is(err, kerr.TopicAuthorizationFailed) {
		t.Errorf("error %v", err)
	}
	s.sees("allowed again", map[string]string{"a": "1", "b": "1"})
}
