package world

import (
	"context"
	"strconv"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/test/fakebroker"
)

// orders is the one partition that is played on.
var orders = model.PartitionKey{Topic: Topic}

// play produces the records and moves the groups.
type play struct {
	cluster *fakebroker.Cluster
	began   time.Time
	next    time.Time // the next beat of the producer
	actors  []*actor
}

// actor is a group and how far it has read, in parts of records.
type actor struct {
	role
	read float64
}

func newPlay(cluster *fakebroker.Cluster, now time.Time) *play {
	p := &play{cluster: cluster, began: now, next: now.Add(-history)}
	for _, r := range cast() {
		p.actors = append(p.actors, &actor{role: r})
	}
	return p
}

// prepare creates the topic, writes its history with the stamps that it would have, and lets
// every group stand where it begins.
func (p *play) prepare(ctx context.Context) error {
	err := p.cluster.CreateTopic(ctx, Topic, 1, map[string]string{
		"retention.ms": millis(Retention), "segment.ms": millis(segmentTime),
	})
	if err != nil {
		return err
	}
	for p.next.Before(time.Now()) {
		if err := p.beat(ctx); err != nil {
			return err
		}
	}
	log, err := p.cluster.Marks(ctx, orders)
	if err != nil {
		return err
	}
	for _, a := range p.actors {
		a.read = float64(log.End) - a.behind.Seconds()*perSecond
		if err := p.commit(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// produce writes a batch at every beat until ctx ends; one that comes late has the stamp that it
// should have had.
func (p *play) produce(ctx context.Context) error {
	for sleep(ctx, time.Until(p.next)) {
		if err := p.beat(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (p *play) beat(ctx context.Context) error {
	records := make([]fakebroker.Record, beatSize)
	for i := range records {
		records[i] = fakebroker.Record{Stamp: model.InstantOf(p.next), Value: make([]byte, recordSize)}
	}
	p.next = p.next.Add(beat)
	_, err := p.cluster.Produce(ctx, Topic, 0, records...)
	return err
}

// read moves every group once a second until ctx ends.
func (p *play) read(ctx context.Context) error {
	const step = time.Second
	for n := time.Duration(1); sleep(ctx, time.Until(p.began.Add(n*step))); n++ {
		log, err := p.cluster.Marks(ctx, orders)
		if err != nil {
			return err
		}
		for _, a := range p.actors {
			if !a.move(time.Since(p.began), step, log) {
				continue
			}
			if err := p.commit(ctx, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// move is one step of a group; it tells whether there is something to commit.
func (a *actor) move(since, step time.Duration, log model.Marks) bool {
	now := a.at(since)
	if now.pace == 0 || a.read < float64(log.Start) && !now.restarted {
		return false
	}
	read := max(a.read, float64(log.Start))
	limit := float64(log.End) - now.behind.Seconds()*perSecond
	a.read = max(read, min(read+now.pace*perSecond*step.Seconds(), limit))
	return true
}

func (p *play) commit(ctx context.Context, a *actor) error {
	return p.cluster.Commit(ctx, a.group, Topic, 0, model.Offset(a.read))
}

// sleep waits; it is false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return ctx.Err() == nil
	}
}
