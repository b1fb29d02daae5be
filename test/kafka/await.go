package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// tryPatience is given to each attempt of a wait: a client with one long context may sit out all of it
// on a broker that is silent.
const tryPatience = 2 * time.Second

// await tries until done, with a short pause between tries, and tells in its error what it waited
// for and why the last try was not enough.
func await(ctx context.Context, what string, try func(context.Context) (done bool, err error)) error {
	for {
		once, cancel := context.WithTimeout(ctx, tryPatience)
		done, err := try(once)
		cancel()
		if done {
			return nil
		}
		if fatal := new(hopeless); errors.As(err, &fatal) {
			return fmt.Errorf("wait for %s: %w", what, fatal.reason)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", what, errors.Join(ctx.Err(), err))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// hopeless is an error that waiting cannot cure.
type hopeless struct{ reason error }

func (h *hopeless) Error() string { return h.reason.Error() }

// AwaitReady waits until every running broker itself lists every running broker.
func (c *Cluster) AwaitReady(ctx context.Context) error {
	return c.each(func(b *Broker) error { return c.awaitBroker(ctx, b) })
}

// awaitBroker waits until a broker answers and knows all brokers that run, itself included. It is asked
// directly with a raw Metadata request: a client's cached list would never grow. A broker that is
// not running, or that ends while it is awaited, is an error with its console.
func (c *Cluster) awaitBroker(ctx context.Context, b *Broker) error {
	cl, err := kgo.NewClient(kgo.SeedBrokers(b.Address()))
	if err != nil {
		return fmt.Errorf("wait for broker %d: %w", b.id, err)
	}
	defer cl.Close()
	return await(ctx, "broker "+strconv.Itoa(b.id), func(ctx context.Context) (bool, error) {
		if err := b.exited(); err != nil {
			return false, &hopeless{err}
		}
		req := kmsg.NewPtrMetadataRequest()
		req.Topics = []kmsg.MetadataRequestTopic{} // brokers only
		resp, err := cl.SeedBrokers()[0].Request(ctx, req)
		if err != nil {
			return false, err
		}
		var known []int
		for _, m := range resp.(*kmsg.MetadataResponse).Brokers {
			known = append(known, int(m.NodeID))
		}
		for _, other := range c.brokers {
			if other.Running() && !slices.Contains(known, other.id) {
				return false, fmt.Errorf("it knows brokers %v only", known)
			}
		}
		return true, nil
	})
}
