package tiered_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// tiers are the edges of a tiered log as ListOffsets tells them, in the order they were asked
// for: what is asked later can only be the same or higher.
type tiers struct {
	local, uploaded, next, start int64 // -4, -5, -6, -2
}

func readTiers(ctx context.Context, cl *kgo.Client, topic string) (tiers, error) {
	var t tiers
	for _, ask := range []struct {
		special int64
		edge    *int64
	}{{-4, &t.local}, {-5, &t.uploaded}, {-6, &t.next}, {-2, &t.start}} {
		var err error
		if *ask.edge, err = listOffset(ctx, cl, topic, ask.special); err != nil {
			return tiers{}, fmt.Errorf("ask %s for %d: %w", topic, ask.special, err)
		}
	}
	return t, nil
}

// listOffset sends one raw ListOffsets for partition 0.
func listOffset(ctx context.Context, cl *kgo.Client, topic string, stamp int64) (int64, error) {
	req := kmsg.NewPtrListOffsetsRequest()
	req.ReplicaID = -1
	one := kmsg.NewListOffsetsRequestTopicPartition()
	one.Timestamp = stamp
	req.Topics = []kmsg.ListOffsetsRequestTopic{{Topic: topic, Partitions: []kmsg.ListOffsetsRequestTopicPartition{one}}}
	answer, err := req.RequestWith(ctx, cl)
	if err != nil {
		return 0, err
	}
	p := answer.Topics[0].Partitions[0]
	return p.Offset, kerr.ErrorForCode(p.ErrorCode)
}

// idleActive is one record and then silence: a pass rolls its segment so that it can be
// uploaded, a later one deletes it locally, and the total start stays.
func idleActive(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(40 * time.Second)
	tieredTopic(ctx, c, "idle", map[string]string{"retention.ms": "600000", "local.retention.ms": "1"})
	_, err := c.Produce(ctx, "idle", 0, 100, time.Now())
	c.Must(err)
	cl := c.Client()
	for every := newTicker(ctx, 200*time.Millisecond); every.next(); {
		edges, err := readTiers(ctx, cl, "idle")
		c.Must(err)
		if edges.local == 1 {
			if edges.uploaded != 0 || edges.start != 0 {
				t.Errorf("edges %+v, want 0 uploaded and the start at 0", edges)
			}
			return
		}
	}
	t.Error("the segment was never deleted locally")
}
