package faults

import (
	"context"
	"testing"
	"time"

	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestThreeBrokersMoveVanishAndFreeze does to a cluster of three what happens to clusters, one
// thing after the other, while one program watches it.
func TestThreeBrokersMoveVanishAndFreeze(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{Brokers: 3})
	ctx := c.Context(3 * time.Minute)
	for _, topic := range []kafkatest.Topic{{Name: "spread", Partitions: 3}, {Name: "moving", Replicas: 3}, {Name: "doomed"}} {
		topic.Configs = map[string]string{"retention.ms": "3600000"}
		c.Must(c.CreateTopic(ctx, topic))
		for partition := range max(1, topic.Partitions) {
			stamp := time.Now().Add(-10 * time.Minute)
			_, err := c.Produce(ctx, topic.Name, partition, 100, stamp, stamp.Add(time.Second), stamp.Add(time.Minute))
			c.Must(err)
			c.Must(c.Commit(ctx, "reader", topic.Name, partition, 1))
		}
	}
	program := endtoend.Start(t, c.Addresses())
	program.Await(t, "all forecasts", endtoend.Patience, func(p endtoend.Page) bool {
		return p.Has(floorOf("spread", 0), floorOf("spread", 1), floorOf("spread", 2), floorOf("moving", 0), floorOf("doomed", 0))
	})

	t.Run("a leader moves", func(t *testing.T) { leaderMoves(ctx, t, c.For(t), program) })
	t.Run("a topic is deleted", func(t *testing.T) { topicVanishes(ctx, t, c.For(t), program) })
	t.Run("a broker freezes", func(t *testing.T) { brokerFreezes(ctx, t, c.For(t), program) })
	if lost := program.Scrape().Lost(); lost != 0 {
		t.Errorf("%g records are counted lost where none was deleted", lost)
	}
}

// whole is how many polls may end after an event until one is seen that has taken it in: the one
// that was under way, and two that began after it.
const whole = 3

func floorOf(topic string, partition int) string {
	return endtoend.Of(endtoend.FloorMetric, "reader", topic, partition)
}

// leaderMoves expects news from the new leader within two polls. The forecast itself is never
// away: what the old leader said is kept for longer than that.
func leaderMoves(ctx context.Context, t *testing.T, c *kafkatest.Cluster, program *endtoend.Program) {
	from, err := c.AwaitLeader(ctx, "moving", 0, func(int32) bool { return true })
	c.Must(err)
	to := from%3 + 1
	c.Must(c.MoveLeader(ctx, "moving", 0, to))
	moved := time.Now()
	before := program.Scrape()
	program.Await(t, "a forecast by the new leader", endtoend.Patience, func(p endtoend.Page) bool {
		if !p.Has(floorOf("moving", 0)) || p[floorOf("moving", 0)] != before[floorOf("moving", 0)] {
			t.Errorf("the floor was %f and is %f (there: %t)", before[floorOf("moving", 0)], p[floorOf("moving", 0)], p.Has(floorOf("moving", 0)))
		}
		if n := p["polls_total"] - before["polls_total"]; n > whole {
			t.Fatalf("no forecast by broker %d, %g polls after it became leader", to, n)
		}
		leader, read := inputsOf(program, "moving", 0)
		return leader == to && read.After(moved)
	})
}

// inputsOf tells which leader reader's forecast of a partition stands on, and when it was asked.
func inputsOf(p *endtoend.Program, topic string, partition int32) (leader int32, read time.Time) {
	for _, pair := range p.Report().Pairs {
		if pair.Group == "reader" && pair.Topic == topic && pair.Number == partition && pair.Inputs.Leader != nil && pair.InputsAt != nil {
			return *pair.Inputs.Leader, pair.InputsAt.Time()
		}
	}
	return 0, time.Time{}
}

func topicVanishes(ctx context.Context, t *testing.T, c *kafkatest.Cluster, program *endtoend.Program) {
	c.Must(c.DeleteTopic(ctx, "doomed"))
	before := program.Scrape()["polls_total"]
	program.Await(t, "the end of the topic's series", endtoend.Patience, func(p endtoend.Page) bool {
		left := p.Mentioning(`topic="doomed"`)
		if n := p["polls_total"] - before; n > whole && len(left) > 0 {
			t.Fatalf("%g polls after its deletion the topic has %v", n, left)
		}
		return len(left) == 0
	})
	if page := program.AwaitPolls(t, 2); !page.Has(floorOf("spread", 0), floorOf("moving", 0)) {
		t.Errorf("another topic's forecast went with the deleted one:\n%s", page)
	}
}
