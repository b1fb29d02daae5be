package scenario

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	kafkatest "kafka-retention-exporter/test/kafka"
)

const (
	commitPatience = 10 * time.Second
	sessionTimeout = 6 * time.Second // the least that a broker allows by default: killed members are missed soon
)

// runMember fetches as a member of the group at its pace and commits what it has fetched, until the context
// ends; then it leaves.
func (g *group) runMember(ctx context.Context, line *line) error {
	opts := []kgo.Opt{
		kgo.SeedBrokers(g.play.seeds...), kgo.ConsumerGroup(g.pair.Group), kgo.ConsumeTopics(g.pair.Topic),
		kgo.DisableAutoCommit(), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchMaxWait(250 * time.Millisecond),
		kgo.SessionTimeout(sessionTimeout), kgo.Dialer(line.dial),
	}
	if g.spec.Cooperative {
		opts = append(opts, kgo.Balancers(kgo.CooperativeStickyBalancer()))
	}
	if g.spec.Kind == Consumer {
		opts = append(opts, kgo.ServerSideBalancer(), kgo.Balancers(kgo.RangeBalancer()))
	}
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return fmt.Errorf("make client: %w", err)
	}
	defer client.Close()
	budget, last := 0.0, time.Now()
	for sleepUntil(ctx, last.Add(g.spec.Every)) {
		now := time.Now()
		pace := g.paceNow()
		// What was not used is not saved up for more than a beat: a reader that waits does not become faster.
		budget = min(budget+pace*now.Sub(last).Seconds(), 2*pace*g.spec.Every.Seconds()+1)
		last = now
		budget -= float64(g.fetch(ctx, client, int(min(budget, 1e6))))
	}
	return nil
}

// fetch polls for at most n records for a part of the beat and commits them. A commit that a rebalance or a
// restart of the broker refuses is none: the next one covers what was read, or another member reads it again.
func (g *group) fetch(ctx context.Context, client *kgo.Client, n int) (got int) {
	if n == 0 {
		return 0
	}
	polling, cancel := context.WithTimeout(ctx, g.spec.Every/2)
	defer cancel()
	// Errors that come with a poll are the deadline, or tell of records lost, which is what scripts are for.
	records := client.PollRecords(polling, n).Records()
	if len(records) == 0 || g.spec.Silent {
		return len(records)
	}
	// A commit under way when the member leaves takes effect or not, and the track must say which.
	committing, done := context.WithTimeout(context.WithoutCancel(ctx), commitPatience)
	defer done()
	sent := time.Now()
	if client.CommitRecords(committing, records...) == nil {
		g.track.add(Commit{Offset: records[len(records)-1].Offset + 1, Sent: sent, Acked: time.Now()})
	}
	return len(records)
}

// key is the group's partition as the sampler knows it.
func (g *group) key() kafkatest.Key { return kafkatest.Key{Topic: g.pair.Topic} }
