package collector

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// peer is one broker during one poll. Its budget is the time it may still keep us waiting in all
// requests of the poll together; once it is spent, or a request failed on the connection, the
// broker is not asked again; an answer that cannot be used says nothing of the others. At most one goroutine uses a peer at a time.
type peer struct {
	id      model.BrokerID
	client  *kgo.Broker
	wire    *wire
	release release
	left    time.Duration
	failed  error // why it is not asked again
	missed  bool  // it was asked something over another connection, and did not answer

	lastAnswer model.Read[struct{}]
}

// ask sends one request. at is the instant before it was sent: what the answer says is at least
// as new. An error means that there is no answer; error codes in the answer are the caller's.
func ask[R kmsg.Response](ctx context.Context, p *peer, now func() model.Instant, request kmsg.Request) (answer R, at model.Instant, err error) {
	answers, at, err := askAll[R](ctx, p, now, []kmsg.Request{request})
	if err != nil {
		return answer, at, err
	}
	return answers[0], at, nil
}

// mostInFlight is how many requests of one step wait for their answers at a time.
const mostInFlight = 16

// askAll sends several requests of one kind, without waiting for one before the next is sent. The
// answers are in the order of the requests; there are none if one failed.
func askAll[R kmsg.Response](ctx context.Context, p *peer, now func() model.Instant, requests []kmsg.Request) (answers []R, at model.Instant, err error) {
	if p.failed != nil {
		return nil, 0, p.failed
	}
	started := time.Now()
	ctx, cancel := context.WithTimeout(ctx, p.left)
	defer cancel()
	at = now()
	answers, err = inParallel(ctx, mostInFlight, requests, func(ctx context.Context, request kmsg.Request) (R, error) {
		return sendTyped[R](ctx, p, request)
	})
	p.left -= time.Since(started)
	if errors.Is(err, context.DeadlineExceeded) && p.wire.isThrottled(p.id) {
		err = fmt.Errorf("%w: %w", errThrottled, err)
	}
	if err != nil {
		if !onlyAnswer(err) {
			p.failed = err
		}
		return nil, at, err
	}
	p.lastAnswer = model.ReadAt(struct{}{}, now())
	return answers, at, nil
}

func sendTyped[R kmsg.Response](ctx context.Context, p *peer, request kmsg.Request) (R, error) {
	response, err := p.send(ctx, request)
	if err != nil {
		var none R
		return none, err
	}
	answer, ok := response.(R)
	if !ok {
		return answer, fmt.Errorf("read answer: unexpected type %T", response)
	}
	return answer, nil
}

// inParallel runs f on every item, at most limit at once, until one fails.
func inParallel[T, R any](ctx context.Context, limit int, items []T, f func(context.Context, T) (R, error)) ([]R, error) {
	if len(items) == 1 {
		r, err := f(ctx, items[0])
		return []R{r}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([]R, len(items))
	slots := make(chan struct{}, limit)
	var running sync.WaitGroup
	for i, item := range items {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			r, err := f(ctx, item)
			if err != nil {
				cancel(err) // the first one is kept
			}
			out[i] = r
		})
	}
	running.Wait()
	return out, context.Cause(ctx)
}

// send tries once more where the connection broke: a broker that was restarted, or one that
// closed an idle connection (connections.max.idle.ms), shows itself that way.
func (p *peer) send(ctx context.Context, request kmsg.Request) (kmsg.Response, error) {
	response, err := p.client.Request(ctx, request)
	if err != nil && ctx.Err() == nil && kgo.IsRetryableBrokerErr(err) {
		response, err = p.client.Request(ctx, request)
	}
	return response, err
}
