package advice

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"kafka-retention-exporter/answers"
	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/command"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// look looks at a cluster as a subcommand does.
func look(t *testing.T, c *kafkatest.Cluster, topics ...string) *command.Cluster {
	t.Helper()
	config := collector.Default()
	config.Brokers = c.Addresses()
	seen, err := command.Look(c.Context(time.Minute), config, time.Second, topics)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(seen.Close)
	return seen
}

// whatIf asks what a change of one topic would delete.
func whatIf(t *testing.T, c *kafkatest.Cluster, seen *command.Cluster, topic string, settings ...string) answers.Outcome {
	t.Helper()
	trial, err := command.NewTrial(topic, settings)
	if err != nil {
		t.Fatal(err)
	}
	out, err := seen.WhatIf(c.Context(time.Minute), []command.Trial{trial}, 2)
	if err != nil {
		t.Fatal(err)
	}
	return out.Topics[0]
}

// check asks what is found.
func check(t *testing.T, c *kafkatest.Cluster) answers.Check {
	t.Helper()
	out, err := look(t, c).Check(c.Context(time.Minute), 24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sizes are the bytes of a topic's partitions in the log dirs of the broker with the given id.
func sizes(t *testing.T, c *kafkatest.Cluster, broker int32, topic string) map[int32]int64 {
	t.Helper()
	dirs, err := c.Admin().DescribeAllLogDirs(c.Context(30*time.Second), nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[int32]int64{}
	dirs[broker].Each(func(d kadm.DescribedLogDir) {
		for partition, p := range d.Topics[topic] {
			out[partition] = p.Size
		}
	})
	return out
}

// starts are the log start offsets of a topic.
func starts(t *testing.T, c *kafkatest.Cluster, topic string) map[int32]int64 {
	t.Helper()
	listed, err := c.Admin().ListStartOffsets(c.Context(30*time.Second), topic)
	if err != nil {
		t.Fatal(err)
	}
	out := map[int32]int64{}
	listed.Each(func(o kadm.ListedOffset) { out[o.Partition] = o.Offset })
	return out
}
