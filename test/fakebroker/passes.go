package fakebroker

import (
	"context"
	"errors"
	"strconv"
	"time"

	"kafka-retention-exporter/model"
)

// startPasses runs the two tasks of a broker that delete segments: kafka-log-retention for
// topics that are only deleted from, and the cleaner threads for compacted ones
// (LogManager.cleanupLogs, LogCleaner). The cleaner's own work, compaction, is not part of it.
func (c *Cluster) startPasses(ctx context.Context) {
	deletes := func(p model.Policy) bool { return !p.Compacts() }
	backoff, err := strconv.ParseInt(c.broker[keyCleanerBackoff], 10, 64)
	if err != nil || backoff <= 0 {
		backoff = defaultBackoff.Milliseconds()
	}
	c.stopped.Go(func() { c.passes(ctx, c.options.CheckInterval, c.options.Phase, deletes) })
	c.stopped.Go(func() { c.passes(ctx, model.Millis(backoff).Duration(), 0, model.Policy.Compacts) })
}

// passes runs one task at a fixed rate until ctx ends. A pass that comes late is not made up for.
func (c *Cluster) passes(ctx context.Context, every, phase time.Duration, theirs func(model.Policy) bool) {
	for {
		wait := time.NewTimer(untilNext(time.Now(), every, phase))
		select {
		case <-ctx.Done():
			wait.Stop()
			return
		case <-wait.C:
		}
		if err := c.pass(ctx, theirs); err != nil && ctx.Err() == nil {
			c.note(err)
		}
	}
}

// untilNext is the time to the next instant, later than now, that has the phase.
func untilNext(now time.Time, every, phase time.Duration) time.Duration {
	into := (time.Duration(now.UnixNano()) - phase) % every
	if into < 0 {
		into += every
	}
	return every - into
}

func (c *Cluster) note(err error) {
	_ = c.gate.enter(context.Background())
	defer c.gate.leave()
	if c.failed == nil {
		c.failed = err
	}
}

// pass runs one pass over every log that the task is in charge of and lets the cluster delete
// what the model has deleted.
func (c *Cluster) pass(ctx context.Context, theirs func(model.Policy) bool) error {
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer c.gate.leave()
	if err := c.followAll(ctx); err != nil {
		return err
	}
	var failures []error
	for key, r := range c.logs {
		if !theirs(r.log.Settings().Policy) {
			continue
		}
		from, now := r.log.Start(), model.InstantOf(time.Now())
		r.log.Pass(now)
		if to := r.log.Start(); to != from {
			failures = append(failures, c.raise(key, r, Change{From: from, To: to, At: now}))
		}
	}
	return errors.Join(failures...)
}
