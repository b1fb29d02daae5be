package endtoend

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/test/docs"
	"kafka-retention-exporter/test/monitoring"
	"kafka-retention-exporter/test/scenario"
	"kafka-retention-exporter/test/score"
	"kafka-retention-exporter/test/stack"
)

var update = flag.Bool("update", false, "write the score of the alert rules into alerts/README.md")

// lookEvery is how often Prometheus is asked what fired; it evaluates once a second.
const lookEvery = 500 * time.Millisecond

// scaleOf is the scale of the rules for a retention: they are written for a day.
func scaleOf(retention time.Duration) float64 { return retention.Hours() / 24 }

// watchAlerts starts a Prometheus that scrapes the program once a second and evaluates the shipped
// rules as they are shipped, and those that people use today, at the scale of a retention.
func watchAlerts(t *testing.T, p *Program, retention time.Duration) *stack.Prometheus {
	t.Helper()
	o := alerts.Default()
	o.Scale = scaleOf(retention)
	shipped, err := alerts.Render(o)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := score.RuleFile(shipped, score.Families(o.Scale)...)
	if err != nil {
		t.Fatal(err)
	}
	return stack.Start(t, strings.TrimPrefix(p.base, "http://"), rules, monitoring.Nobody)
}

// scoreAlerts adds to the board what the alerts of a run were worth.
func scoreAlerts(t *testing.T, board *score.Board, p *stack.Prometheus, records []*scenario.Record, retention time.Duration) {
	t.Helper()
	run := runOf(records, retention)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	fired, err := p.Range(ctx, `ALERTS{alertstate="firing", consumergroup!=""}`, run.From, run.To, lookEvery)
	if err != nil {
		t.Fatal(err)
	}
	board.Add(run, func(set score.Set) score.Alarms { return alarms(fired, set) })
}

// runOf is what became of the pairs from the first poll to the last.
func runOf(records []*scenario.Record, retention time.Duration) score.Run {
	polls := records[0].Polls
	r := score.Run{From: polls[0].At, To: polls[len(polls)-1].At, Scale: scaleOf(retention)}
	for _, record := range records {
		r.Fates = append(r.Fates, score.Fate{
			Pair: pairName(record.Pair.Group, record.Pair.Topic), Losses: record.Losses(), Surprises: record.Surprises(),
		})
	}
	return r
}

// alarms are when at least one alert of a set fired.
func alarms(fired []stack.Series, set score.Set) score.Alarms {
	instants := map[string][]time.Time{}
	for _, s := range fired {
		if set.Has(s.Labels) {
			pair := pairName(s.Labels["consumergroup"], s.Labels["topic"])
			for _, point := range s.Points {
				instants[pair] = append(instants[pair], point.At)
			}
		}
	}
	out := score.Alarms{}
	for pair, at := range instants {
		out[pair] = score.Spans(at, lookEvery)
	}
	return out
}

func pairName(group, topic string) string { return group + " " + topic }

// writeScore puts the score into the page for people.
func writeScore(t *testing.T, board *score.Board) {
	t.Helper()
	const path = root + "/alerts/README.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	made := fmt.Sprintf("Made on %s with %s on %s/%s, %d cores: ", time.Now().UTC().Format(time.DateOnly), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	text, err := docs.Replace(string(page), "score", made+board.Text())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
