package division

import (
	"context"
	"testing"

	"kafka-retention-exporter/collector/division"
	"kafka-retention-exporter/model"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// followsTheCoordinator commits for groups and looks which partition of __consumer_offsets grew.
func followsTheCoordinator(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(patience)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "hashed"}))
	for _, group := range []string{"orders", "billing", "polygenelubricants", "Zahlungsströme", "\U0001F600-reader", "a"} {
		before := offsetsEnds(ctx, c)
		c.Must(c.Commit(ctx, group, "hashed", 0, 0))
		want := model.OffsetsPartition(group, int32(len(before)))
		for partition, end := range offsetsEnds(ctx, c) {
			if grew := end > before[partition]; grew != (partition == want) {
				t.Errorf("%q: partition %d grew %v; the coordinator is said to keep it on %d", group, partition, grew, want)
			}
		}
	}
}

func offsetsEnds(ctx context.Context, c *kafkatest.Cluster) map[int32]int64 {
	listed, err := c.Admin().ListEndOffsets(ctx, division.Topic)
	c.Must(err)
	ends := map[int32]int64{}
	for partition, o := range listed[division.Topic] {
		ends[partition] = o.Offset
	}
	return ends
}
