package scenario_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/scenario"
)

// TestStageOnARealBroker plays six of the scenarios for a plain forecaster that knows the stamp of the next
// record: its floor is sound, its states and counts are right, and its estimates are poor, and all of that shows.
func TestStageOnARealBroker(t *testing.T) {
	kafkatest.Require(t)
	retention := 20 * time.Second
	c := kafkatest.Start(t, kafkatest.Options{})
	var some []scenario.Scenario
	for _, s := range scenario.Thirteen(retention) {
		if slices.Contains([]string{"stopped", "healthy", "unlimited", "delete-records", "recreated", "no-commit"}, s.Name) {
			some = append(some, s)
		}
	}
	stage := scenario.Set(t, c.Addresses(), some)
	p := &plain{admin: c.Admin(), stage: stage, all: some, lost: map[scenario.Pair]int64{}, counted: map[string]int64{}}
	records := stage.Run(2*retention+2*time.Second, 500*time.Millisecond, p.forecast)
	scores := scenario.ScoreAll(records)
	t.Logf("\n%s", scenario.Table(scores))
	labelled, judged := 0, 0
	for _, s := range scores {
		labelled += s.FloorLabelled
		judged += s.StoppedAsked
	}
	for _, b := range scenario.Broken(scores) {
		if !strings.Contains(b, "stopped loss off") && !strings.Contains(b, "median floor") {
			t.Error(b)
		}
	}
	if labelled == 0 || judged == 0 {
		t.Errorf("%d floors and %d estimates could be judged", labelled, judged)
	}
}

// plain forecasts that a record is deleted when its stamp is a retention old.
type plain struct {
	admin   *kadm.Client
	stage   *scenario.Stage
	all     []scenario.Scenario
	lost    map[scenario.Pair]int64
	counted map[string]int64 // log start up to which lost records were counted, by topic
}

func (p *plain) forecast(time.Time) []scenario.Forecast {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var groups, topics []string
	for _, s := range p.all {
		topics = append(topics, s.Name)
		for _, g := range s.Groups {
			groups = append(groups, s.Name+"."+g.Name)
		}
	}
	starts, err := p.admin.ListStartOffsets(ctx, topics...)
	if err != nil {
		return nil
	}
	now := time.Now() // what the broker said is as old as that at most
	var out []scenario.Forecast
	for _, answer := range p.admin.FetchManyOffsets(ctx, groups...) {
		for _, s := range p.all {
			if strings.HasPrefix(answer.Group, s.Name+".") {
				start, _ := starts.Lookup(s.Name, 0)
				f := scenario.Forecast{Pair: scenario.Pair{Group: answer.Group, Topic: s.Name}, MadeAt: now}
				at, ok := answer.Fetched.Lookup(s.Name, 0)
				out = append(out, p.one(f, s, start.Offset, at.At, ok && at.Err == nil))
			}
		}
	}
	for _, s := range p.all {
		if start, ok := starts.Lookup(s.Name, 0); ok {
			p.counted[s.Name] = max(p.counted[s.Name], start.Offset)
		}
	}
	return out
}

func (p *plain) one(f scenario.Forecast, s scenario.Scenario, start, position int64, committed bool) scenario.Forecast {
	if !committed {
		f.Reason = "no_commit"
		return f
	}
	f.Position, f.HasPosition = position, true
	if position < start {
		f.State = "lost"
		p.lost[f.Pair] += max(0, start-max(position, p.counted[s.Name]))
	}
	f.Lost = p.lost[f.Pair]
	if s.Rule == scenario.ByNone {
		f.Floor, f.Stopped, f.Loss = scenario.Never(), scenario.Never(), scenario.Never()
		return f
	}
	stamp, ok := p.stage.Stamp(s.Name, position)
	if !ok {
		stamp = f.MadeAt // nothing unread: a record that comes now
		if last, ok := p.stage.Stamp(s.Name, position-1); ok {
			stamp = last
		}
	}
	f.Stopped = scenario.At(stamp.Add(s.Retention))
	f.Floor, f.Loss = scenario.At(stamp.Add(s.Retention-time.Second)), f.Stopped
	return f
}
