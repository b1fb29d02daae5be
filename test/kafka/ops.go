package kafka

import (
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Ops does to a cluster what its users, operators and accidents do: it makes topics, writes records
// with chosen stamps, commits, deletes, changes settings, moves leaders. Every method waits until the
// cluster shows the result or the context ends. It needs nothing but addresses.
type Ops struct {
	client *kgo.Client
	admin  *kadm.Client
}

// NewOps makes an Ops of any cluster. Options are added to those of its client. Close it after use.
func NewOps(seeds []string, opts ...kgo.Opt) (*Ops, error) {
	client, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(seeds...),
		kgo.RecordPartitioner(kgo.ManualPartitioner()), // the default one ignores Record.Partition
		kgo.ProducerBatchCompression(kgo.NoCompression()),
		kgo.DisableIdempotentWrite(), // sequence numbers would not survive a topic's re-creation
		kgo.ProducerLinger(5 * time.Millisecond),
		kgo.MetadataMinAge(100 * time.Millisecond),
	}, opts...)...)
	if err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	return &Ops{client: client, admin: kadm.NewClient(client)}, nil
}

// Close ends the client.
func (o *Ops) Close() { o.client.Close() }

// Admin is for whatever has no method here. It shares the client of Ops, whose topic list may be up to
// 100 ms old.
func (o *Ops) Admin() *kadm.Client { return o.admin }
