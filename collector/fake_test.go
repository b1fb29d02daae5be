package collector_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
)

// fake is an in-process cluster, a client that prepares it and a log of what the collector asks.
type fake struct {
	*kfake.Cluster
	t      *testing.T
	client *kgo.Client
	admin  *kadm.Client

	mu       sync.Mutex
	watching bool
	seen     []request
}

// request is one request as the cluster received it.
type request struct {
	node int32
	key  kmsg.Key
	body kmsg.Request
}

func newFake(t *testing.T, options ...kfake.Opt) *fake {
	t.Helper()
	defaults := []kfake.Opt{
		kfake.NumBrokers(3),
		// kfake's own retention is not Kafka's; it must never run.
		kfake.BrokerConfigs(map[string]string{"log.cleaner.backoff.ms": "315360000000", "log.retention.check.interval.ms": "1000"}),
	}
	cluster, err := kfake.NewCluster(append(defaults, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	f := &fake{Cluster: cluster, t: t}
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DisableClientMetrics())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	f.client = client
	f.admin = kadm.NewClient(client)
	cluster.Control(func(r kmsg.Request) (kmsg.Response, error, bool) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.note(r)
		return nil, nil, false
	})
	return f
}

// note logs a request while somebody watches; f.mu is held.
func (f *fake) note(r kmsg.Request) {
	if f.watching {
		f.seen = append(f.seen, request{f.CurrentNode(), kmsg.Key(r.Key()), r})
	}
}

// watch returns what was received while f ran, version exchanges left out.
func (f *fake) watch(during func()) []request {
	f.mu.Lock()
	f.watching, f.seen = true, nil
	f.mu.Unlock()
	during()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watching = false
	return slices.DeleteFunc(f.seen, func(r request) bool { return r.key == kmsg.ApiVersions })
}

// topic creates a topic with one replica, the leader of each partition chosen.
func (f *fake) topic(name string, configs map[string]string, leaders ...int32) {
	f.t.Helper()
	values := map[string]*string{}
	for k, v := range configs {
		values[k] = &v
	}
	if _, err := f.admin.CreateTopic(f.t.Context(), int32(len(leaders)), 1, values, name); err != nil {
		f.t.Fatal(err)
	}
	for p, leader := range leaders {
		if err := f.MoveTopicPartition(name, int32(p), leader); err != nil {
			f.t.Fatal(err)
		}
	}
}

// produce appends records with the given stamps to a partition.
func (f *fake) produce(topic string, partition int32, stamps ...model.Instant) {
	f.t.Helper()
	for _, stamp := range stamps {
		record := &kgo.Record{Topic: topic, Partition: partition, Value: []byte("0123456789"), Timestamp: time.UnixMilli(int64(stamp))}
		if err := f.client.ProduceSync(f.t.Context(), record).FirstErr(); err != nil {
			f.t.Fatal(err)
		}
	}
}

// commit commits for a group without members.
func (f *fake) commit(group, topic string, partition int32, offset int64) {
	f.t.Helper()
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: topic, Partition: partition, At: offset, LeaderEpoch: -1})
	if err := f.admin.CommitAllOffsets(f.t.Context(), group, offsets); err != nil {
		f.t.Fatal(err)
	}
}

// deleteRecords moves the log start.
func (f *fake) deleteRecords(topic string, partition int32, start int64) {
	f.t.Helper()
	if err := f.DeleteRecords(topic, partition, start); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fake) deleteTopic(name string) {
	f.t.Helper()
	if _, err := f.admin.DeleteTopics(f.t.Context(), name); err != nil {
		f.t.Fatal(err)
	}
}

// config is the collector's configuration for the cluster, everything read at every poll.
func (f *fake) config() collector.Config {
	c := collector.Default()
	c.Brokers = f.ListenAddrs()
	c.BrokerDeadline = 5 * time.Second
	c.MetadataEvery, c.ConfigsEvery, c.SizesEvery = time.Nanosecond, time.Nanosecond, time.Nanosecond
	c.ReplicasEvery, c.DescribeEvery = time.Nanosecond, time.Nanosecond
	return c
}

// steady is a configuration under which only what is asked at every poll is asked again.
func (f *fake) steady() collector.Config {
	c := f.config()
	c.MetadataEvery, c.ConfigsEvery, c.SizesEvery = time.Hour, time.Hour, time.Hour
	c.ReplicasEvery, c.DescribeEvery = time.Hour, time.Hour
	return c
}

func newCollector(t *testing.T, config collector.Config) *collector.Collector {
	t.Helper()
	c, err := collector.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// clock is a clock that moves on by one at each look, so that answers can be told apart by age.
func clock() func() model.Instant {
	var mu sync.Mutex
	at := model.Instant(1_000)
	return func() model.Instant {
		mu.Lock()
		defer mu.Unlock()
		at++
		return at
	}
}

// poll polls once with a clock of the test.
func poll(t *testing.T, c *collector.Collector, now func() model.Instant) *model.Snapshot {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	return c.Poll(ctx, now)
}

// pollWhole polls and wants no problem.
func pollWhole(t *testing.T, c *collector.Collector, now func() model.Instant) *model.Snapshot {
	t.Helper()
	s := poll(t, c, now)
	if len(s.Problems) > 0 {
		t.Fatalf("problems of a healthy cluster: %+v", s.Problems)
	}
	return s
}

func key(topic string, partition int32) model.PartitionKey {
	return model.PartitionKey{Topic: topic, Partition: partition}
}

// value is what was read, or a failure of the test.
func value[T any](t *testing.T, what string, r model.Read[T]) T {
	t.Helper()
	v, ok := r.Get()
	if !ok {
		t.Fatalf("%s was never read", what)
	}
	return v
}

// want compares one value that was read.
func want[T comparable](t *testing.T, what string, r model.Read[T], expected T) {
	t.Helper()
	if v := value(t, what, r); v != expected {
		t.Errorf("%s: have %v, want %v", what, v, expected)
	}
}

// fresh and carried tell whether something was read in the snapshot's poll or before it.
func fresh[T any](t *testing.T, what string, s *model.Snapshot, r model.Read[T]) {
	t.Helper()
	if _, ok := r.FreshSince(s.Started); !ok {
		t.Errorf("%s was not read in this poll", what)
	}
}

func carried[T any](t *testing.T, what string, s *model.Snapshot, r model.Read[T]) {
	t.Helper()
	value(t, what, r)
	if _, ok := r.FreshSince(s.Started); ok {
		t.Errorf("%s was read in this poll, where it should be the one of before", what)
	}
}

// problem finds the problem of a stage and cause, or fails the test.
func problem(t *testing.T, s *model.Snapshot, stage model.Stage, cause string) model.Problem {
	t.Helper()
	for _, p := range s.Problems {
		if p.Stage == stage && p.Cause == cause {
			if p.Detail == "" || strings.ContainsAny(p.Detail, "\n\r") || p.Count < 1 {
				t.Errorf("want one line for people and a count: %+v", p)
			}
			return p
		}
	}
	t.Fatalf("no problem of %s with cause %s among %+v", stage, cause, s.Problems)
	return model.Problem{}
}

func pattern(text string) *regexp.Regexp { return regexp.MustCompile(text) }
