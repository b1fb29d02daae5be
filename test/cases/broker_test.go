package cases_test

import (
	"testing"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestOneBroker shows the cases that one running broker can show, side by side. It waits for most
// of its time, which TestRestart and TestThreeBrokers use.
func TestOneBroker(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	c := kafkatest.Start(t, kafkatest.Options{Properties: map[string]string{
		"log.retention.hours":                 "48",
		"offsets.retention.minutes":           "1",
		"offsets.retention.check.interval.ms": "1000",
	}})
	timeCases(t, c)
	logCases(t, c)
	offsetCases(t, c)
	groupCases(t, c)
	t.Run("case 72: a share group goes on at the log start", func(t *testing.T) { parallel(t, c, shareBehind) })
}
