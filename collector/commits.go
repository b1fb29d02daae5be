package collector

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// readCommits reads the positions of all watched groups: the committed offsets, and where share
// groups start, which commit none.
func (p *poll) readCommits(listed map[string]listedGroup) {
	var committing, sharing []string
	for name, g := range p.groups {
		switch _, have := listed[name]; {
		case !have:
		case g.Kind == model.KindShare:
			sharing = append(sharing, name)
		default:
			committing = append(committing, name)
		}
	}
	p.positions(p.peers, byCoordinator(listed, committing), askCommits)
	p.readShares(byCoordinator(listed, sharing))
}

type positionsAsker func(context.Context, *peer, func() model.Instant, []string) ([]groupCommits, error)

// positions asks for those of all groups of a coordinator in one request. Groups whose coordinator
// has moved since it listed them are looked up and asked once more.
func (p *poll) positions(peers map[model.BrokerID]*peer, work map[model.BrokerID][]string, asking positionsAsker) {
	moved := p.commitsOnce(peers, work, asking, true)
	if len(moved) == 0 {
		return
	}
	p.commitsOnce(peers, p.findCoordinators(moved), asking, false)
}

// commitsOnce sends one round. It returns the groups whose coordinator has moved if mayRetry,
// else those are problems like any other.
func (p *poll) commitsOnce(peers map[model.BrokerID]*peer, work map[model.BrokerID][]string, asking positionsAsker, mayRetry bool) (moved []string) {
	for _, o := range fanOutTo(p, peers, work, asking) {
		if o.err != nil {
			p.problems.add(model.StageOffsets, o.err, about{broker: o.peer, group: o.work[0], count: len(o.work)})
			continue
		}
		for i := range o.result {
			g := &o.result[i]
			if mayRetry && (g.code == kerr.NotCoordinator.Code || g.code == kerr.CoordinatorNotAvailable.Code) {
				moved = append(moved, g.name)
				continue
			}
			p.applyCommits(o.peer, g)
		}
		if missing := len(o.work) - len(o.result); missing > 0 {
			p.problems.addCause(model.StageOffsets, causeMissing, "the answer lacks groups that were asked for", about{broker: o.peer, count: missing})
		}
	}
	return moved
}

// applyCommits takes over one group's answer. An answer without a partition means that there is
// no commit on it any more; an answer without any, where there were some, is believed only when
// it comes twice. GROUP_ID_NOT_FOUND is an answer without commits as well: some brokers say so of
// groups that exist and never committed.
func (p *poll) applyCommits(b *peer, answer *groupCommits) {
	g := p.groups[answer.name]
	if g == nil {
		return
	}
	if g.Unsupported = answer.code == kerr.UnsupportedVersion.Code; g.Unsupported {
		return // nothing is amiss, and no right is missing
	}
	if answer.code != 0 && answer.code != kerr.GroupIDNotFound.Code {
		p.problems.addCode(model.StageOffsets, answer.code, about{broker: b, group: g.Name})
		if answer.code == kerr.GroupAuthorizationFailed.Code {
			g.Refused = kerr.GroupAuthorizationFailed.Message
		}
		return
	}
	g.Refused = ""
	commits := p.watchedCommits(b, g, answer)
	if len(commits) == 0 && len(g.Offsets) > 0 && !p.c.memory.emptied[g.Name] {
		p.c.memory.emptied[g.Name] = true
		p.problems.addCause(model.StageOffsets, causeSuspicious, "the group has no commit any more, where it had some", about{broker: b, group: g.Name})
		return
	}
	delete(p.c.memory.emptied, g.Name)
	g.Offsets, g.OffsetsRead = commits, model.ReadAt(struct{}{}, answer.read)
	if g.Kind == model.KindShare {
		p.sharesIn(g, answer)
	}
}

// watchedCommits are the commits on watched partitions. One on a topic that metadata does not
// list may be on a new topic, which is worth one early look at metadata.
func (p *poll) watchedCommits(b *peer, g *model.Group, answer *groupCommits) map[model.PartitionKey]model.Read[model.Commit] {
	commits := make(map[model.PartitionKey]model.Read[model.Commit], len(answer.commits))
	for _, c := range answer.commits {
		if p.parts[c.key] == nil || c.ofOther(p.topics[c.key.Topic]) {
			p.stranger(c.key.Topic)
			continue
		}
		if c.code != 0 {
			p.problems.addCode(model.StageOffsets, c.code, about{broker: b, group: g.Name, topic: c.key.Topic})
			if old, had := g.Offsets[c.key]; had {
				commits[c.key] = old
			}
			continue
		}
		if c.commit.Offset >= 0 {
			commits[c.key] = model.ReadAt(p.timedCommit(g, c.key, c.commit), answer.read)
		}
	}
	return commits
}

// stranger tells whether a topic that is not known is met for the first time.
func (p *poll) stranger(topic string) bool {
	if p.c.memory.strangers[topic] || !p.c.config.watchesTopic(topic, false) {
		return false
	}
	p.c.memory.strangers[topic] = true
	p.c.memory.metadataDue = true
	return true
}

// groupCommits is what a coordinator said about one group.
type groupCommits struct {
	name    string
	code    int16
	read    model.Instant
	commits []commitAnswer
}

type commitAnswer struct {
	key    model.PartitionKey
	topic  model.TopicID // none where the answer goes by names alone
	code   int16
	commit model.Commit
}

// ofOther tells that the answer is about another topic of this name.
func (c *commitAnswer) ofOther(t *model.Topic) bool {
	return c.topic != model.TopicID{} && t != nil && c.topic != t.ID
}

// manyGroups is the version of OffsetFetch that takes several groups (Kafka 3.0).
const manyGroups = 8

// askCommits asks one coordinator. Older brokers take one group per request.
func askCommits(ctx context.Context, b *peer, now func() model.Instant, groups []string) ([]groupCommits, error) {
	if b.release.has(kmsg.OffsetFetch, manyGroups) {
		return askManyGroups(ctx, b, now, groups)
	}
	requests := make([]kmsg.Request, len(groups))
	for i, name := range groups {
		request := kmsg.NewPtrOffsetFetchRequest()
		request.Group, request.Topics = name, nil // all topics
		requests[i] = request
	}
	answers, at, err := askAll[*kmsg.OffsetFetchResponse](ctx, b, now, requests)
	if err != nil {
		return nil, err
	}
	out := make([]groupCommits, len(groups))
	for i, answer := range answers {
		out[i] = oldCommits(groups[i], answer, at)
	}
	return out, nil
}

// offsetFetch keeps OffsetFetch below version 10, which answers topic ids: a name tells nothing
// less here, since a topic's commits are deleted with it.
type offsetFetch struct{ *kmsg.OffsetFetchRequest }

// MaxVersion is the newest version that answers topic names.
func (offsetFetch) MaxVersion() int16 { return 9 }

func askManyGroups(ctx context.Context, b *peer, now func() model.Instant, groups []string) ([]groupCommits, error) {
	request := kmsg.NewPtrOffsetFetchRequest()
	for _, name := range groups {
		g := kmsg.NewOffsetFetchRequestGroup()
		g.Group, g.Topics = name, nil // all topics
		request.Groups = append(request.Groups, g)
	}
	answer, at, err := ask[*kmsg.OffsetFetchResponse](ctx, b, now, offsetFetch{request})
	if err != nil {
		return nil, err
	}
	out := make([]groupCommits, 0, len(answer.Groups))
	for _, g := range answer.Groups {
		n := 0
		for i := range g.Topics {
			n += len(g.Topics[i].Partitions)
		}
		one := groupCommits{name: g.Group, code: g.ErrorCode, read: at, commits: make([]commitAnswer, 0, n)}
		for _, t := range g.Topics {
			for _, c := range t.Partitions {
				one.commits = append(one.commits, commitOf(t.Topic, c.Partition, c.ErrorCode, c.Offset, c.LeaderEpoch))
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// oldCommits reads an answer about one group, as it was before version 8.
func oldCommits(group string, answer *kmsg.OffsetFetchResponse, at model.Instant) groupCommits {
	one := groupCommits{name: group, code: answer.ErrorCode, read: at}
	for _, t := range answer.Topics {
		for _, c := range t.Partitions {
			one.commits = append(one.commits, commitOf(t.Topic, c.Partition, c.ErrorCode, c.Offset, c.LeaderEpoch))
		}
	}
	return one
}

func commitOf(topic string, partition int32, code int16, offset int64, epoch int32) commitAnswer {
	return commitAnswer{
		key:    model.PartitionKey{Topic: topic, Partition: partition},
		code:   code,
		commit: model.Commit{Offset: model.Offset(offset), LeaderEpoch: epoch},
	}
}
