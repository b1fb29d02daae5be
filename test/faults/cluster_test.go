package faults

import (
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestOnlyBrokerComesAndGoes starts the program before the cluster, and later takes the cluster
// away from it and gives it back.
func TestOnlyBrokerComesAndGoes(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{})
	ctx := c.Context(3 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "orders", Configs: map[string]string{"retention.ms": "3600000"}}))
	stamp := time.Now().Add(-10 * time.Minute)
	for i := range 10 {
		_, err := c.Produce(ctx, "orders", 0, 100, stamp.Add(time.Duration(i)*time.Minute))
		c.Must(err)
	}
	for group, position := range map[string]int64{"slow": 2, "reader": 7, "done": 10} {
		c.Must(c.Commit(ctx, group, "orders", 0, position))
	}
	c.Broker(1).Stop()

	program := endtoend.Start(t, c.Addresses())
	waitsForTheCluster(t, program)
	c.Must(c.Broker(1).Start(ctx))
	polls := program.Await(t, "kafka_retention_up 1", endtoend.Patience, func(p endtoend.Page) bool { return p["up"] == 1 })["polls_total"]
	whole := program.Await(t, "forecasts", endtoend.Patience, func(p endtoend.Page) bool { return p.Has(ordersSeries()...) })
	if n := whole["polls_total"] - polls; n > 5 {
		t.Errorf("forecasts came %g polls after the cluster", n)
	}
	if program.Status("/-/ready") != 200 {
		t.Error("forecasts are there and /-/ready is not 200")
	}

	c.Must(c.DeleteRecords(ctx, "orders", 0, 5))
	lost := program.Await(t, "a loss", endtoend.Patience, func(p endtoend.Page) bool { return p.Has(slowLost) })
	if n := lost[endtoend.Of("group_lost_records_total", "slow", "orders", 0)]; n != 3 || lost.Lost() != 3 {
		t.Errorf("records 2 to 4 were deleted before they were read, and %g are counted, %g in all", n, lost.Lost())
	}
	steady := program.AwaitPolls(t, 2)
	withdraws(t, c, program, steady)

	c.Must(c.Broker(1).Start(ctx))
	back := program.Await(t, "everything as before", endtoend.Patience, func(p endtoend.Page) bool {
		return p["up"] == 1 && p.Has(ordersSeries()...) && p[`broker_up{broker="1"}`] == 1 && p[endtoend.StaleSeries] == 0
	})
	unmoved(t, steady, back)
	program.AwaitPolls(t, 3) // until it counts as over
	if n := strings.Count(program.Log(), "cause=refused"); n != 4 {
		t.Errorf("the broker was away twice, each time is one line and one at its end, but the log has %d:\n%s", n, program.Log())
	}
}

const slowLost = `group_state{consumergroup="slow",partition="0",state="lost",topic="orders"}`

// ordersSeries are what is there as long as the one broker answers.
func ordersSeries() []string {
	all := []string{
		endtoend.OfPartition("partition_log_start_offset", "orders", 0), endtoend.OfPartition("partition_end_offset", "orders", 0),
		`topic_retention_seconds{topic="orders"}`, endtoend.Of(endtoend.LossMetric, "done", "orders", 0),
	}
	for _, metric := range []string{endtoend.FloorMetric, endtoend.StoppedMetric, "group_committed_offset", "group_lag_records"} {
		all = append(all, endtoend.Of(metric, "reader", "orders", 0))
	}
	return all
}

func waitsForTheCluster(t *testing.T, program *endtoend.Program) {
	t.Helper()
	page := program.Await(t, "the third poll", endtoend.Patience, func(p endtoend.Page) bool { return p["polls_total"] >= 3 })
	if up, there := page["up"]; up != 0 || !there {
		t.Errorf("kafka_retention_up is %g (there: %t) without a cluster", up, there)
	}
	if page.Any(ordersSeries()...) || len(page.Mentioning("broker_up")) > 0 {
		t.Errorf("the page pretends to know a cluster:\n%s", page)
	}
	for path, want := range map[string]int{"/-/healthy": 200, "/-/ready": 503, "/": 200, "/api/v1/forecasts": 200} {
		if got := program.Status(path); got != want {
			t.Errorf("%s answers %d without a cluster, want %d", path, got, want)
		}
	}
	if page[`poll_failures_total{stage="metadata"}`] != page["polls_total"] {
		t.Errorf("%g polls, of which %g failed", page["polls_total"], page[`poll_failures_total{stage="metadata"}`])
	}
}

// withdraws stops the broker and watches what the program still says. What it may keep is judged
// by the clock around each scrape, so that a slow machine cannot spoil it.
func withdraws(t *testing.T, c *kafkatest.Cluster, program *endtoend.Program, before endtoend.Page) {
	t.Helper()
	c.Broker(1).Stop()
	down := program.Await(t, "kafka_retention_up 0", endtoend.Patience, func(p endtoend.Page) bool { return p["up"] == 0 })
	answered := time.UnixMilli(int64(down[`broker_last_answer_timestamp_seconds{broker="1"}`] * 1000))
	floor := endtoend.Of(endtoend.FloorMetric, "reader", "orders", 0)
	answers := ordersSeries() // each withdrawn by its own age, which differ by the length of a poll
	for _, group := range []string{"reader", "done"} {
		answers = append(append(answers, endtoend.LogSeries(group, "orders", 0)...), endtoend.Of("group_committed_offset", group, "orders", 0))
	}
	gone := program.Await(t, "forecasts withdrawn", endtoend.Patience, func(p endtoend.Page) bool {
		if asked := time.Now(); p.Has(floor) && asked.After(answered.Add(endtoend.Keep+2*time.Second)) {
			t.Errorf("a forecast is still there %v after the last answer", asked.Sub(answered))
		}
		return !p.Any(answers...) && p[endtoend.StaleSeries] == 2
	})
	if early := time.Since(answered); early < endtoend.Keep-3*time.Second {
		t.Errorf("forecasts were withdrawn %v after the last answer", early)
	}
	if up, there := gone[`broker_up{broker="1"}`]; up != 0 || !there {
		t.Errorf("broker_up of the stopped broker is %g (there: %t)", up, there)
	}
	if !gone.Has(slowLost) {
		t.Error("a loss is forgotten while its broker is away")
	}
	unmoved(t, before, gone)
	if program.Status("/-/healthy") != 200 || program.Status("/-/ready") != 200 {
		t.Error("a cluster that is away is no reason to restart the program")
	}
}

// unmoved compares the loss that has happened, which nothing changes.
func unmoved(t *testing.T, before, after endtoend.Page) {
	t.Helper()
	if after.Lost() != before.Lost() {
		t.Errorf("%g records were lost, now %g are", before.Lost(), after.Lost())
	}
	for _, metric := range []string{endtoend.LossMetric, endtoend.FloorMetric, "group_lost_records_total"} {
		if s := endtoend.Of(metric, "slow", "orders", 0); after[s] != before[s] || !after.Has(s) {
			t.Errorf("%s was %f and is %f (there: %t)", s, before[s], after[s], after.Has(s))
		}
	}
}
