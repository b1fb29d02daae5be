package endtoend

import (
	"context"
	"fmt"
	"testing"
	"time"

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
	program := Start(t, c.Addresses())
	program.Await(t, "all forecasts", scrapePatience, func(p Page) bool {
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

func floorOf(topic string, partition int) string { return Of(floorMetric, "reader", topic, partition) }

// leaderMoves expects news from the new leader within two polls. The forecast itself is never
// away: what the old leader said is kept for longer than that.
func leaderMoves(ctx context.Context, t *testing.T, c *kafkatest.Cluster, program *Program) {
	from, err := c.AwaitLeader(ctx, "moving", 0, func(int32) bool { return true })
	c.Must(err)
	to := from%3 + 1
	c.Must(c.MoveLeader(ctx, "moving", 0, to))
	moved := time.Now()
	before := program.Scrape()
	program.Await(t, "a forecast by the new leader", scrapePatience, func(p Page) bool {
		if !p.Has(floorOf("moving", 0)) || p[floorOf("moving", 0)] != before[floorOf("moving", 0)] {
			t.Errorf("the floor was %f and is %f (there: %t)", before[floorOf("moving", 0)], p[floorOf("moving", 0)], p.Has(floorOf("moving", 0)))
		}
		if n := p["polls_total"] - before["polls_total"]; n > whole {
			t.Fatalf("no forecast by broker %d, %g polls after it became leader", to, n)
		}
		leader, read := program.inputs("moving", 0)
		return leader == to && read.After(moved)
	})
}

// inputs tells which leader reader's forecast of a partition stands on, and when it was asked.
func (p *Program) inputs(topic string, partition int32) (leader int32, read time.Time) {
	for _, pair := range p.report().Pairs {
		if pair.Group == "reader" && pair.Topic == topic && pair.Number == partition && pair.Inputs.Leader != nil && pair.InputsAt != nil {
			return *pair.Inputs.Leader, pair.InputsAt.time()
		}
	}
	return 0, time.Time{}
}

func topicVanishes(ctx context.Context, t *testing.T, c *kafkatest.Cluster, program *Program) {
	c.Must(c.DeleteTopic(ctx, "doomed"))
	before := program.Scrape()["polls_total"]
	program.Await(t, "the end of the topic's series", scrapePatience, func(p Page) bool {
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

// brokerFreezes pauses a leader that is not the group's coordinator for so long that the others
// take it for dead, and lets it go on.
func brokerFreezes(ctx context.Context, t *testing.T, c *kafkatest.Cluster, program *Program) {
	before := program.AwaitPolls(t, 2)
	partition, victim := frozenLeader(ctx, t, c)
	up := fmt.Sprintf("broker_up{broker=%q}", fmt.Sprint(victim))
	c.Must(c.Broker(victim).Pause())
	paused := time.Now()
	program.Await(t, up+" 0", scrapePatience, func(p Page) bool { return p[up] == 0 && p.Has(up) })
	mine := floorOf("spread", partition)
	program.Await(t, "what only the frozen broker knows withdrawn", scrapePatience, func(p Page) bool {
		othersUnchanged(t, before, p, partition, victim)
		return !p.Has(mine) && p[staleSeries] > 0
	})
	if early := time.Since(paused); early < keep-3*time.Second { // its last answer was up to a poll before
		t.Errorf("the frozen broker's partition was withdrawn within %v", early)
	}
	page := program.AwaitPolls(t, 2) // by now it is no longer listed either
	if page.Any(logSeries("reader", "spread", partition)...) {
		t.Errorf("the frozen broker's partition is not withdrawn:\n%s", page)
	}
	if !page.Has(Of("group_committed_offset", "reader", "spread", partition)) {
		t.Error("the committed offset was withdrawn, though its coordinator answers")
	}
	if page["up"] != 1 || page[up] != 0 || !page.Has(up) {
		t.Errorf("one of three brokers is frozen:\n%s", page)
	}

	c.Must(c.Broker(victim).Resume())
	program.Await(t, "the frozen broker's forecast as before", scrapePatience, func(p Page) bool {
		return p[up] == 1 && p[mine] == before[mine] && p.Has(mine) && p[staleSeries] == before[staleSeries]
	})
}

// frozenLeader picks a partition of the topic whose leader does not coordinate the group.
func frozenLeader(ctx context.Context, t *testing.T, c *kafkatest.Cluster) (partition int, leader int32) {
	t.Helper()
	coordinators := c.Admin().FindGroupCoordinators(ctx, "reader")
	c.Must(coordinators.Error())
	for partition := range 3 {
		leader, err := c.AwaitLeader(ctx, "spread", int32(partition), func(int32) bool { return true })
		c.Must(err)
		if leader != coordinators["reader"].NodeID {
			return partition, leader
		}
	}
	t.Fatal("one broker leads all partitions")
	return 0, 0
}

// othersUnchanged checks that the silence of one broker is felt by its own partition only.
func othersUnchanged(t *testing.T, before, now Page, partition int, victim int32) {
	t.Helper()
	for other := range 3 {
		for _, s := range []string{floorOf("spread", other), Of(stoppedMetric, "reader", "spread", other), OfPartition("partition_log_start_offset", "spread", other)} {
			if other != partition && (now[s] != before[s] || !now.Has(s)) {
				t.Errorf("broker %d is frozen, and %s was %f and is %f (there: %t)", victim, s, before[s], now[s], now.Has(s))
			}
		}
	}
	for id := range int32(3) {
		if up := fmt.Sprintf("broker_up{broker=\"%d\"}", id+1); id+1 != victim && now[up] != 1 {
			t.Errorf("broker %d is frozen, and %s is %g", victim, up, now[up])
		}
	}
}
