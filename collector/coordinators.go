package collector

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// manyCoordinators is the version of FindCoordinator that takes several groups (Kafka 3.0).
const manyCoordinators = 4

// findCoordinators asks a broker that answers where groups are coordinated now, all of them in
// one request where the broker knows how. Groups that it cannot tell are problems.
func (p *poll) findCoordinators(groups []string) map[model.BrokerID][]string {
	work := map[model.BrokerID][]string{}
	for _, id := range sortedIDs(p.peers) {
		if p.peers[id].failed == nil {
			work[id] = groups
			break
		}
	}
	found := map[model.BrokerID][]string{}
	for _, o := range fanOut(p, work, askCoordinators) {
		if o.err != nil {
			p.problems.add(model.StageOffsets, o.err, about{broker: o.peer, count: len(groups)})
			continue
		}
		for _, c := range o.result {
			if p.peers[c.broker] == nil || c.code != 0 {
				p.problems.addCode(model.StageOffsets, max(c.code, kerr.CoordinatorNotAvailable.Code), about{group: c.group})
				continue
			}
			found[c.broker] = append(found[c.broker], c.group)
		}
	}
	return found
}

// coordinatorAnswer is where a group is coordinated.
type coordinatorAnswer struct {
	group  string
	broker model.BrokerID
	code   int16
}

func askCoordinators(ctx context.Context, b *peer, now func() model.Instant, groups []string) ([]coordinatorAnswer, error) {
	if b.release.has(kmsg.FindCoordinator, manyCoordinators) {
		return askManyCoordinators(ctx, b, now, groups)
	}
	requests := make([]kmsg.Request, len(groups))
	for i, g := range groups {
		request := kmsg.NewPtrFindCoordinatorRequest()
		request.CoordinatorKey = g
		requests[i] = request
	}
	answers, _, err := askAll[*kmsg.FindCoordinatorResponse](ctx, b, now, requests)
	if err != nil {
		return nil, err
	}
	out := make([]coordinatorAnswer, len(groups))
	for i, a := range answers {
		out[i] = coordinatorAnswer{groups[i], model.BrokerID(a.NodeID), a.ErrorCode}
	}
	return out, nil
}

func askManyCoordinators(ctx context.Context, b *peer, now func() model.Instant, groups []string) ([]coordinatorAnswer, error) {
	request := kmsg.NewPtrFindCoordinatorRequest()
	request.CoordinatorKeys = groups
	answer, _, err := ask[*kmsg.FindCoordinatorResponse](ctx, b, now, request)
	if err != nil {
		return nil, err
	}
	out := make([]coordinatorAnswer, 0, len(answer.Coordinators))
	for _, c := range answer.Coordinators {
		out = append(out, coordinatorAnswer{c.Key, model.BrokerID(c.NodeID), c.ErrorCode})
	}
	return out, nil
}
