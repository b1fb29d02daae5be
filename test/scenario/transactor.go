package scenario

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// transactor produces in transactions.
type transactor struct{ client *kgo.Client }

func newTransactor(seeds []string, name string) (*transactor, error) {
	client, err := kgo.NewClient(
		kgo.SeedBrokers(seeds...), kgo.TransactionalID("producer-of-"+name), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.ProducerLinger(0),
	)
	if err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	return &transactor{client}, nil
}

func (t *transactor) close() { t.client.Close() }

// produce appends one batch and its marker, and returns the batch's first offset.
func (t *transactor) produce(ctx context.Context, topic string, partition int32, size int, stamps ...time.Time) (first int64, err error) {
	if err := t.client.BeginTransaction(); err != nil {
		return 0, fmt.Errorf("begin transaction: %w", err)
	}
	records := make([]*kgo.Record, len(stamps))
	for i, s := range stamps {
		records[i] = &kgo.Record{Topic: topic, Partition: partition, Key: []byte{'a'}, Value: make([]byte, size), Timestamp: s}
	}
	results := t.client.ProduceSync(ctx, records...)
	if err := results.FirstErr(); err != nil {
		_ = t.client.EndTransaction(context.WithoutCancel(ctx), kgo.TryAbort) // the first error is the one to tell
		return 0, fmt.Errorf("produce to %s/%d in a transaction: %w", topic, partition, err)
	}
	if err := t.client.EndTransaction(ctx, kgo.TryCommit); err != nil {
		return 0, fmt.Errorf("commit transaction on %s: %w", topic, err)
	}
	return results[0].Record.Offset, nil
}
