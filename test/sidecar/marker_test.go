package sidecar

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/predictor"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/watch"
)

// TestMarkerIsNoLoss has transactions of one record, each with the marker that ends it, and groups that
// miss one offset each. From outside it cannot be told whether that was a record; the files tell, also
// once the segment has gone that it was in.
func TestMarkerIsNoLoss(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{})
	ctx := c.Context(2 * time.Minute)
	for name, segment := range map[string]string{"within": "1000000", "between": "400"} {
		c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: name, Configs: map[string]string{"retention.ms": "-1", "internal.segment.bytes": segment}}))
		transactions(ctx, c, name, 4) // records at 0, 2, 4, 6, and their markers behind them
	}
	remote := watch.New(t, c.Addresses(), poll)
	beside := watch.New(t, c.Addresses(), poll, c.Broker(1).LogDir())

	// DeleteRecords within a segment, which stays.
	c.Must(c.Commit(ctx, "on.record", "within", 0, 2))
	c.Must(c.Commit(ctx, "on.marker", "within", 0, 1))
	beside.Poll(ctx)
	remote.Poll(ctx)
	c.Must(c.DeleteRecords(ctx, "within", 0, 2))
	notLost(ctx, t, beside, "on.marker", "within")
	if reason := reasonOf(ctx, t, remote, "on.marker", "within"); reason != predictor.SingleOffsetGap {
		t.Errorf("without files the gap at a marker is %v", reason)
	}
	c.Must(c.DeleteRecords(ctx, "within", 0, 3))
	if f := said(ctx, t, beside, "on.record", "within"); f.LostOffsets != 1 || !f.Loss.IsKnown() {
		t.Errorf("a record is deleted: %d lost, %+v", f.LostOffsets, f)
	}
	if f := said(ctx, t, remote, "on.record", "within"); f.LostOffsets != 0 {
		t.Errorf("without files: %d lost", f.LostOffsets)
	}

	// The segment goes with the marker at its end.
	c.Must(c.Commit(ctx, "on.marker", "between", 0, 1))
	beside.Poll(ctx)
	c.Must(c.DeleteRecords(ctx, "between", 0, 2))
	awaitGone(ctx, t, filepath.Join(c.Broker(1).LogDir(), "between-0", "00000000000000000000.log"))
	notLost(ctx, t, beside, "on.marker", "between")
}

// transactions writes so many, each of one record.
func transactions(ctx context.Context, c *kafkatest.Cluster, topic string, n int) {
	cl := c.Client(kgo.TransactionalID(topic), kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.DefaultProduceTopic(topic))
	for range n {
		c.Must(cl.BeginTransaction())
		c.Must(cl.ProduceSync(ctx, &kgo.Record{Value: make([]byte, record)}).FirstErr())
		c.Must(cl.EndTransaction(ctx, kgo.TryCommit))
	}
}

// said is what is said of a pair once both readings of a poll show the same log start.
func said(ctx context.Context, t *testing.T, w *watch.Watch, group, topic string) predictor.Forecast {
	t.Helper()
	w.Poll(ctx)
	f, ok := w.Poll(ctx).Pair(group, topic)
	if !ok {
		t.Fatalf("nothing is said of %s on %s", group, topic)
	}
	return f
}

func reasonOf(ctx context.Context, t *testing.T, w *watch.Watch, group, topic string) predictor.Reason {
	t.Helper()
	reason, _ := said(ctx, t, w, group, topic).Reason.Get()
	return reason
}

func notLost(ctx context.Context, t *testing.T, w *watch.Watch, group, topic string) {
	t.Helper()
	f := said(ctx, t, w, group, topic)
	state, _ := f.State.Get()
	if reason, _ := f.Reason.Get(); f.LostOffsets != 0 || state == predictor.Lost || reason == predictor.SingleOffsetGap || !f.Stopped.IsKnown() {
		t.Errorf("%s on %s: %d lost, state %v, reason %v, runway %v", group, topic, f.LostOffsets, state, reason, f.Stopped)
	}
}

func awaitGone(ctx context.Context, t *testing.T, path string) {
	t.Helper()
	for ctx.Err() == nil {
		if _, err := os.Stat(path); os.IsNotExist(err) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s never went", path)
}
