package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	fake "github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/process"
)

// cluster is a running broker with what a size says in it.
type cluster struct {
	address string
	pid     int
	end     func() error
}

// start runs an empty broker.
func start(ctx context.Context, kind, dir string) (*cluster, error) {
	if kind == kfake {
		return startFake(ctx, dir)
	}
	return startKafka(dir)
}

// startKafka runs a broker as one is run in earnest: its usual collector and compiler, two gigabytes
// of heap, retention checked every five minutes. Index files are allocated in full and mapped, so
// they are kept small.
func startKafka(dir string) (*cluster, error) {
	s, err := kafkatest.StartSingle(dir, kafkatest.Options{
		JVM: []string{"-Xms2g", "-Xmx2g", "-XX:-UseSerialGC", "-XX:+UseG1GC", "-XX:TieredStopAtLevel=4"},
		Properties: map[string]string{
			"log.retention.check.interval.ms": "300000",
			"log.initial.task.delay.ms":       "30000",
			"log.cleaner.backoff.ms":          "15000",
			"log.index.size.max.bytes":        "4096",
		},
	})
	if err != nil {
		return nil, err
	}
	return &cluster{address: s.Address(), pid: s.PID(), end: s.Close}, nil
}

// startFake runs this program once more, as kfake.
func startFake(ctx context.Context, dir string) (*cluster, error) {
	port, free, err := kafkatest.ReservePort()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	console := filepath.Join(dir, "kfake.log")
	p, err := process.Start(exec.Command(self, childFake, strconv.Itoa(port)), console)
	if err != nil {
		return nil, err
	}
	c := &cluster{address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), pid: p.PID()}
	c.end = func() error { p.Kill(); free(); return nil }
	for {
		if err := ping(ctx, c.address); err == nil {
			return c, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.Done():
			text, _ := os.ReadFile(console)
			return nil, fmt.Errorf("kfake has ended: %w\n%s", p.Err(), text)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func ping(ctx context.Context, address string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(address))
	if err != nil {
		return err
	}
	defer client.Close()
	return client.Ping(ctx)
}

// serveFake is kfake, which never deletes by itself, until ctx ends.
func serveFake(ctx context.Context, port string) error {
	n, err := strconv.Atoi(port)
	if err != nil {
		return err
	}
	c, err := fake.NewCluster(fake.NumBrokers(1), fake.Ports(n), fake.BrokerConfigs(map[string]string{
		"log.cleaner.backoff.ms": "315360000000", "log.retention.check.interval.ms": "300000",
	}))
	if err != nil {
		return fmt.Errorf("start kfake: %w", err)
	}
	defer c.Close()
	<-ctx.Done()
	return nil
}
