package faults

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestCoordinatorThatIsLoading moves a group's coordinator to another broker, which has to read three
// million commits first and refuses all about groups for seconds. What is forecast stands meanwhile.
func TestCoordinatorThatIsLoading(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{Brokers: 2, Properties: map[string]string{"offsets.topic.num.partitions": "1"}})
	ctx := c.Context(2 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "orders", Configs: map[string]string{"retention.ms": "3600000"}}))
	stamp := time.Now().Add(-10 * time.Minute)
	_, err := c.Produce(ctx, "orders", 0, 100, stamp, stamp.Add(time.Second), stamp.Add(time.Minute))
	c.Must(err)
	c.Must(c.MoveLeader(ctx, model.OffsetsTopic, 0, 1))
	c.Must(c.Commit(ctx, "reader", "orders", 0, 1))
	c.Must(manyCommits(ctx, c, 3_000_000))
	program := endtoend.Start(t, c.Addresses())
	before := program.Await(t, "all forecasts", endtoend.Patience, func(p endtoend.Page) bool { return p.Has(floorOf("orders", 0)) })
	if n := loadingFailures(before); n != 0 {
		t.Fatalf("%g failures before anything happened", n)
	}

	moved := time.Now()
	c.Must(c.MoveLeader(ctx, model.OffsetsTopic, 0, 2))
	program.Await(t, "a refusal by the coordinator that loads", endtoend.Patience, func(p endtoend.Page) bool {
		stands(t, moved, before, p)
		return loadingFailures(p) > 0 && p[`broker_up{broker="2"}`] == 1
	})
	after := program.Await(t, "the end of the loading", endtoend.Patience, func(p endtoend.Page) bool {
		stands(t, moved, before, p)
		return strings.Contains(program.Log(), `msg="No longer so" cause=COORDINATOR_LOAD_IN_PROGRESS`)
	})
	t.Logf("it was over %v after the coordinator moved; %g failures", time.Since(moved), loadingFailures(after))
	c.Must(c.Commit(ctx, "reader", "orders", 0, 2))
	whole := program.Await(t, "the next commit", endtoend.Patience, func(p endtoend.Page) bool {
		return p[endtoend.Of("group_committed_offset", "reader", "orders", 0)] == 2
	})
	if loadingFailures(whole) != loadingFailures(after) || whole["up"] != 1 || whole.Lost() != 0 {
		t.Errorf("the coordinator has loaded and not all is as before:\n%s", whole)
	}
	for line := range strings.Lines(program.Log()) {
		if strings.Contains(line, "level=WARN") && !strings.Contains(line, "cause=COORDINATOR_LOAD_IN_PROGRESS") {
			t.Errorf("the log warns of something else: %s", line)
		}
	}
}

// loadingFailures counts at the stage whose question comes first, the list of groups; it may have been answered
// by the old coordinator.
func loadingFailures(p endtoend.Page) float64 {
	return p[`poll_failures_total{stage="groups"}`] + p[`poll_failures_total{stage="offsets"}`]
}

// stands checks that a page says of the group what was said before. On a machine so busy that loading
// takes longer than values are kept, they may go.
func stands(t *testing.T, moved time.Time, before, p endtoend.Page) {
	t.Helper()
	if time.Since(moved) > endtoend.Keep {
		return
	}
	for _, s := range []string{floorOf("orders", 0), endtoend.Of("group_committed_offset", "reader", "orders", 0), endtoend.Of("group_lag_records", "reader", "orders", 0)} {
		if !p.Has(s) || p[s] != before[s] {
			t.Fatalf("the coordinator loads, and %s was %f and is %f (there: %t)", s, before[s], p[s], p.Has(s))
		}
	}
}

// manyCommits writes commits of one group straight into the offsets topic, as brokers do themselves: that many
// requests would take minutes. Brokers take such records from one client id only. They are alike, so they
// are made once and compressed to next to nothing.
func manyCommits(ctx context.Context, c *kafkatest.Cluster, n int) error {
	const each = 5000
	batch, err := alike(each)
	if err != nil {
		return err
	}
	listed, err := c.Admin().ListTopicsWithInternal(ctx, model.OffsetsTopic)
	if err != nil {
		return err
	}
	client := c.Client(kgo.ClientID("__admin_client"))
	for written := 0; written < n; written += each {
		p := kmsg.NewProduceRequestTopicPartition()
		p.Records = batch
		topic := kmsg.NewProduceRequestTopic()
		topic.Topic, topic.TopicID, topic.Partitions = model.OffsetsTopic, listed[model.OffsetsTopic].ID, append(topic.Partitions, p)
		req := kmsg.NewPtrProduceRequest()
		req.Acks, req.TimeoutMillis, req.Topics = 1, 10_000, append(req.Topics, topic)
		answer, err := client.Broker(1).Request(ctx, req)
		if err != nil {
			return err
		}
		if err := kerr.ErrorForCode(answer.(*kmsg.ProduceResponse).Topics[0].Partitions[0].ErrorCode); err != nil {
			return err
		}
	}
	return nil
}

// alike is a batch of commits of the group, all of the same record.
func alike(n int) ([]byte, error) {
	const prefix, crcAt, crcFrom, compressed = 12, 17, 21, 1 // gzip
	key, value := kmsg.NewOffsetCommitKey(), kmsg.NewOffsetCommitValue()
	key.Version, key.Group, key.Topic = 1, "reader", "orders"
	value.Version, value.Offset, value.LeaderEpoch, value.CommitTimestamp = 3, 1, -1, time.Now().UnixMilli()
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	for i := range n {
		r := kmsg.NewRecord()
		r.OffsetDelta, r.Key, r.Value = int32(i), key.AppendTo(nil), value.AppendTo(nil)
		r.Length = int32(len(r.AppendTo(nil)) - 1) // the length itself, 0 so far, is one byte
		if _, err := gz.Write(r.AppendTo(nil)); err != nil {
			return nil, err
		}
	}
	if err := gz.Close(); err != nil {
		return nil, err
	}
	b := kmsg.NewRecordBatch()
	b.PartitionLeaderEpoch, b.Magic, b.Attributes = -1, 2, compressed
	b.ProducerID, b.ProducerEpoch, b.FirstSequence = -1, -1, -1
	b.FirstTimestamp, b.MaxTimestamp = value.CommitTimestamp, value.CommitTimestamp
	b.NumRecords, b.LastOffsetDelta, b.Records = int32(n), int32(n-1), packed.Bytes()
	b.Length = int32(len(b.AppendTo(nil)) - prefix)
	raw := b.AppendTo(nil)
	binary.BigEndian.PutUint32(raw[crcAt:], crc32.Checksum(raw[crcFrom:], crc32.MakeTable(crc32.Castagnoli)))
	return raw, nil
}
