package collector

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// readShares asks where share groups start. A coordinator asks the broker that keeps a group's state
// for that, and with Kafka 4.4 an answer that mostly takes milliseconds now and then takes more than
// two seconds. A broker answers one request of a connection after the other, so this one goes over a
// connection of its own, with time of its own: what is slow about share groups costs them alone.
func (p *poll) readShares(work map[model.BrokerID][]string) {
	if len(work) == 0 {
		return
	}
	apart := map[model.BrokerID]*peer{}
	for id, b := range p.peers {
		apart[id] = &peer{id: id, client: b.client, wire: b.wire, release: b.release, failed: b.failed, left: p.c.config.BrokerDeadline * 3 / 2}
	}
	p.positions(apart, work, askShares)
	for id, b := range apart {
		p.peers[id].missed = b.failed != nil
	}
}

// sharesRequest goes over the connection that kgo keeps for requests that a broker may take its
// time for, which are those with a timeout. This one has none to send.
type sharesRequest struct {
	*kmsg.DescribeShareGroupOffsetsRequest
}

var _ kmsg.TimeoutRequest = sharesRequest{}

// Timeout is what the broker may take longer than others.
func (sharesRequest) Timeout() int32 { return 0 }

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
	answer, at, err := ask[*kmsg.DescribeShareGroupOffsetsResponse](ctx, b, now, sharesRequest{request})
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
