package collector

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"kafka-retention-exporter/collector/committed"
	"kafka-retention-exporter/collector/compacted"
	"kafka-retention-exporter/model"
)

// readTimes begins to read on in the offsets topic, beside the steps that follow and for no longer than
// a broker may keep the poll waiting; what it returns waits for the end. It is nil where nothing is read. Where
// several exporters divide the cluster, each reads what its groups are in.
func (p *poll) readTimes() (wait func() error) {
	m := &p.c.memory
	if p.c.topic == nil || m.commitsRefused != nil && !due(m.commitsAt, p.c.config.ConfigsEvery) {
		return nil
	}
	ctx, cancel := context.WithTimeout(p.ctx, p.c.config.BrokerDeadline)
	done, portion := make(chan error, 1), p.portion
	to := compacted.Sink{Wanted: portion.Keeps, Take: m.commits.Take, Forget: m.commits.Forget}
	go func() {
		err := p.c.topic.Read(ctx, to)
		if refuses(err) {
			p.c.topic.Reset(to)
		}
		done <- err
	}()
	return func() error {
		defer cancel()
		return <-done
	}
}

// refuses tells an error that asking again does not change.
func refuses(err error) bool { return errors.Is(err, kerr.TopicAuthorizationFailed) }

// awaitTimes waits for what readTimes began, before commits are read that are to be told by it. A
// refusal is a problem of every poll, and asked about again after a while.
func (p *poll) awaitTimes(wait func() error) {
	m := &p.c.memory
	err := m.commitsRefused
	if wait != nil {
		p.timed = true
		err, m.commitsRefused = wait(), nil
		if refuses(err) {
			m.commitsRefused, m.commitsAt = err, time.Now()
		}
	}
	if err != nil {
		p.problems.add(model.StageOffsets, fmt.Errorf("when groups committed: %w", err), about{topic: committed.Topic})
	}
}

// timedCommit adds when it was committed, and tells how the pair came there, where that is known.
func (p *poll) timedCommit(g *model.Group, key model.PartitionKey, c model.Commit) model.Commit {
	if !p.timed || g.Kind == model.KindShare {
		return c
	}
	log, pair := p.c.memory.commits, model.PairKey{Group: g.Name, PartitionKey: key}
	if way := log.Earlier(pair, p.c.topic.Current); way != nil {
		if g.Earlier == nil {
			g.Earlier = map[model.PartitionKey][]model.Passed{}
		}
		g.Earlier[key] = way
	}
	return log.Times(pair, c, p.c.topic.Current)
}
