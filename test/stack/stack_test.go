package stack_test

import (
	"fmt"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/dashboards"
	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/monitoring"
	"kafka-retention-exporter/test/names"
	"kafka-retention-exporter/test/scenario"
	"kafka-retention-exporter/test/stack"
)

// orders is a topic with both limits and a group of each fate: one keeps up, one is too slow, one
// hangs and loses its next records within the run.
func orders() scenario.Scenario {
	const retention, every = 60 * time.Second, 200 * time.Millisecond
	return scenario.Scenario{
		Name: "orders", Rule: scenario.ByTime, Retention: retention, History: retention * 6 / 5,
		Configs:  map[string]string{"retention.ms": "60000", "segment.ms": "6000", "retention.bytes": "10000000"},
		Producer: scenario.Producer{Every: every, Size: 200},
		Groups: []scenario.Group{
			{Name: "billing", Kind: scenario.Classic, Pace: scenario.Keep, Every: time.Second},
			{Name: "analytics", Kind: scenario.Memberless, Behind: 25 * time.Second, Pace: 2, Every: time.Second},
			{Name: "exports", Kind: scenario.Memberless, Behind: 50 * time.Second, Every: time.Second},
		},
	}
}

const watched = 45 * time.Second

// TestEveryPanelShowsData loads each dashboard as Grafana would and asks every query of every
// panel of a Prometheus that has scraped the program for a while.
func TestEveryPanelShowsData(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel() // both wait most of the time
	cluster := kafkatest.Start(t, kafkatest.Options{})
	stage := scenario.Set(t, cluster.Addresses(), []scenario.Scenario{orders()})
	exporter := net.JoinHostPort("127.0.0.1", strconv.Itoa(kafkatest.FreePort(t)))
	endtoend.Start(t, cluster.Addresses(), "--web.listen-address="+exporter)
	rules, err := alerts.Render(alerts.Default())
	if err != nil {
		t.Fatal(err)
	}
	prometheus := stack.Start(t, exporter, rules, monitoring.Nobody)
	began := time.Now()
	stage.Run(watched, time.Second, func(time.Time) []scenario.Forecast { return nil })

	all, err := dashboards.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		v := look(d, began, time.Now())
		for _, panel := range d.Panels {
			for _, q := range panel.Targets {
				t.Run(fmt.Sprintf("%s/%s/%s", d.UID, panel.Title, q.RefID), func(t *testing.T) { check(t, prometheus, v, panel, q) })
			}
		}
		if d.UID == "kafka-retention-group-partition" {
			t.Run("forecast lines meet at the loss", func(t *testing.T) { checkCrossing(t, prometheus, v, d) })
		}
	}
	t.Run("every series is announced", func(t *testing.T) { checkNames(t, prometheus) })
}

// checkNames: what was scraped is what README's table is made from.
func checkNames(t *testing.T, p *stack.Prometheus) {
	got, err := p.Instant(t.Context(), `count by (__name__) ({__name__=~"kafka_retention_.+"})`, time.Now())
	if err != nil || len(got) < 30 {
		t.Fatalf("%d names scraped (%v)", len(got), err)
	}
	for _, s := range got {
		if name := s.Labels["__name__"]; !slices.Contains(names.Served(), name) {
			t.Errorf("%s is served, and announced nowhere", name)
		}
	}
}

// look is a view of a dashboard: everything where all can be chosen, one pair where one must be.
// A range that ends in the future does so here, by as much as the retention is long.
func look(d dashboards.Dashboard, from, now time.Time) stack.View {
	v := stack.View{
		From: from, To: now, Now: now, Step: time.Second, Scrape: time.Second,
		Variables: map[string]string{"job": ".*", "kafka_cluster": ".*", "group": ".*", "topic": ".*", "instance": ".*"},
	}
	if d.Time.To != "now" {
		v.To = now.Add(2 * time.Minute)
		v.Variables["group"], v.Variables["topic"], v.Variables["partition"] = "orders.analytics", "orders", "0"
	}
	return v
}

// check expects data.
func check(t *testing.T, p *stack.Prometheus, v stack.View, panel dashboards.Panel, q dashboards.Query) {
	got, err := v.Ask(t.Context(), p, panel, q)
	if err != nil {
		t.Fatalf("%v\n%s", err, q.Expr)
	}
	if len(got) == 0 {
		t.Errorf("no data: %s", q.Expr)
	}
	for _, s := range got {
		for _, point := range s.Points {
			if math.IsNaN(point.Value) {
				t.Errorf("%v has NaN at %v: %s", s.Labels, point.At, q.Expr)
				break
			}
		}
	}
}

// checkCrossing: the line from the log start and the group's position, drawn forward, end where
// and when the group loses its first record.
func checkCrossing(t *testing.T, p *stack.Prometheus, v stack.View, d dashboards.Dashboard) {
	line := func(legend string) []stack.Point {
		for _, panel := range d.Panels {
			for _, q := range panel.Targets {
				if panel.Title == "Log start, position and end" && strings.HasPrefix(q.Legend, legend) {
					got, err := v.Ask(t.Context(), p, panel, q)
					if err != nil || len(got) != 1 {
						t.Fatalf("%s: %d series, %v", legend, len(got), err)
					}
					return got[0].Points
				}
			}
		}
		t.Fatalf("no line %q", legend)
		return nil
	}
	start, position := line("forecast: log start"), line("forecast: position")
	loss, err := p.Instant(t.Context(), `kafka_retention_group_loss_timestamp_seconds{consumergroup="orders.analytics"}`, v.Now)
	if err != nil || len(loss) != 1 {
		t.Fatalf("loss: %v, %v", loss, err)
	}
	at := time.UnixMilli(int64(loss[0].Points[0].Value * 1000))
	first, last := start[0], start[len(start)-1]
	if last.At.After(at) || at.Sub(last.At) > v.Step || position[len(position)-1].At != last.At {
		t.Errorf("loss at %v, but the lines end at %v and %v", at, last.At, position[len(position)-1].At)
	}
	if first.At.Before(v.Now.Add(-5 * time.Second)) {
		t.Errorf("the forecast begins at %v, in the past", first.At)
	}
	step := (last.Value - first.Value) / last.At.Sub(first.At).Seconds() * v.Step.Seconds()
	if gap := position[len(position)-1].Value - last.Value; gap < 0 || gap > step+1 {
		t.Errorf("the lines end %v offsets apart, a step is %v", gap, step)
	}
	t.Logf("from %v offset %.0f to %v offset %.0f", first.At, first.Value, last.At, last.Value)
}
