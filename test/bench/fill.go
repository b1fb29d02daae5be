package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sync/errgroup"
)

const (
	perTopic = 10 // partitions
	hours    = 24 // of history, a record each
	batch    = 50 // topics made and written at a time
)

func topicName(i int) string { return fmt.Sprintf("topic-%d", i) }
func groupName(i int) string { return fmt.Sprintf("group-%d", i) }

// fill brings topics, records and groups of that size to a broker.
func fill(ctx context.Context, address string, s size) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.MetadataMinAge(100*time.Millisecond), kgo.DisableClientMetrics())
	if err != nil {
		return err
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	admin.SetTimeoutMillis(60_000)
	topics := make([]string, s.Partitions/perTopic)
	for i := range topics {
		topics[i] = topicName(i)
	}
	for some := range slices.Chunk(topics, batch) {
		answers, err := admin.CreateTopics(ctx, perTopic, 1, nil, some...)
		if err == nil {
			err = answers.Error()
		}
		if err != nil {
			return fmt.Errorf("create topics: %w", err)
		}
	}
	if err := awaitLeaders(ctx, admin, topics); err != nil {
		return err
	}
	now := time.Now()
	for some := range slices.Chunk(topics, batch) {
		if err := client.ProduceSync(ctx, history(some, now)...).FirstErr(); err != nil {
			return fmt.Errorf("produce: %w", err)
		}
	}
	return commit(ctx, admin, s)
}

// awaitLeaders waits until every partition has one: a broker creates topics after it has answered.
func awaitLeaders(ctx context.Context, admin *kadm.Client, topics []string) error {
	for {
		listed, err := admin.ListTopics(ctx)
		if err != nil {
			return fmt.Errorf("list topics: %w", err)
		}
		ready := 0
		for _, t := range listed {
			for _, p := range t.Partitions {
				if p.Err == nil && p.Leader >= 0 {
					ready++
				}
			}
		}
		if ready >= len(topics)*perTopic {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// history is a record an hour for each partition.
func history(topics []string, now time.Time) (records []*kgo.Record) {
	value := []byte("0123456789012345678901234567890123456789")
	for _, t := range topics {
		for p := range int32(perTopic) {
			for h := range hours {
				records = append(records, &kgo.Record{Topic: t, Partition: p, Value: value, Timestamp: now.Add(-time.Duration(hours-h) * time.Hour)})
			}
		}
	}
	return records
}

// commit spreads the groups over the partitions, each on neighbours, with something left to read.
func commit(ctx context.Context, admin *kadm.Client, s size) error {
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(8)
	for g := range s.Groups {
		offsets := kadm.Offsets{}
		for i := range s.Each {
			at := (g*s.Each + i) % s.Partitions
			offsets.Add(kadm.Offset{Topic: topicName(at / perTopic), Partition: int32(at % perTopic), At: int64(g % hours), LeaderEpoch: -1})
		}
		workers.Go(func() error {
			if err := admin.CommitAllOffsets(ctx, groupName(g), offsets); err != nil {
				return fmt.Errorf("commit: %w", err)
			}
			return nil
		})
	}
	return workers.Wait()
}
