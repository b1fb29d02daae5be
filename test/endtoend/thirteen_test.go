package endtoend

import (
	"os"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/scenario"
	"kafka-retention-exporter/test/score"
)

// TestThirteenScenarios plays thirteen scenarios at once on a real broker and compares what the
// program said, second by second, with what the broker then did. A real Prometheus watches the
// same run, and its alerts are held against the same truth. With KRE_FULL=1 they are played three
// times, at retentions of which none is a multiple of another, and scored together; -update then
// writes the score into alerts/README.md.
func TestThirteenScenarios(t *testing.T) {
	kafkatest.Require(t)
	retentions := []time.Duration{60 * time.Second}
	if os.Getenv("KRE_FULL") == "1" {
		retentions = append(retentions, 67*time.Second, 73*time.Second)
	}
	var board score.Board
	for _, retention := range retentions {
		t.Run(retention.String(), func(t *testing.T) { playThirteen(t, retention, &board) })
	}
	broken := board.Broken()
	for _, promise := range broken {
		t.Error("alert rules: " + promise)
	}
	t.Logf("\n%s", board.Text())
	if *update && len(broken) == 0 {
		writeScore(t, &board)
	}
}

func playThirteen(t *testing.T, retention time.Duration, board *score.Board) {
	cluster := kafkatest.Start(t, kafkatest.Options{})
	stage := scenario.Set(t, cluster.Addresses(), scenario.Thirteen(retention))
	program := Start(t, cluster.Addresses())
	prometheus := watchAlerts(t, program, retention)
	records := stage.Run(scenario.Length(retention), time.Second, func(time.Time) []scenario.Forecast {
		program.Scrape() // for the invariants
		return program.Forecasts()
	})
	scoreAlerts(t, board, prometheus, records, retention)
	scores := scenario.ScoreAll(records)
	t.Logf("\n%s", scenario.Table(scores))
	for _, broken := range scenario.Broken(scores) {
		t.Error(broken)
	}
}
