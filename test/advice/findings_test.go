package advice

import (
	"slices"
	"testing"
	"time"

	"kafka-retention-exporter/answers"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// provoked is a topic that shows one finding.
type provoked struct {
	finding string
	configs map[string]string
	stamps  []time.Duration // of its records, from now
	size    int
	group   bool // a group has read it to the end
	stopped bool // a group stands at its beginning
	after   bool // the cure acts from the next record on
}

func provocations() map[string]provoked {
	const day = "86400000"
	fresh := []time.Duration{-3 * time.Second, -2 * time.Second, -time.Second}
	return map[string]provoked{
		"inert":     {finding: "inert_retention", configs: map[string]string{"cleanup.policy": "compact", "retention.ms": day}, stamps: fresh, group: true},
		"outlives":  {finding: "outlives_retention", configs: map[string]string{"retention.ms": "60000"}, stamps: fresh, group: true},
		"future":    {finding: "future_stamp", configs: map[string]string{"retention.ms": day, "message.timestamp.after.max.ms": "9223372036854775807", "internal.segment.bytes": "200"}, stamps: append(slices.Clone(fresh), 48*time.Hour, 0), group: true},
		"default":   {finding: "broker_default", stamps: fresh, group: true},
		"short":     {finding: "retention_short", configs: map[string]string{"retention.ms": "3600000", "segment.ms": "600000"}, stamps: []time.Duration{-40 * time.Minute, -time.Second}, stopped: true},
		"volume":    {finding: "bytes_exceed_volume", configs: map[string]string{"retention.ms": day, "retention.bytes": "10000000000000000"}, stamps: fresh, group: true},
		"active":    {finding: "active_exceeds_cap", configs: map[string]string{"retention.ms": day, "retention.bytes": "1500000"}, stamps: fresh, size: 700_000, group: true, after: true},
		"old":       {finding: "old_stamps", configs: map[string]string{"retention.ms": "3600000", "segment.ms": "600000"}, stamps: []time.Duration{-2*time.Hour - time.Second, -2 * time.Hour}, group: true},
		"uncovered": {finding: "uncovered", configs: map[string]string{"retention.ms": day}, stamps: fresh},
	}
}

func (p provoked) make(c *kafkatest.Cluster, topic string) {
	ctx := c.Context(30 * time.Second)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: topic, Configs: p.configs}))
	now := time.Now()
	for _, d := range p.stamps {
		_, err := c.Produce(ctx, topic, 0, max(100, p.size), now.Add(d))
		c.Must(err)
	}
	if p.group {
		c.Must(c.Commit(ctx, "reader", topic, 0, int64(len(p.stamps))))
	}
	if p.stopped {
		c.Must(c.Commit(ctx, "stopped", topic, 0, 0))
	}
}

// TestFindingsAreCured has a broker that runs no pass meanwhile, so that what is due stays.
func TestFindingsAreCured(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	c := kafkatest.Start(t, kafkatest.Options{Properties: map[string]string{
		"log.initial.task.delay.ms": "600000", "log.retention.check.interval.ms": "60000",
	}})
	topics := provocations()
	for name, p := range topics {
		p.make(c, name)
	}
	before := check(t, c)
	for name, p := range topics {
		f, ok := found(before, name, p.finding)
		if !ok {
			t.Errorf("%s: %s is not found in %+v", name, p.finding, before.Findings)
			continue
		}
		t.Logf("%s: %s: %s %s\n%s", f.Topic, f.Finding, f.Evidence, f.Consequence, f.Cure[0])
		cure(t, c, f.Cure[0])
		if p.after {
			_, err := c.Produce(c.Context(30*time.Second), name, 0, 100, time.Now())
			c.Must(err)
		}
	}
	after := check(t, c)
	for name, p := range topics {
		if f, ok := found(after, name, p.finding); ok {
			t.Errorf("%s: still there after its cure: %+v", name, f)
		}
	}
}

func found(c answers.Check, topic, finding string) (answers.Finding, bool) {
	i := slices.IndexFunc(c.Findings, func(f answers.Finding) bool { return f.Topic == topic && f.Finding == finding })
	if i < 0 {
		return answers.Finding{}, false
	}
	return c.Findings[i], true
}

// TestReplicaFindingsAreCured has two brokers of which the second keeps what sets nothing for three
// seconds only, the first for twenty-five.
func TestReplicaFindingsAreCured(t *testing.T) {
	kafkatest.Require(t)
	const longest = 25 * time.Second
	c := kafkatest.Start(t, kafkatest.Options{Brokers: 2,
		Properties: map[string]string{"log.retention.ms": "25000"},
		PerBroker:  map[int]map[string]string{2: {"log.retention.ms": "3000"}},
	})
	ctx := c.Context(2 * time.Minute)
	const topic = "split"
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: topic, Replicas: 2, Configs: map[string]string{"segment.ms": "1000"}}))
	if err := c.MoveLeader(ctx, topic, 0, 1); err != nil {
		t.Fatal(err)
	}
	written := time.Now()
	for i := range 6 {
		_, err := c.Produce(ctx, topic, 0, 100, written.Add(time.Duration(i-12)*time.Second))
		c.Must(err)
	}
	time.Sleep(2 * time.Second) // two passes of the second broker
	before := check(t, c)
	for _, finding := range []string{"brokers_disagree", "replica_ahead"} {
		f, ok := found(before, topic, finding)
		if !ok {
			t.Fatalf("%s is not found in %+v", finding, before.Findings)
		}
		t.Logf("%s: %s %s\n%s", f.Finding, f.Evidence, f.Consequence, f.Cure[0])
		cure(t, c, f.Cure[0])
	}
	time.Sleep(time.Until(written.Add(longest))) // the leader reaches where the follower is
	after := check(t, c)
	for _, finding := range []string{"brokers_disagree", "replica_ahead", "not_applied", "broker_default"} {
		if f, ok := found(after, topic, finding); ok {
			t.Errorf("still there after the cure: %+v", f)
		}
	}
}
