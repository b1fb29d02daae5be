package collector

import (
	"context"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// readGroups lists groups and reads what they committed.
func (p *poll) readGroups() {
	listed, complete := p.listGroups()
	p.seen = len(listed)
	p.noteTaken(listed, complete)
	p.applyGroups(listed)
	p.missingGroups(listed, complete)
	p.readCommits(listed)
	p.describeGroups(listed)
}

// listedGroup is a group as its coordinator lists it.
type listedGroup struct {
	coordinator model.BrokerID
	group       model.Group // name, kind, state and protocol type
}

// listGroups asks every broker. A broker lists the groups that it coordinates, so the answers
// tell the coordinators as well. complete is true if no broker failed to answer.
func (p *poll) listGroups() (listed map[string]listedGroup, complete bool) {
	work := map[model.BrokerID]struct{}{}
	for id := range p.peers {
		work[id] = struct{}{}
	}
	listed, complete = map[string]listedGroup{}, true
	for _, o := range fanOut(p, work, askGroups) {
		if o.err != nil {
			p.problems.add(model.StageGroups, o.err, about{broker: o.peer})
			complete = false
			continue
		}
		for _, g := range o.result {
			if !p.c.config.divides(g.Name) {
				listed[g.Name] = listedGroup{o.peer.id, g}
			}
		}
	}
	return listed, complete
}

func askGroups(ctx context.Context, b *peer, now func() model.Instant, _ struct{}) ([]model.Group, error) {
	answer, _, err := ask[*kmsg.ListGroupsResponse](ctx, b, now, kmsg.NewPtrListGroupsRequest())
	if err != nil {
		return nil, err
	}
	if err := kerr.ErrorForCode(answer.ErrorCode); err != nil {
		return nil, err
	}
	groups := make([]model.Group, 0, len(answer.Groups))
	for _, g := range answer.Groups {
		groups = append(groups, model.Group{Name: g.Group, Kind: kindOf(g.GroupType, g.ProtocolType), State: g.GroupState, ProtocolType: g.ProtocolType})
	}
	return groups, nil
}

// kindOf reads a group's type; brokers before 3.8 do not give one, and have only classic groups
// and, from 3.7 on, early consumer groups that answer like them.
func kindOf(groupType, protocolType string) model.GroupKind {
	kinds := []model.GroupKind{model.KindClassic, model.KindConsumer, model.KindShare, model.KindStreams}
	for _, k := range kinds {
		if strings.EqualFold(groupType, k.String()) {
			return k
		}
	}
	if protocolType == model.KindShare.String() {
		return model.KindShare
	}
	return model.KindClassic
}

// applyGroups takes over the watched groups. Brokers before 2.6 list no states; such a group's
// members are not known.
func (p *poll) applyGroups(listed map[string]listedGroup) {
	for name, l := range listed {
		if !p.watchesGroup(name) {
			continue
		}
		delete(p.c.memory.unlisted, name)
		g := l.group
		if old := p.groups[name]; old != nil && old.Kind != model.KindExternal {
			g.Offsets, g.OffsetsRead, g.Refused, g.Unsupported = old.Offsets, old.OffsetsRead, old.Refused, old.Unsupported
			g.Assigned, g.Subscribed = old.Assigned, old.Subscribed
		}
		if !g.HasMembers() {
			g.Assigned, g.Subscribed = nil, nil
		}
		p.groups[name] = &g
	}
}

// missingGroups decides about groups that are listed no more. A broker that does not answer hides
// its groups, and a coordinator that is still loading lists nothing without saying so, so it takes
// two successive complete lists.
func (p *poll) missingGroups(listed map[string]listedGroup, complete bool) {
	lost := 0
	for name, g := range p.groups {
		if _, have := listed[name]; have || g.Kind == model.KindExternal {
			continue
		}
		p.seen++
		if !complete {
			continue
		}
		p.c.memory.unlisted[name]++
		if p.c.memory.unlisted[name] >= 2 {
			delete(p.groups, name)
			p.seen--
			continue
		}
		lost++
	}
	if lost > 0 && len(listed) == 0 {
		p.problems.addCause(model.StageGroups, causeSuspicious, "no broker lists any group, where there were some", about{count: lost})
	}
}

// byCoordinator sorts names under the brokers that coordinate them, in a stable order.
func byCoordinator(listed map[string]listedGroup, names []string) map[model.BrokerID][]string {
	slices.Sort(names)
	work := map[model.BrokerID][]string{}
	for _, name := range names {
		b := listed[name].coordinator
		work[b] = append(work[b], name)
	}
	return work
}
