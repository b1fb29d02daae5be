package division

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/collector/division"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/monitoring"
	"kafka-retention-exporter/test/scenario"
	"kafka-retention-exporter/test/stack"
)

const (
	group    = "retention-exporters"
	slots    = 12 // partitions of __consumer_offsets
	patience = time.Minute

	pollEvery = time.Second // of the programs, by package endtoend
	// margin is what a loaded machine adds: to a heartbeat, a poll, or the look at all pages.
	margin = 8 * time.Second
	// longest is how long anything may be missing: until the group notices the death, and a poll.
	longest = division.SessionTimeout + pollEvery + margin
	// calm is how long nothing may change hands before the next thing happens.
	calm = 3 * time.Second

	retention = 60 * time.Second
	segment   = 6 * time.Second
)

// race is a group that reads half of what is produced and loses about 37 s after the start.
func race() scenario.Scenario {
	const every = 200 * time.Millisecond
	return scenario.Scenario{
		Name: "race", Rule: scenario.ByTime, Retention: retention, History: retention * 6 / 5,
		Configs:  map[string]string{"retention.ms": "60000", "segment.ms": "6000"},
		Producer: scenario.Producer{Every: every, Size: 200},
		Groups: []scenario.Group{
			{Name: "half", Kind: scenario.Memberless, Behind: retention - 18*time.Second, Pace: 0.5 / every.Seconds(), Every: time.Second, Loses: true},
		},
	}
}

// pair is the pair of the race.
func pair() scenario.Pair { return scenario.Pair{Group: "race.half", Topic: "race"} }

// TestDivision has three exporters on one broker. While a group loses the race against retention,
// the exporter that watches it is killed, and another one joins.
func TestDivision(t *testing.T) {
	kafkatest.Require(t)
	binary := endtoend.Build(t)
	cluster := kafkatest.Start(t, kafkatest.Options{Properties: map[string]string{"offsets.topic.num.partitions": fmt.Sprint(slots)}})
	followsTheCoordinator(t, cluster.For(t))

	crew := &crew{t: t, wanted: populate(t, cluster), seen: map[string]time.Time{}}
	var scraped []string // that of who will join too
	for range 4 {
		scraped = append(scraped, fmt.Sprintf("127.0.0.1:%d", kafkatest.FreePort(t)))
	}
	start := func(address string) {
		crew.members = append(crew.members, endtoend.Run(t, binary, cluster.Addresses(), nil, "--cluster.group="+group, "--web.listen-address="+address))
	}
	for _, address := range scraped[:3] {
		start(address)
	}
	stage := scenario.Set(t, cluster.Addresses(), []scenario.Scenario{race()})
	began := time.Now()
	prometheus := stack.Start(t, strings.Join(scraped, ", "), pagingRules(t), monitoring.Nobody)

	var acts []string
	act, since := 0, time.Time{} // since when everything has been shown once
	wasExact := false
	step := func(now time.Time) []scenario.Forecast {
		s := crew.look()
		settled := s.exact && !slices.Contains(s.shows, 0)
		switch {
		case settled && !wasExact:
			wasExact, since = true, now
			acts = append(acts, fmt.Sprintf("%.1f s: all shown once, by %v", now.Sub(began).Seconds(), s.shows))
		case wasExact && !s.exact:
			t.Errorf("%.1f s: with nothing happening, missing: %v, twice: %v", now.Sub(began).Seconds(), s.missing, s.twice)
			wasExact = false
		case wasExact && now.Sub(since) > calm && act == 0:
			crew.kill(crew.owner(endtoend.Of("group_committed_offset", pair().Group, pair().Topic, 0)))
			act, wasExact = 1, false
			acts = append(acts, fmt.Sprintf("%.1f s: killed the one that watches the race", time.Since(began).Seconds()))
		case wasExact && now.Sub(since) > calm && act == 1:
			start(scraped[3])
			act, wasExact = 2, false
			acts = append(acts, fmt.Sprintf("%.1f s: one more started", time.Since(began).Seconds()))
		}
		return s.forecasts
	}
	records := stage.Run(44*time.Second, pollEvery/2, step)

	t.Logf("%s; nothing was missing for longer than %.1f s", strings.Join(acts, "; "), crew.gap.Seconds())
	if act != 2 || !wasExact {
		t.Errorf("only so far: %v", acts)
	}
	if crew.gap > longest {
		t.Errorf("something was missing for %v, want at most %v", crew.gap, longest)
	}
	foretold(t, records[0])
	pagedInTime(t, prometheus, records[0], began)
}

// populate makes a topic for each partition of __consumer_offsets and a group, each on two topics,
// and lists what is to be shown of them and of the race.
func populate(t *testing.T, c *kafkatest.Cluster) (series []string) {
	ctx := c.Context(patience)
	names := make([]string, slots)
	for i := 0; slices.Contains(names, ""); i++ {
		name := fmt.Sprintf("name-%d", i)
		names[model.OffsetsPartition(name, slots)] = name
	}
	for _, name := range names {
		c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: name}))
		_, err := c.Produce(ctx, name, 0, 10, time.Now(), time.Now())
		c.Must(err)
		series = append(series, ofTopic(name)...)
	}
	for i, name := range names {
		for _, topic := range []string{names[(i+1)%slots], names[(i+5)%slots]} {
			c.Must(c.Commit(ctx, name, topic, 0, 1))
			series = append(series, endtoend.Of("group_lag_records", name, topic, 0), endtoend.Of("group_stopped_loss_timestamp_seconds", name, topic, 0))
		}
	}
	return append(append(series, ofTopic("race")...), endtoend.Of("group_committed_offset", pair().Group, pair().Topic, 0))
}

func ofTopic(topic string) []string {
	return []string{endtoend.OfPartition("partition_log_start_offset", topic, 0), endtoend.OfPartition("partition_end_offset", topic, 0),
		fmt.Sprintf("topic_retention_seconds{topic=%q}", topic)}
}

// foretold wants the loss of the race forecast by whoever watched it, ten seconds before it came.
func foretold(t *testing.T, r *scenario.Record) {
	t.Helper()
	losses := r.Losses()
	if len(losses) == 0 {
		t.Error("the race was not lost")
		return
	}
	var last *scenario.Forecast
	for _, p := range r.Polls {
		if p.Forecast != nil && p.Forecast.Loss.Known() && p.At.Before(losses[0].Add(-retention/6)) {
			last = p.Forecast
		}
	}
	if last == nil {
		t.Errorf("no loss was foretold ten seconds before it came at %v", losses[0])
		return
	}
	at, ok := last.Loss.Time()
	t.Logf("%.1f s before the loss it was said to come %.1f s after it did", losses[0].Sub(last.MadeAt).Seconds(), at.Sub(losses[0]).Seconds())
	if !ok || at.Sub(losses[0]).Abs() > 2*segment {
		t.Errorf("said at %v: %v (ok %v); the loss came at %v", last.MadeAt, at, ok, losses[0])
	}
}

// pagingRules are the shipped rules at the scale of the topic.
func pagingRules(t *testing.T) []byte {
	t.Helper()
	o := alerts.Default()
	o.Scale = retention.Hours() / 24
	text, err := alerts.Render(o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// pagedInTime wants a critical alert about the race before it was lost, whichever exporter it came from.
func pagedInTime(t *testing.T, p *stack.Prometheus, r *scenario.Record, began time.Time) {
	t.Helper()
	fired, err := p.Range(t.Context(), fmt.Sprintf(`ALERTS{alertstate="firing",severity="critical",consumergroup=%q}`, pair().Group), began, time.Now(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var first time.Time
	for _, series := range fired {
		for _, point := range series.Points {
			if first.IsZero() || point.At.Before(first) {
				first = point.At
			}
		}
	}
	losses := r.Losses()
	if first.IsZero() || len(losses) == 0 || !first.Before(losses[0]) {
		t.Errorf("paged at %v, lost at %v", first, losses)
		return
	}
	t.Logf("paged %.1f s before the loss", losses[0].Sub(first).Seconds())
}
