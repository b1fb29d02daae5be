package collector

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// askStreamsMembers asks about streams groups (KIP-1071). A member's task is a partition of a
// subtopology: it reads that partition of each of its source topics. Standby and warm-up tasks read
// changelogs only, for which nothing is committed.
func askStreamsMembers(ctx context.Context, b *peer, now func() model.Instant, groups []string) ([]members, error) {
	request := kmsg.NewPtrStreamsGroupDescribeRequest()
	request.Groups = groups
	answer, _, err := ask[*kmsg.StreamsGroupDescribeResponse](ctx, b, now, request)
	if err != nil {
		return nil, err
	}
	var out []members
	for i := range answer.Groups {
		g := &answer.Groups[i]
		m := newMembers(g.Group, g.ErrorCode)
		sources := sourcesOf(g.Topology)
		for _, topics := range sources {
			for _, topic := range topics {
				m.subscribed[topic] = true
			}
		}
		for _, member := range g.Members {
			for _, task := range member.Assignment.ActiveTasks {
				for _, topic := range sources[task.SubtopologyID] {
					m.assign(topic, task.Partitions)
				}
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// sourcesOf is which topics each subtopology reads, those it writes for itself included.
func sourcesOf(topology *kmsg.StreamsGroupDescribeResponseGroupTopology) map[string][]string {
	sources := map[string][]string{}
	if topology == nil {
		return sources
	}
	for _, sub := range topology.Subtopologies {
		topics := sub.SourceTopics
		for _, own := range sub.RepartitionSourceTopics {
			topics = append(topics, own.Topic)
		}
		sources[sub.SubtopologyID] = topics
	}
	return sources
}
