package faults

import (
	"context"
	"fmt"
	"testing"
	"time"

	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// brokerFreezes pauses a leader that is not the group's coordinator for so long that the others
// take it for dead, and lets it go on. It leads a partition of its own and one that has replicas
// elsewhere.
func brokerFreezes(ctx context.Context, t *testing.T, c *kafkatest.Cluster, program *endtoend.Program) {
	partition, victim := frozenLeader(ctx, t, c)
	c.Must(c.MoveLeader(ctx, "moving", 0, victim))
	program.Await(t, "a forecast by the broker that will freeze", endtoend.Patience, func(endtoend.Page) bool {
		leader, _ := inputsOf(program, "moving", 0)
		return leader == victim
	})
	before := program.AwaitPolls(t, 2)
	f := frozen{partition: partition, victim: victim, before: before}

	c.Must(c.Broker(victim).Pause())
	f.paused = time.Now()
	f.keepsTheLastForecast(t, program)
	moved := make(chan elected, 1)
	go func() { moved <- electionOf(ctx, c, victim) }()
	f.ridesItOut(t, program, moved)
	page := program.AwaitPolls(t, 2) // by now it is no longer listed either
	f.staysAway(t, page)
	if slow := page[durations("+Inf")] - before[durations("+Inf")] - (page[durations("5")] - before[durations("5")]); slow != 0 {
		t.Errorf("%g polls took longer than 5 s, with a deadline of 2 s for one broker", slow)
	}

	c.Must(c.Broker(victim).Resume())
	f.isBack(ctx, t, c, program)
}

// frozen is a broker that is paused, the partition that only it has, and what was said before.
type frozen struct {
	partition int
	victim    int32
	before    endtoend.Page
	paused    time.Time
}

func (f frozen) mine() string { return floorOf("spread", f.partition) }

func (f frozen) up() string { return fmt.Sprintf("broker_up{broker=%q}", fmt.Sprint(f.victim)) }

func durations(below string) string { return fmt.Sprintf("poll_duration_seconds_bucket{le=%q}", below) }

// keepsTheLastForecast: a broker that just fell silent is told by its own two series, and what it
// said last is still there.
func (f frozen) keepsTheLastForecast(t *testing.T, program *endtoend.Program) {
	t.Helper()
	answered := fmt.Sprintf("broker_last_answer_timestamp_seconds{broker=%q}", fmt.Sprint(f.victim))
	page := program.Await(t, f.up()+" 0", endtoend.Patience, func(p endtoend.Page) bool { return p[f.up()] == 0 && p.Has(f.up()) })
	if time.Since(f.paused) > endtoend.Keep-3*time.Second {
		t.Logf("the first poll without the broker was seen after %v: too late to see what it keeps", time.Since(f.paused))
		return
	}
	if page[f.mine()] != f.before[f.mine()] || !page.Has(f.mine()) {
		t.Errorf("the frozen broker's last forecast is not kept: it was %f and is %f (there: %t)", f.before[f.mine()], page[f.mine()], page.Has(f.mine()))
	}
	if at := time.UnixMilli(int64(page[answered] * 1000)); !page.Has(answered) || at.After(f.paused.Add(time.Second)) {
		t.Errorf("frozen at %v, and the last answer is said to be of %v", f.paused, at)
	}
}

// elected is the leader that took over, and when that was seen.
type elected struct {
	leader int32
	at     time.Time
	err    error
}

func electionOf(ctx context.Context, c *kafkatest.Cluster, victim int32) elected {
	leader, err := c.AwaitLeader(ctx, "moving", 0, func(id int32) bool { return id != victim && id >= 0 })
	return elected{leader, time.Now(), err}
}

// ridesItOut waits for two things in whichever order they come: what only the frozen broker knows
// is withdrawn when it is too old, and a partition with other replicas is whole again two polls
// after it has another leader. Nothing else moves.
func (f frozen) ridesItOut(t *testing.T, program *endtoend.Program, moved <-chan elected) {
	t.Helper()
	var to elected
	var polls float64
	withdrawn, taken := false, false
	program.Await(t, "the frozen broker's own withdrawn, the rest whole", endtoend.Patience, func(p endtoend.Page) bool {
		othersUnchanged(t, f.before, p, f.partition, f.victim)
		select {
		case to = <-moved:
			polls = p["polls_total"]
		default:
		}
		if !withdrawn && !p.Has(f.mine()) && p[endtoend.StaleSeries] > 0 {
			withdrawn = true
			if early := time.Since(f.paused); early < endtoend.Keep-3*time.Second { // its last answer was up to a poll before
				t.Errorf("the frozen broker's partition was withdrawn within %v", early)
			}
		}
		if !taken && polls > 0 {
			taken = f.takenOver(t, program, p, to, p["polls_total"]-polls)
		}
		return withdrawn && taken
	})
}

// takenOver tells whether the new leader's answers are in the forecast.
func (f frozen) takenOver(t *testing.T, program *endtoend.Program, p endtoend.Page, to elected, polls float64) bool {
	t.Helper()
	if to.err != nil {
		t.Fatal(to.err)
	}
	if polls > whole {
		t.Fatalf("no forecast by broker %d, %g polls after it took over", to.leader, polls)
	}
	leader, read := inputsOf(program, "moving", 0)
	return leader == to.leader && read.After(to.at) && p[floorOf("moving", 0)] == f.before[floorOf("moving", 0)]
}

func (f frozen) staysAway(t *testing.T, page endtoend.Page) {
	t.Helper()
	if page.Any(endtoend.LogSeries("reader", "spread", f.partition)...) {
		t.Errorf("the frozen broker's partition is not withdrawn:\n%s", page)
	}
	if !page.Has(endtoend.Of("group_committed_offset", "reader", "spread", f.partition)) {
		t.Error("the committed offset was withdrawn, though its coordinator answers")
	}
	if page["up"] != 1 || page[f.up()] != 0 || !page.Has(f.up()) {
		t.Errorf("one of three brokers is frozen:\n%s", page)
	}
}

// isBack: two polls after the broker leads again all is as it was.
func (f frozen) isBack(ctx context.Context, t *testing.T, c *kafkatest.Cluster, program *endtoend.Program) {
	t.Helper()
	_, err := c.AwaitLeader(ctx, "spread", int32(f.partition), func(id int32) bool { return id == f.victim })
	c.Must(err)
	polls := program.Scrape()["polls_total"]
	program.Await(t, "the frozen broker's forecast as before", endtoend.Patience, func(p endtoend.Page) bool {
		if n := p["polls_total"] - polls; n > whole {
			t.Fatalf("%g polls after the broker leads again not all is back:\n%s", n, p)
		}
		return p[f.up()] == 1 && p[f.mine()] == f.before[f.mine()] && p.Has(f.mine()) && p[endtoend.StaleSeries] == f.before[endtoend.StaleSeries]
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
func othersUnchanged(t *testing.T, before, now endtoend.Page, partition int, victim int32) {
	t.Helper()
	for other := range 3 {
		for _, s := range []string{floorOf("spread", other), endtoend.Of(endtoend.StoppedMetric, "reader", "spread", other), endtoend.OfPartition("partition_log_start_offset", "spread", other)} {
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
