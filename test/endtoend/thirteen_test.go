package endtoend

import (
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/scenario"
)

// TestThirteenScenarios plays thirteen scenarios at once on a real broker and compares what the
// program said, second by second, with what the broker then did.
func TestThirteenScenarios(t *testing.T) {
	kafkatest.Require(t)
	const retention = 60 * time.Second
	cluster := kafkatest.Start(t, kafkatest.Options{})
	stage := scenario.Set(t, cluster.Addresses(), scenario.Thirteen(retention))
	program := Start(t, cluster.Addresses())
	records := stage.Run(scenario.Length(retention), time.Second, func(time.Time) []scenario.Forecast {
		program.Scrape() // for the invariants
		return program.Forecasts()
	})
	scores := scenario.ScoreAll(records)
	t.Logf("\n%s", scenario.Table(scores))
	for _, broken := range scenario.Broken(scores) {
		t.Error(broken)
	}
}
