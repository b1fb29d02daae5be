package collector

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/collector/committed"
	"kafka-retention-exporter/collector/compacted"
	"kafka-retention-exporter/collector/disk"
	"kafka-retention-exporter/collector/division"
	"kafka-retention-exporter/collector/positions"
	"kafka-retention-exporter/model"
)

// Collector reads one cluster. Its methods may be called at the same time as each other; polls
// wait for one another.
type Collector struct {
	config Config
	client *kgo.Client
	wire   *wire
	member *division.Member               // nil where the whole cluster is watched
	disk   *disk.Reader                   // nil where no log dirs are named
	last   atomic.Pointer[model.Snapshot] // of the last poll; never nil
	kept   []*positions.Reader            // positions kept elsewhere
	topic  *compacted.Topic               // of offsets; nil where it is not read

	polling sync.Mutex // guards memory
	memory  memory
}

// New prepares to read the cluster without connecting to it: a cluster that is not there yet is
// no error, only every poll's problem. The error is a *ConfigError where a field is wrong.
func New(config Config) (*Collector, error) {
	if err := config.Validate(); err != nil {
		return nil, fmt.Errorf("check collector configuration: %w", err)
	}
	c := &Collector{config: config, wire: newWire(), disk: diskReader(config), memory: newMemory()}
	client, err := newClient(config, c.wire)
	if err != nil {
		return nil, err
	}
	c.client = client
	if config.OffsetsTopic {
		c.topic = compacted.NewTopic(client, committed.Topic)
		c.memory.commits = committed.NewLog(func(group, topic string) bool {
			return config.watchesGroup(group) && config.watchesTopic(topic, false)
		})
	}
	c.last.Store(&model.Snapshot{})
	err = c.openKept()
	if err == nil {
		err = c.join()
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Close ends all connections. Polls under way return what they have.
func (c *Collector) Close() {
	if c.member != nil {
		c.member.Close()
	}
	c.client.Close()
	for _, r := range c.kept {
		r.Close()
	}
}

// Requests is how many requests were sent to brokers since New, by API name, logins and version
// exchanges included.
func (c *Collector) Requests() map[string]int64 { return c.wire.requests() }

// Attend takes in until when readings may rest, for the polls to come. Without it nothing rests:
// every poll reads all log starts, and all sizes under retention.bytes.
func (c *Collector) Attend(a model.Attention) {
	c.polling.Lock()
	defer c.polling.Unlock()
	c.memory.attention = a
}

// Poll reads the cluster once and returns what is known after it. It takes at most twice
// BrokerDeadline, or less where ctx ends earlier; the first one takes once as long again where the
// cluster is divided. It never fails: what could not be read keeps the value and
// the instant of the last poll that could, and is listed in Problems. now is the brokers' clock,
// which stamps what is read.
func (c *Collector) Poll(ctx context.Context, now func() model.Instant) *model.Snapshot {
	c.polling.Lock()
	defer c.polling.Unlock()
	c.awaitPortion(ctx)
	p := newPoll(ctx, c, now)
	defer p.cancel()
	p.run()
	next := p.snapshot()
	c.memory.keepOnly(next)
	c.last.Store(next)
	return next
}
