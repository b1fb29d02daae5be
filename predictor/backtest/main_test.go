package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"kafka-retention-exporter/predictor/backtest/sim"
)

// The same seed gives the same report, but for what forecasts cost.
func TestRunIsTheSameAgain(t *testing.T) {
	cost := regexp.MustCompile(`(?m)[0-9.]+( \(.*?\))? µs|\| one forecast takes .*`)
	reported := func() string {
		s := settings{
			Options:  sim.Options{Seed: 4, Short: true},
			episodes: 2, families: "^(stop|healthy|cron_skipped|retention_lowered)$", traces: "../../../shared/traces",
			report: filepath.Join(t.TempDir(), "report.md"),
		}
		if err := run(s); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(s.report)
		if err != nil {
			t.Fatal(err)
		}
		return cost.ReplaceAllString(string(text), "")
	}
	if a, b := reported(), reported(); a != b || len(a) < 10_000 {
		t.Errorf("two runs differ, or say little:\n%s", a)
	}
}
