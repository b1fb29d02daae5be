package kafka

import (
	"context"
	"fmt"
)

// offsetsTopic is where brokers keep groups.
const offsetsTopic = "__consumer_offsets"

// AwaitGroups waits until every group coordinator of the cluster answers. The first question makes the
// broker create __consumer_offsets; until its partitions are loaded, groups meet NOT_COORDINATOR or
// COORDINATOR_LOAD_IN_PROGRESS. It asks for offsets of groups that do not exist, which leaves no trace.
func (o *Ops) AwaitGroups(ctx context.Context) error {
	var partitions int
	err := await(ctx, "topic "+offsetsTopic, func(ctx context.Context) (bool, error) {
		if err := o.admin.FindGroupCoordinators(ctx, "kafka-test-ready").Error(); err != nil {
			return false, err
		}
		t, err := o.topic(ctx, offsetsTopic)
		partitions = len(t.Partitions)
		return err == nil && partitions > 0, err
	})
	if err != nil {
		return err
	}
	names := groupPerPartition(partitions)
	return await(ctx, "group coordinators", func(ctx context.Context) (bool, error) {
		for _, answer := range o.admin.FetchManyOffsets(ctx, names...) {
			if answer.Err != nil {
				return false, answer.Err
			}
		}
		return true, nil
	})
}

// groupPerPartition makes up group names so that each partition of __consumer_offsets is in charge of
// one: it is the absolute value of the name's Java hash, modulo the partitions.
func groupPerPartition(partitions int) []string {
	names := make([]string, 0, partitions)
	taken := map[int]bool{}
	for i := 0; len(names) < partitions; i++ {
		name := fmt.Sprintf("kafka-test-ready-%d", i)
		if p := int(javaHash(name)&0x7fffffff) % partitions; !taken[p] {
			taken[p] = true
			names = append(names, name)
		}
	}
	return names
}

// javaHash is String.hashCode for ASCII.
func javaHash(s string) int32 {
	var h int32
	for i := range len(s) {
		h = 31*h + int32(s[i])
	}
	return h
}
