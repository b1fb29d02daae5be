package collector_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/collector/committed"
	"kafka-retention-exporter/model"
)

// offsetsTopic is a fake with a topic of offsets, which fakes do not keep by themselves.
func offsetsTopic(t *testing.T) *fake {
	f := newFake(t)
	f.topic("orders", nil, 0, 1)
	f.topic(committed.Topic, map[string]string{"cleanup.policy": "compact"}, 0, 1, 2, 0)
	return f
}

// commitAt writes what a coordinator writes of a commit.
func (f *fake) commitAt(group string, partition int32, offset int64, at model.Instant) {
	f.t.Helper()
	f.write(f.client, commitRecord(group, partition, offset, at))
}

func (f *fake) write(client *kgo.Client, records ...*kgo.Record) {
	f.t.Helper()
	for _, r := range records {
		if err := client.ProduceSync(f.t.Context(), r).FirstErr(); err != nil {
			f.t.Fatal(err)
		}
	}
}

func commitRecord(group string, partition int32, offset int64, at model.Instant) *kgo.Record {
	value := kmsg.OffsetCommitValue{Version: 3, Offset: offset, LeaderEpoch: -1, CommitTimestamp: int64(at)}
	return keyed(group, partition, value.AppendTo(nil))
}

func keyed(group string, partition int32, value []byte) *kgo.Record {
	k := kmsg.OffsetCommitKey{Version: 1, Group: group, Topic: "orders", Partition: partition}
	return &kgo.Record{Topic: committed.Topic, Partition: model.OffsetsPartition(group, 4), Key: k.AppendTo(nil), Value: value}
}

// reading is a configuration that reads the topic.
func (f *fake) reading() collector.Config {
	c := f.config()
	c.OffsetsTopic = true
	return c
}

// committedAt checks when the commit that the poll shows of a group on partition 0 was made.
func committedAt(t *testing.T, s *model.Snapshot, group string, at model.Maybe[model.Instant]) {
	t.Helper()
	if c := value(t, "commit of "+group, s.Groups[group].Offsets[key("orders", 0)]); c.At != at {
		t.Errorf("%s committed %d at %v, want %v", group, c.Offset, c.At, at)
	}
}

func TestCommitTimesFromTheOffsetsTopic(t *testing.T) {
	f := offsetsTopic(t)
	for group, offset := range map[string]int64{"plain": 7, "again": 7, "newer": 9, "gone": 7, "odd": 7} {
		f.commit(group, "orders", 0, offset)
	}
	f.commitAt("plain", 0, 5, 100)
	f.commitAt("plain", 0, 7, 200)
	f.commitAt("again", 0, 7, 100)
	f.commitAt("again", 0, 7, 300)
	f.commitAt("newer", 0, 7, 100) // and what OffsetFetch shows was not written yet
	f.commitAt("gone", 0, 7, 100)
	f.write(f.client, keyed("gone", 0, nil))
	f.commitAt("odd", 0, 7, 100)
	f.write(f.client, keyed("odd", 0, []byte{0, 9, 1, 2, 3})) // a version to come
	members := kmsg.GroupMetadataKey{Version: 2, Group: "plain"}
	f.write(f.client, &kgo.Record{Topic: committed.Topic, Key: members.AppendTo(nil), Value: []byte("not to be looked at")})
	c, now := newCollector(t, f.reading()), clock()

	s := pollWhole(t, c, now)
	known := model.Known[model.Instant]
	none := model.Maybe[model.Instant]{}
	committedAt(t, s, "plain", known(200))
	committedAt(t, s, "again", known(300))
	for _, group := range []string{"newer", "gone", "odd"} {
		committedAt(t, s, group, none)
	}
	way := s.Groups["plain"].Earlier[key("orders", 0)]
	if len(way) != 2 || way[0] != (model.Passed{At: 100, Offset: 5}) || way[1] != (model.Passed{At: 200, Offset: 7, Wait: model.Known(model.Millis(100))}) {
		t.Errorf("the way of plain: %v", way)
	}

	f.commitAt("newer", 0, 9, 400)
	s = pollWhole(t, c, now)
	committedAt(t, s, "newer", known(400))
	committedAt(t, s, "plain", known(200))
	if way := s.Groups["plain"].Earlier; way != nil {
		t.Errorf("the way of plain is told again: %v", way)
	}
	if c.Requests()["Fetch"] == 0 {
		t.Errorf("what was asked is not counted: %v", c.Requests())
	}
}

// Case B29: markers, aborted commits and logs that begin behind their first offset are no end that is
// never reached; and what was aborted was never committed.
func TestCommitTimesBehindTransactionsAndDeletedOffsets(t *testing.T) {
	f := offsetsTopic(t)
	tx, err := kgo.NewClient(kgo.SeedBrokers(f.ListenAddrs()...), kgo.TransactionalID("tx"), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	f.commit("tx", "orders", 0, 7)
	f.commitAt("tx", 0, 3, 50)
	if err := f.DeleteRecords(committed.Topic, model.OffsetsPartition("tx", 4), 1); err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		at  model.Instant
		end kgo.TransactionEndTry
	}{{100, kgo.TryCommit}, {200, kgo.TryAbort}} {
		if err := tx.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		f.write(tx, commitRecord("tx", 0, 7, one.at))
		if err := tx.EndTransaction(t.Context(), one.end); err != nil {
			t.Fatal(err)
		}
	}
	s := pollWhole(t, newCollector(t, f.reading()), clock())
	committedAt(t, s, "tx", model.Known(model.Instant(100)))
	if way := s.Groups["tx"].Earlier[key("orders", 0)]; len(way) != 1 {
		t.Errorf("the way of tx: %v", way)
	}
}

// TestCommitTimesAreReadOverSeveralPolls: of a partition that was not read to its end nothing is told.
func TestCommitTimesAreReadOverSeveralPolls(t *testing.T) {
	f := offsetsTopic(t)
	f.commit("g", "orders", 0, 7)
	filler := make([]byte, 200<<10) // with a second one more than a broker is asked for at once
	rand.NewChaCha8([32]byte{}).Read(filler)
	for range 4 {
		f.write(f.client, &kgo.Record{Topic: committed.Topic, Partition: model.OffsetsPartition("g", 4), Key: []byte{0, 2, 0}, Value: filler})
	}
	f.commitAt("g", 0, 7, 100)
	f.write(f.client, &kgo.Record{Topic: committed.Topic, Partition: model.OffsetsPartition("g", 4), Key: []byte{0, 2, 0}, Value: filler})
	f.commitAt("g", 0, 7, 900)
	config := f.reading()
	config.BrokerDeadline = 120 * time.Millisecond // two rounds or so
	c, now := newCollector(t, config), clock()
	s, polls := poll(t, c, now), 1
	for ; len(s.Groups) == 0 || !value(t, "commit", s.Groups["g"].Offsets[key("orders", 0)]).At.IsKnown(); s = poll(t, c, now) {
		if polls++; polls > 100 {
			t.Fatal("the end is never reached")
		}
	}
	if polls < 2 {
		t.Error("it took one poll only")
	}
	committedAt(t, s, "g", model.Known(model.Instant(900)))
}

// TestWithoutReadOnTheOffsetsTopic: everything else is there, the refusal is a problem of each poll and
// is not asked about again at once.
func TestWithoutReadOnTheOffsetsTopic(t *testing.T) {
	f := offsetsTopic(t)
	f.commit("g", "orders", 0, 7)
	f.commitAt("g", 0, 7, 100)
	refused := f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Topic: committed.Topic, Err: kerr.TopicAuthorizationFailed, Count: -1})
	config := f.reading()
	config.ConfigsEvery = 500 * time.Millisecond
	c, now := newCollector(t, config), clock()
	for range 3 {
		s := poll(t, c, now)
		if p := problem(t, s, model.StageOffsets, "TOPIC_AUTHORIZATION_FAILED"); len(s.Problems) != 1 || p.Topic != committed.Topic {
			t.Errorf("problems: %+v", s.Problems)
		}
		committedAt(t, s, "g", model.Maybe[model.Instant]{})
		fresh(t, "commit", s, s.Groups["g"].Offsets[key("orders", 0)])
	}
	if n := c.Requests()["Fetch"]; n > 3 {
		t.Errorf("%d requests were sent in vain", n)
	}
	refused.Remove()
	time.Sleep(config.ConfigsEvery)
	committedAt(t, pollWhole(t, c, now), "g", model.Known(model.Instant(100)))
}

// TestOffsetsTopicThatHangs: what was read of it stays, and the poll reads all else in its time.
func TestOffsetsTopicThatHangs(t *testing.T) {
	f := offsetsTopic(t)
	f.commit("g", "orders", 0, 7)
	f.commitAt("g", 0, 7, 100)
	config := f.reading()
	config.BrokerDeadline = time.Second
	c, now := newCollector(t, config), clock()
	committedAt(t, pollWhole(t, c, now), "g", model.Known(model.Instant(100)))
	f.ControlKey(kmsg.Fetch.Int16(), func(kmsg.Request) (kmsg.Response, error, bool) {
		f.KeepControl()
		return nil, nil, true
	})
	began := time.Now()
	s := poll(t, c, now)
	if took := time.Since(began); took > 2*config.BrokerDeadline+time.Second {
		t.Errorf("the poll took %v", took)
	}
	if p := problem(t, s, model.StageOffsets, "deadline"); len(s.Problems) != 1 || p.Topic != model.OffsetsTopic {
		t.Errorf("problems: %+v", s.Problems)
	}
	committedAt(t, s, "g", model.Known(model.Instant(100)))
	fresh(t, "commit", s, s.Groups["g"].Offsets[key("orders", 0)])
	fresh(t, "end", s, s.Partitions[key("orders", 0)].End)
}
