package fakebroker

import (
	"context"
	"fmt"
	"slices"

	"kafka-retention-exporter/model"
)

// Change is one move of a log start.
type Change struct {
	From, To model.Offset
	At       model.Instant // of the pass, or of the deletion of records
}

// raise moves the log start in the cluster to where the model has it, and remembers that.
func (c *Cluster) raise(key model.PartitionKey, r *replica, change Change) error {
	if err := c.fake.DeleteRecords(key.Topic, key.Partition, int64(change.To)); err != nil {
		return fmt.Errorf("move log start of %s/%d to %d: %w", key.Topic, key.Partition, change.To, err)
	}
	r.changes = append(r.changes, change)
	return nil
}

// Changes are all moves of a partition's log start, oldest first. A topic that was created
// again begins anew.
func (c *Cluster) Changes(key model.PartitionKey) []Change {
	_ = c.gate.enter(context.Background())
	defer c.gate.leave()
	r := c.logs[key]
	if r == nil {
		return nil
	}
	return slices.Clone(r.changes)
}

// Passed is the move with which the log start passed an offset, so that a group that stood there
// lost its next record; ok is false if that has not happened.
func (c *Cluster) Passed(key model.PartitionKey, o model.Offset) (change Change, ok bool) {
	changes := c.Changes(key)
	i := slices.IndexFunc(changes, func(one Change) bool { return one.To > o })
	if i < 0 {
		return Change{}, false
	}
	return changes[i], true
}

// Segments are the segments of a partition's log as they are now, the active one last.
func (c *Cluster) Segments(ctx context.Context, key model.PartitionKey) ([]model.Segment, error) {
	log, err := c.look(ctx, key)
	if err != nil {
		return nil, err
	}
	return log.segments, nil
}

// Marks are start, high watermark and end of a partition's log as they are now.
func (c *Cluster) Marks(ctx context.Context, key model.PartitionKey) (model.Marks, error) {
	log, err := c.look(ctx, key)
	return log.marks, err
}

type view struct {
	segments []model.Segment
	marks    model.Marks
}

func (c *Cluster) look(ctx context.Context, key model.PartitionKey) (view, error) {
	if err := c.enter(ctx); err != nil {
		return view{}, err
	}
	defer c.gate.leave()
	if err := c.followTopic(ctx, key.Topic); err != nil {
		return view{}, err
	}
	r := c.logs[key]
	if r == nil {
		return view{}, fmt.Errorf("look at %s/%d: %w", key.Topic, key.Partition, errNoPartition)
	}
	return view{slices.Clone(r.log.Segments()), r.log.Marks()}, nil
}
