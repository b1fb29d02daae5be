package collector

import (
	"context"
	"fmt"
	"sync"

	"kafka-retention-exporter/collector/positions"
	"kafka-retention-exporter/model"
)

// keptAnswer is what became of asking one keeper of positions.
type keptAnswer struct {
	reader *positions.Reader
	asked  model.Instant
	told   positions.Told
	err    error
}

// openKept prepares to ask those who keep positions that no group shows. Where a topic has them, it is
// read by a client of its own, since it may be in another cluster; the login is the same.
func (c *Collector) openKept() error {
	for _, source := range c.config.Positions {
		if source.Connect == nil {
			c.kept = append(c.kept, positions.NewReader(source))
			continue
		}
		there := c.config
		if source.Connect.Brokers != nil {
			there.Brokers = source.Connect.Brokers
		}
		client, err := newClient(there, counted{c.wire})
		if err != nil {
			return fmt.Errorf("positions of %s: %w", source.Name, err)
		}
		c.kept = append(c.kept, positions.NewTopicReader(source, client))
	}
	return nil
}

// askKeepers begins to ask those who keep positions that no group shows; the function it returns
// waits for them. Like commits they are asked after the log starts were read and before the ends
// are. None keeps the poll waiting for longer than a broker may.
func (p *poll) askKeepers() (wait func() []keptAnswer) {
	ctx, cancel := context.WithTimeout(p.ctx, p.c.config.BrokerDeadline)
	keepers := p.keepers()
	answers := make([]keptAnswer, len(keepers))
	var running sync.WaitGroup
	for i, reader := range keepers {
		if p.c.memory.taken[reader.Name] {
			answers[i] = keptAnswer{reader: reader}
			continue
		}
		running.Go(func() {
			asked := p.now()
			told, err := reader.Read(ctx, p.now)
			answers[i] = keptAnswer{reader, asked, told, err}
		})
	}
	return func() []keptAnswer {
		defer cancel()
		running.Wait()
		return answers
	}
}

// keepers are those that this exporter answers for, by their names like groups.
func (p *poll) keepers() (mine []*positions.Reader) {
	for _, r := range p.c.kept {
		if p.portion.Owns(r.Name) {
			mine = append(mine, r)
		}
	}
	return mine
}

// noteTaken notes which names of keepers belong to groups of the cluster, watched or not. That one
// is free again only a complete list can show.
func (p *poll) noteTaken(listed map[string]listedGroup, complete bool) {
	for _, r := range p.c.kept {
		_, have := listed[r.Name]
		g := p.groups[r.Name]
		switch {
		case have:
			p.c.memory.taken[r.Name] = true
		case complete && (g == nil || g.Kind == model.KindExternal): // else it is not believed yet
			delete(p.c.memory.taken, r.Name)
		}
	}
}

// takeKept shows positions under the names of their keepers.
func (p *poll) takeKept(answers []keptAnswer) {
	for _, a := range answers {
		name := a.reader.Name
		if p.c.memory.taken[name] {
			p.problems.addCause(model.StageOffsets, causeNameTaken,
				fmt.Sprintf("positions of %s are not shown: a group of the cluster has that name", name), about{group: name})
			if g := p.groups[name]; g != nil && g.Kind == model.KindExternal {
				delete(p.groups, name)
			}
			continue
		}
		p.keep(a)
	}
}

// keep takes over one answer. What could not be read again keeps its value and its instant, as
// everywhere. What is older than it may be is no reading of this poll, and has lapsed.
func (p *poll) keep(a keptAnswer) {
	name := a.reader.Name
	g := model.Group{Name: name, Kind: model.KindExternal}
	if old := p.groups[name]; old != nil {
		g = *old
	}
	p.groups[name] = &g
	if a.err != nil {
		p.problems.addCause(model.StageOffsets, causeKeeper, name+": "+detailOf(a.err), about{group: name})
		return
	}
	lapses := a.told.At.Add(model.MillisOf(a.reader.MaxAge))
	g.Told, g.Lapses = model.Known(a.told.At), model.Known(lapses)
	if lapses < a.asked {
		p.problems.addCause(model.StageOffsets, causeKeptOld, fmt.Sprintf("%s: what it says is of %v, more than %v ago", name, a.told.At, a.reader.MaxAge), about{group: name})
	}
	offsets := map[model.PartitionKey]model.Read[model.Commit]{}
	for key, offset := range a.told.Offsets {
		if p.parts[key] == nil {
			p.stranger(key.Topic)
			continue
		}
		offsets[key] = model.ReadAt(model.Commit{Offset: offset, LeaderEpoch: -1}, min(a.asked, lapses))
	}
	g.Offsets, g.OffsetsRead = offsets, model.ReadAt(struct{}{}, a.asked)
}
