package collector

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// askShares asks a coordinator where its share groups start in the partitions they read, all groups
// in one request. Where the broker does not know it (before Kafka 4.1), that is each group's answer.
func askShares(ctx context.Context, b *peer, now func() model.Instant, groups []string) ([]groupCommits, error) {
	if !b.release.has(kmsg.DescribeShareGroupOffsets, 0) {
		out := make([]groupCommits, len(groups))
		for i, name := range groups {
			out[i] = groupCommits{name: name, code: kerr.UnsupportedVersion.Code}
		}
		return out, nil
	}
	request := kmsg.NewPtrDescribeShareGroupOffsetsRequest()
	for _, name := range groups {
		g := kmsg.NewDescribeShareGroupOffsetsRequestGroup()
		g.GroupID, g.Topics = name, nil // all topics
		request.Groups = append(request.Groups, g)
	}
	answer, at, err := ask[*kmsg.DescribeShareGroupOffsetsResponse](ctx, b, now, request)
	if err != nil {
		return nil, err
	}
	out := make([]groupCommits, 0, len(answer.Groups))
	for _, g := range answer.Groups {
		one := groupCommits{name: g.GroupID, code: g.ErrorCode, read: at}
		for _, t := range g.Topics {
			for _, s := range t.Partitions {
				c := commitOf(t.Topic, s.Partition, s.ErrorCode, s.StartOffset, s.LeaderEpoch)
				c.topic = t.TopicID
				if answer.Version > 0 && s.Lag >= 0 {
					c.commit.Unfinished = model.Known(model.Offset(s.Lag))
				}
				one.commits = append(one.commits, c)
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// sharesIn notes where a share group that has members has a state: there it reads, though it may
// not have started anywhere yet (-1, until the first records are acknowledged).
func (p *poll) sharesIn(g *model.Group, answer *groupCommits) {
	if !g.HasMembers() {
		return // as with groups of other kinds
	}
	g.Assigned, g.Subscribed = map[model.PartitionKey]bool{}, map[string]bool{}
	for _, c := range answer.commits {
		if p.parts[c.key] != nil && !c.ofOther(p.topics[c.key.Topic]) {
			g.Assigned[c.key], g.Subscribed[c.key.Topic] = true, true
		}
	}
}
