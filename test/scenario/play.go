package scenario

import (
	"context"
	"fmt"
	"sync"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// play is a scenario under way.
type play struct {
	spec    Scenario
	ops     *kafkatest.Ops
	seeds   []string
	truth   *kafkatest.Truth
	silence context.CancelFunc // ends the producer
	groups  []*group
	zero    time.Time // times of the script count from it, but for events
	writer  *transactor
	// launch runs what lives as long as the stage, or as its context.
	ctx    context.Context
	launch func(what string, ctx context.Context, run func(context.Context) error)

	// topic is held for reading by whoever writes to the topic or commits on it, and for writing while it is
	// re-created.
	topic   sync.RWMutex
	born    time.Time // when the topic was last made
	history history

	mu       sync.Mutex
	happened []Happening
}

// create makes the topic and waits for its leader.
func (p *play) create(ctx context.Context) error {
	return p.ops.CreateTopic(ctx, kafkatest.Topic{Name: p.spec.Name, Configs: p.spec.Configs})
}

// prepare makes the topic, writes its history, and commits for the groups that begin somewhere.
func (p *play) prepare(ctx context.Context) error {
	if err := p.create(ctx); err != nil {
		return err
	}
	if p.spec.Producer.Transactional {
		var err error
		if p.writer, err = newTransactor(p.seeds, p.spec.Name); err != nil {
			return err
		}
		context.AfterFunc(p.ctx, p.writer.close)
	}
	p.born = time.Now()
	next := time.Now().Add(-p.spec.History)
	for ; time.Now().After(next); next = next.Add(p.spec.Producer.Every) {
		if err := p.beat(ctx, next); err != nil {
			return err
		}
	}
	end := p.history.end()
	for _, g := range p.spec.Groups {
		one := newGroup(p, g, p.behind(g, end))
		p.groups = append(p.groups, one)
		if !g.Silent {
			if err := one.commit(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// start lets producer and groups run until the context ends; fail hears of what goes wrong.
func (p *play) start(ctx context.Context, running *sync.WaitGroup, fail func(error)) {
	producing, silence := context.WithCancel(ctx)
	p.silence, p.ctx = silence, ctx
	p.launch = func(what string, ctx context.Context, run func(context.Context) error) {
		running.Go(func() {
			if err := run(ctx); err != nil && ctx.Err() == nil {
				fail(fmt.Errorf("%s of %s: %w", what, p.spec.Name, err))
			}
		})
	}
	p.launch("producer", producing, p.produce)
	for _, g := range p.groups {
		g.join()
	}
}

// behind is the offset of the record appended so long before the end as the group begins.
func (p *play) behind(g Group, end int64) int64 {
	if p.spec.Producer.Count == nil {
		return max(0, end-int64(g.Behind/p.spec.Producer.Every))
	}
	return p.history.since(p.zero.Add(-g.Behind - p.spec.Producer.Late))
}

// act carries out the events at their times after the origin.
func (p *play) act(ctx context.Context, origin time.Time) error {
	for _, e := range p.spec.Events {
		if !sleepUntil(ctx, origin.Add(e.At)) {
			return nil
		}
		h := Happening{Name: e.Action.name, Kind: e.Action.kind, Group: e.Action.group, Mends: e.Action.mends, Breaks: e.Action.breaks, Recreates: e.Action.recreates, Begin: time.Now()}
		if err := e.Action.do(ctx, p); err != nil {
			return fmt.Errorf("%s on %s: %w", e.Action.name, p.spec.Name, err)
		}
		h.End = time.Now()
		p.mu.Lock()
		p.happened = append(p.happened, h)
		p.mu.Unlock()
	}
	return nil
}

// group finds a group of the scenario by its name in the script.
func (p *play) group(name string) (*group, error) {
	for _, g := range p.groups {
		if g.spec.Name == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("scenario %s has no group %s", p.spec.Name, name)
}

// sleepUntil waits for an instant and tells whether it came before the context's end.
func sleepUntil(ctx context.Context, at time.Time) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Until(at)):
		return true
	}
}
