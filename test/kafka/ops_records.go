package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Produce appends one record a stamp, each with a value of the given size, uncompressed and, unless
// they are more than a megabyte, in one batch; it returns the offset of the first. Segments roll only
// between batches, so history is written with several calls. Stamps reach the log as they are, in
// whole milliseconds, unless the topic has LogAppendTime. The key is one of 16 letters by the stamp's
// hundredths of a second, so that compacted topics take the record.
func (o *Ops) Produce(ctx context.Context, topic string, partition int32, size int, stamps ...time.Time) (first int64, err error) {
	records := make([]*kgo.Record, len(stamps))
	for i, s := range stamps {
		records[i] = &kgo.Record{Topic: topic, Partition: partition, Key: key(s), Value: make([]byte, size), Timestamp: s}
	}
	results := o.client.ProduceSync(ctx, records...)
	if err := results.FirstErr(); err != nil {
		return 0, fmt.Errorf("produce to %s/%d: %w", topic, partition, err)
	}
	first = results[0].Record.Offset
	for _, r := range results {
		first = min(first, r.Record.Offset)
	}
	return first, nil
}

func key(stamp time.Time) []byte {
	return []byte{'a' + byte(uint64(stamp.UnixMilli())/10%16)}
}

// Commit commits an offset as a client without a group membership does. It is tried again while the
// coordinator starts, moves or loads.
func (o *Ops) Commit(ctx context.Context, group, topic string, partition int32, offset int64) error {
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: topic, Partition: partition, At: offset, LeaderEpoch: -1})
	return await(ctx, fmt.Sprintf("group %s to commit %d on %s/%d", group, offset, topic, partition), func(ctx context.Context) (bool, error) {
		err := o.admin.CommitAllOffsets(ctx, group, offsets)
		if known := new(kerr.Error); errors.As(err, &known) && !startingUp(known) {
			err = &hopeless{err}
		}
		return err == nil, err
	})
}

// startingUp tells whether a coordinator may answer otherwise in a moment. One that has just started answers before
// it knows its topics.
func startingUp(err *kerr.Error) bool {
	switch err {
	case kerr.CoordinatorNotAvailable, kerr.NotCoordinator, kerr.CoordinatorLoadInProgress, kerr.RequestTimedOut, kerr.UnknownTopicOrPartition:
		return true
	}
	return false
}
