package fakebroker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/model"
)

// ErrClosed is what every method answers after Close; compare with errors.Is.
var ErrClosed = errors.New("cluster is closed")

// Options say what cluster is started. The zero Options are one broker on loopback that checks
// retention every five minutes.
type Options struct {
	Brokers int // 1 if 0; their ids begin at 0

	// CheckInterval is log.retention.check.interval.ms, five minutes if 0. Passes happen where
	// the Unix time in milliseconds leaves the remainder Phase when divided by it.
	CheckInterval, Phase time.Duration

	// Configs are settings of every broker (server.properties). log.retention.ms and its like
	// are the defaults of topics that set nothing.
	Configs map[string]string

	// Network replaces TCP where the cluster runs in a testing/synctest bubble.
	Network *kfake.VirtualNetwork

	// Kfake are further options for the cluster underneath.
	Kfake []kfake.Opt
}

// Cluster is a running cluster. Its methods may be called from any goroutine.
type Cluster struct {
	options Options
	broker  map[string]string // settings of every broker
	fake    *kfake.Cluster
	client  *kgo.Client
	admin   *kadm.Client

	stop    context.CancelFunc
	stopped sync.WaitGroup

	gate   gate // guards what follows; held while logs are compared with the cluster
	closed bool
	logs   map[model.PartitionKey]*replica
	failed error // the first pass that failed
}

// gate is a lock to be waited for with a context. It is a channel and not a mutex, because the
// clock of a bubble stands still while a goroutine waits for a mutex.
type gate chan struct{}

func (g gate) enter(ctx context.Context) error {
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g gate) leave() { <-g }

// Start runs a cluster until Close; its passes end with ctx too.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	if o.Brokers == 0 {
		o.Brokers = 1
	}
	if o.CheckInterval == 0 {
		o.CheckInterval = 5 * time.Minute
	}
	c := &Cluster{options: o, gate: make(gate, 1), logs: map[model.PartitionKey]*replica{}}
	c.broker = brokerDefaults()
	c.broker[keyCheckInterval] = strconv.FormatInt(o.CheckInterval.Milliseconds(), 10)
	maps.Copy(c.broker, o.Configs)
	var err error
	if c.fake, err = kfake.NewCluster(c.kfakeOptions()...); err != nil {
		return nil, fmt.Errorf("start cluster: %w", err)
	}
	c.takeOver()
	if c.client, err = kgo.NewClient(c.ClientOptions()...); err != nil {
		c.fake.Close()
		return nil, fmt.Errorf("make client: %w", err)
	}
	c.admin = kadm.NewClient(c.client)
	passing, stop := context.WithCancel(ctx)
	c.stop = stop
	c.startPasses(passing)
	return c, nil
}

func (c *Cluster) kfakeOptions() []kfake.Opt {
	configs := maps.Clone(c.options.Configs)
	if configs == nil {
		configs = map[string]string{}
	}
	// kfake deletes by rules of its own in this interval. Ten years is never.
	configs[keyCleanerBackoff] = strconv.FormatInt((10 * 365 * 24 * time.Hour).Milliseconds(), 10)
	options := []kfake.Opt{kfake.NumBrokers(c.options.Brokers), kfake.BrokerConfigs(configs)}
	if c.options.Network != nil {
		ports := make([]int, c.options.Brokers) // a virtual network gives no free ones
		for i := range ports {
			ports[i] = i + 1
		}
		options = append(options, kfake.ListenFn(c.options.Network.Listen), kfake.Ports(ports...))
	}
	return append(options, c.options.Kfake...)
}

// Addresses are the brokers' addresses (host:port).
func (c *Cluster) Addresses() []string { return c.fake.ListenAddrs() }

// Dial connects to a broker by its address, on whichever network the cluster runs.
func (c *Cluster) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	if c.options.Network != nil {
		return c.options.Network.DialContext(ctx, network, address)
	}
	var dialer net.Dialer
	return dialer.DialContext(ctx, network, address)
}

// ClientOptions are what a client needs to find the cluster.
func (c *Cluster) ClientOptions() []kgo.Opt {
	return []kgo.Opt{
		kgo.SeedBrokers(c.Addresses()...), kgo.Dialer(c.Dial),
		kgo.DisableClientMetrics(), kgo.MetadataMinAge(100 * time.Millisecond),
	}
}

// Kfake is the cluster underneath, for faults, moved leaders and the like. What kfake deletes by
// itself, and its faults on DescribeConfigs and DescribeLogDirs, are out of force.
func (c *Cluster) Kfake() *kfake.Cluster { return c.fake }

// Close ends the cluster and returns the first error that a pass met.
func (c *Cluster) Close() error {
	c.stop()
	c.stopped.Wait()
	_ = c.gate.enter(context.Background()) // whoever holds it has a context of its own
	defer c.gate.leave()
	if c.closed {
		return c.failed
	}
	c.closed = true
	c.client.Close()
	c.fake.Close()
	return c.failed
}

// enter takes the gate of a cluster that is still there.
func (c *Cluster) enter(ctx context.Context) error {
	if err := c.gate.enter(ctx); err != nil {
		return err
	}
	if c.closed {
		c.gate.leave()
		return ErrClosed
	}
	return nil
}
