package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/answers"
	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// How a cluster is looked at: so many polls, so far apart, with so long for one and its questions.
const (
	leastPolls = 3
	mostPolls  = 6
	gap        = time.Second
	onePoll    = 20 * time.Second
	manyAsks   = 10_000
)

// Cluster is a cluster that has been looked at.
type Cluster struct {
	source    *collector.Collector
	predictor *predictor.Predictor
	snapshot  *model.Snapshot
	report    *predictor.Report // nil where no broker answered
}

// Look polls a cluster a few times. Topics are those whose logs are to be known to their ends
// whatever limits are in force. A cluster that cannot be reached is no error: answers say so.
// Close it after use.
func Look(ctx context.Context, config collector.Config, tolerance time.Duration, topics []string) (*Cluster, error) {
	config.SizesEvery = time.Millisecond // at every poll: rates show between two of them
	source, err := collector.New(config)
	if err != nil {
		return nil, err
	}
	c := &Cluster{source: source, predictor: predictor.New(predictor.Config{
		Poll: model.MillisOf(gap), ClockTolerance: model.MillisOf(tolerance),
	})}
	if err := c.look(ctx, topics); err != nil {
		source.Close()
		return nil, err
	}
	return c, nil
}

// Close ends the connections.
func (c *Cluster) Close() { c.source.Close() }

func now() model.Instant { return model.InstantOf(time.Now()) }

func (c *Cluster) look(ctx context.Context, topics []string) error {
	for polls := 1; ; polls++ {
		start := time.Now()
		c.poll(ctx, topics)
		if polls >= mostPolls || polls >= leastPolls && !c.undecided() {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("look at the cluster: %w", ctx.Err())
		case <-time.After(gap - time.Since(start)):
		}
	}
}

// poll reads the cluster once and asks until nothing is left to ask.
func (c *Cluster) poll(ctx context.Context, topics []string) {
	ctx, cancel := context.WithTimeout(ctx, onePoll)
	defer cancel()
	c.snapshot = c.source.Poll(ctx, now)
	if !c.snapshot.Reached {
		return
	}
	c.predictor.Observe(c.snapshot)
	c.narrow(ctx, func() []model.TimeQuestion { return c.predictor.Questions(manyAsks) })
	c.scan(ctx)
	for _, topic := range topics {
		c.narrow(ctx, func() []model.TimeQuestion { return c.predictor.Study(topic) })
	}
	c.report = c.predictor.Report(now())
}

// scan looks for stamps in the future. Where records keep coming there is always a newer one: it is
// asked a few times only.
func (c *Cluster) scan(ctx context.Context) {
	left := 3
	c.narrow(ctx, func() []model.TimeQuestion {
		if left--; left < 0 {
			return nil
		}
		return c.predictor.Scan()
	})
}

// narrow asks until there are no questions or no answers, or time is up.
func (c *Cluster) narrow(ctx context.Context, questions func() []model.TimeQuestion) {
	for ctx.Err() == nil {
		q := questions()
		if len(q) == 0 {
			return
		}
		got, _ := c.source.RecordTimes(ctx, now, q) // what stays open shows in the answer as unsure
		if len(got) == 0 {
			return
		}
		c.predictor.Learn(got)
	}
}

// undecided tells whether another look may tell how a group moves.
func (c *Cluster) undecided() bool {
	return c.report != nil && slices.ContainsFunc(c.report.Pairs, func(f predictor.Forecast) bool {
		reason, ok := f.Reason.Get()
		return ok && reason == predictor.NotEnoughHistory
	})
}

// Check answers what is at risk.
func (c *Cluster) Check(_ context.Context, within time.Duration) (answers.Check, error) {
	return answers.NewCheck(c.snapshot, c.report, advice.Findings(c.snapshot, c.report, advice.Lags{}.With(c.snapshot, c.report), now()), model.MillisOf(within)), nil
}

// WhatIf answers what changes would delete. Of each it asks the one record time that decides: that
// of the first record which stays.
func (c *Cluster) WhatIf(ctx context.Context, trials []Trial, factor float64) (answers.WhatIf, error) {
	var out []advice.Outcome
	for _, t := range trials {
		q := advice.Question{
			Topic: t.Topic, Changes: t.Changes, Factor: factor,
			Replicas: advice.ReplicasOf(c.snapshot, t.Topic), Release: advice.ReleasesOf(c.snapshot),
		}
		if c.report == nil {
			out = append(out, advice.WhatIf(q, nil, now()))
			continue
		}
		at := now()
		once := advice.Cutoffs(t.Changes, c.predictor.Logs(t.Topic, at))
		c.narrow(ctx, func() []model.TimeQuestion {
			defer func() { once = nil }()
			return once
		})
		out = append(out, advice.WhatIf(q, c.predictor.Logs(t.Topic, at), at))
	}
	return answers.NewWhatIf(out, factor), c.unreached()
}

// Plan answers what logs need. A topic of "" is all of them, a rate of 0 is what is seen.
func (c *Cluster) Plan(_ context.Context, topic string, rate float64, settings []string) (answers.Plan, error) {
	changes, err := parse(settings)
	if err != nil {
		return answers.Plan{}, err
	}
	var given model.Maybe[float64]
	if rate != 0 {
		given = model.Known(rate)
	}
	need := advice.Plan(c.snapshot, c.report, topic, given, changes, now())
	return answers.NewPlan(need, topic != ""), c.unreached()
}

// unreached is why there is no answer at all.
func (c *Cluster) unreached() error {
	if c.report != nil {
		return nil
	}
	var why []string
	for _, p := range c.snapshot.Problems {
		why = append(why, p.Cause)
	}
	slices.Sort(why)
	return errors.New("no broker answers: " + strings.Join(slices.Compact(why), ", "))
}
