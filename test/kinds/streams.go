package kinds

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// Streams is a member of a streams group (KIP-1071) as far as its coordinator can tell: it sends
// heartbeats until it is given its task, commits, and goes on with heartbeats.
func Streams(ctx context.Context, c *kafkatest.Cluster, s Stand) {
	coordinator, err := coordinatorOf(ctx, c, s.Group)
	c.Must(err)
	beat := s.firstBeat()
	for tasks := 0; tasks == 0; c.Must(sleep(ctx, time.Second)) {
		tasks, err = heartbeat(ctx, coordinator, beat)
		c.Must(err)
	}
	s.commit(ctx, c, beat.MemberID, beat.MemberEpoch)
	go func() {
		for sleep(ctx, 5*time.Second) == nil {
			if _, err := heartbeat(ctx, coordinator, beat); err != nil {
				return // the test sees a group without members
			}
		}
	}()
}

func coordinatorOf(ctx context.Context, c *kafkatest.Cluster, group string) (*kgo.Broker, error) {
	found := c.Admin().FindGroupCoordinators(ctx, group)
	if err := found.Error(); err != nil {
		return nil, err
	}
	return c.Client().Broker(int(found[group].NodeID)), nil
}

func (s Stand) firstBeat() *kmsg.StreamsGroupHeartbeatRequest {
	beat := kmsg.NewPtrStreamsGroupHeartbeatRequest()
	beat.Group, beat.MemberID, beat.RebalanceTimeoutMillis = s.Group, "member-aaaaaaaaaaaaaaa", 10_000
	process := "process"
	beat.ProcessID = &process
	beat.Topology = &kmsg.StreamsGroupHeartbeatRequestTopology{
		Subtopologies: []kmsg.StreamsGroupHeartbeatRequestTopologySubtopology{{SubtopologyID: "0", SourceTopics: []string{s.Topic}}},
	}
	beat.ActiveTasks, beat.StandbyTasks, beat.WarmupTasks = []kmsg.TaskIDs{}, []kmsg.TaskIDs{}, []kmsg.TaskIDs{}
	return beat
}

// heartbeat sends one, makes the request the next one, and tells how many tasks the member has.
func heartbeat(ctx context.Context, coordinator *kgo.Broker, beat *kmsg.StreamsGroupHeartbeatRequest) (tasks int, err error) {
	response, err := coordinator.Request(ctx, beat)
	if err != nil {
		return 0, err
	}
	answer := response.(*kmsg.StreamsGroupHeartbeatResponse)
	if err := kerr.ErrorForCode(answer.ErrorCode); err != nil {
		return 0, err
	}
	beat.MemberEpoch, beat.Topology = answer.MemberEpoch, nil
	if len(answer.ActiveTasks) > 0 {
		beat.ActiveTasks = answer.ActiveTasks
	}
	return len(beat.ActiveTasks), nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
