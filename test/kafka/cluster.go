package kafka

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// DefaultVersion is the Apache Kafka that tests run on unless they ask for another one.
const DefaultVersion = "4.4.0"

// startPatience bounds a cluster's start on a loaded machine, downloads not counted.
const startPatience = 90 * time.Second

// Options say what cluster a test needs. The zero value is one broker of DefaultVersion in compressed time.
type Options struct {
	Brokers    int                       // 1 to 3; 0 is 1
	Version    string                    // like "3.9.2"; empty is DefaultVersion
	Properties map[string]string         // added to every broker's server.properties, over the defaults
	PerBroker  map[int]map[string]string // likewise for one broker id, over Properties
	JVM        []string                  // further arguments of the Java machine, like "-Xmx1g"
	Jars       []string                  // further jars on the class path, each a Maven artifact: group:artifact:version:jar[:classifier]
}

// Cluster is a running set of brokers, ids 1 to n, that ends with its test. What a test does to
// its topics and groups are the methods of Ops.
type Cluster struct {
	*Ops
	t       testing.TB
	brokers []*Broker
}

// Start runs a cluster and returns when every broker is registered and groups can commit. It fails
// the test if that cannot be had. Brokers end with the test, also when it fails or panics.
func Start(t testing.TB, o Options) *Cluster {
	t.Helper()
	Require(t)
	if o.Brokers == 0 {
		o.Brokers = 1
	}
	if o.Brokers < 1 || o.Brokers > 3 {
		t.Fatalf("start kafka: %d brokers asked for, 1 to 3 possible", o.Brokers)
	}
	if o.Version == "" {
		o.Version = DefaultVersion
	}
	classPath, err := jarsOnce(o)
	if err != nil {
		t.Fatalf("start kafka: %v", err)
	}
	c := &Cluster{t: t}
	if err := c.prepare(t.TempDir(), o, classPath, func() (int, error) { return FreePort(t), nil }); err != nil {
		t.Fatalf("start kafka: %v", err)
	}
	t.Cleanup(c.close)
	if err := c.run(); err != nil {
		t.Fatalf("start kafka %s: %v", o.Version, err)
	}
	return c
}

// jarsOnce is the class path of a broker. It bounds the first download of a version.
func jarsOnce(o Options) (classPath string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	own, err := jars(ctx, o.Version)
	if err != nil {
		return "", err
	}
	more, err := extraJars(ctx, o.Jars)
	if err != nil {
		return "", err
	}
	var all []string
	for _, dir := range append([]string{own}, more...) {
		all = append(all, filepath.Join(dir, "*"))
	}
	return strings.Join(all, string(os.PathListSeparator)), nil
}

// prepare lays out a folder for each broker.
func (c *Cluster) prepare(root string, o Options, classPath string, free func() (port int, err error)) error {
	ports, controls := make([]int, o.Brokers), make([]int, o.Brokers)
	for i := range ports {
		var err error
		if ports[i], err = free(); err != nil {
			return err
		}
		if controls[i], err = free(); err != nil {
			return err
		}
	}
	quorum, voting := voters(controls)
	log := logging(o.Version)
	logFile := filepath.Join(root, log.file)
	if err := os.WriteFile(logFile, []byte(log.text), 0o644); err != nil {
		return err
	}
	// A broker lives for minutes on few cores: the quick compiler and the simplest collector start it in half the time.
	java := append([]string{"-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", log.flag + logFile}, o.JVM...)
	java = append(java, "-cp", classPath)
	for i := range o.Brokers {
		b := &Broker{id: i + 1, port: ports[i], dir: filepath.Join(root, strconv.Itoa(i+1)), java: java, ready: c.awaitBroker}
		n := node{id: b.id, port: b.port, controlPort: controls[i], data: b.LogDir(), brokers: o.Brokers, voters: quorum, controls: i < voting}
		if err := os.MkdirAll(b.dir, 0o755); err != nil {
			return err
		}
		text := properties(defaults(n), o.Properties, o.PerBroker[b.id])
		if err := os.WriteFile(b.properties(), []byte(text), 0o644); err != nil {
			return err
		}
		c.brokers = append(c.brokers, b)
	}
	return nil
}

// run formats and starts all brokers at once and waits until they can be used.
func (c *Cluster) run() error {
	ctx, cancel := context.WithTimeout(context.Background(), startPatience)
	defer cancel()
	if err := c.each((*Broker).format); err != nil {
		return err
	}
	if err := c.each((*Broker).launch); err != nil {
		return err
	}
	var err error
	if c.Ops, err = NewOps(c.Addresses()); err != nil {
		return err
	}
	if err := c.AwaitReady(ctx); err != nil {
		return err
	}
	return c.AwaitGroups(ctx)
}

// each does something to all brokers at the same time.
func (c *Cluster) each(do func(*Broker) error) error {
	errs := make([]error, len(c.brokers))
	var wg sync.WaitGroup
	for i, b := range c.brokers {
		wg.Go(func() { errs[i] = do(b) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// close ends the brokers at once: their data goes with the test's folder. After a failure it shows
// the end of each console log.
func (c *Cluster) close() {
	if c.Ops != nil {
		c.Close()
	}
	_ = c.each(func(b *Broker) error { b.Kill(); return nil })
	if c.t.Failed() {
		for _, b := range c.brokers {
			c.t.Logf("end of the console of broker %d:\n%s", b.id, b.tail(40))
		}
	}
}

// Addresses are the brokers' client listeners, in the order of their ids.
func (c *Cluster) Addresses() []string {
	var all []string
	for _, b := range c.brokers {
		all = append(all, b.Address())
	}
	return all
}

// Broker returns the broker of an id, 1 to n.
func (c *Cluster) Broker(id int32) *Broker {
	c.t.Helper()
	if id < 1 || int(id) > len(c.brokers) {
		c.t.Fatalf("broker %d asked for, there are 1 to %d", id, len(c.brokers))
	}
	return c.brokers[id-1]
}

// Client makes a client of the cluster that is closed with the test.
func (c *Cluster) Client(opts ...kgo.Opt) *kgo.Client {
	c.t.Helper()
	cl, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(c.Addresses()...), kgo.MetadataMinAge(100 * time.Millisecond)}, opts...)...)
	if err != nil {
		c.t.Fatalf("make kafka client: %v", err)
	}
	c.t.Cleanup(cl.Close)
	return cl
}

// For is the same cluster bound to a subtest: its failures, and the life of the clients, samplers and
// contexts made through it, are the subtest's. The brokers live on with the test that started them.
func (c *Cluster) For(t testing.TB) *Cluster {
	return &Cluster{Ops: c.Ops, t: t, brokers: c.brokers}
}

// Must fails the test on an error of one of the other methods.
func (c *Cluster) Must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// Context ends after the given time, or with the test.
func (c *Cluster) Context(d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(c.t.Context(), d)
	c.t.Cleanup(cancel)
	return ctx
}

// String names the cluster in messages.
func (c *Cluster) String() string { return fmt.Sprintf("kafka at %v", c.Addresses()) }
