package collector

import (
	"context"
	"sync"

	"kafka-retention-exporter/model"
)

// outcome is what one broker made of its part of a step.
type outcome[W, R any] struct {
	peer   *peer
	work   W
	result R
	err    error // of the connection, or of the whole answer
}

// fanOut runs one step of the poll on all its brokers at once, one goroutine each, and waits for
// all of them: steps must not overlap, because log starts have to be older than commits and
// commits older than ends. A broker that failed earlier in the poll fails at once. What the steps
// did is merged by the caller, so nothing they touch needs a lock.
func fanOut[W, R any](p *poll, work map[model.BrokerID]W, step func(context.Context, *peer, func() model.Instant, W) (R, error)) []outcome[W, R] {
	return fanOutTo(p, p.peers, work, step)
}

// fanOutTo does so over other connections to the brokers, each with a budget of its own.
func fanOutTo[W, R any](p *poll, peers map[model.BrokerID]*peer, work map[model.BrokerID]W, step func(context.Context, *peer, func() model.Instant, W) (R, error)) []outcome[W, R] {
	out := make([]outcome[W, R], 0, len(work))
	for _, id := range sortedIDs(work) {
		if b := peers[id]; b != nil {
			out = append(out, outcome[W, R]{peer: b, work: work[id]})
		}
	}
	var running sync.WaitGroup
	for i := range out {
		running.Go(func() {
			o := &out[i]
			if o.err = o.peer.failed; o.err == nil {
				o.result, o.err = step(p.ctx, o.peer, p.now, o.work)
			}
		})
	}
	running.Wait()
	return out
}
