package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"

	"kafka-retention-exporter/test/docs"
)

// stateTrial is the name of what package predictor measures of itself.
const stateTrial = "predictor"

// state is what the predictor holds, and what one forecast takes. Bytes are without the snapshot of
// the poll and with a share of the maps; processor time is with the collector's, everything counted
// as on one core.
type state struct {
	PartitionBytes, PairBytes float64
	ForecastNs                float64 // where each partition has one group: its own work included
	SharedNs                  float64 // a pair of 100,000, fifty on each partition
	Load                      float64
	Day                       string
}

// measureState runs the predictor's own tests and benchmarks.
func measureState(ctx context.Context) (s state, err error) {
	text, err := exec.CommandContext(ctx, "go", "test", "-run", "^TestStateOfA", "-bench", "^BenchmarkForecast", "-benchtime", "2s", "-v", "kafka-retention-exporter/predictor").CombinedOutput()
	if err != nil {
		return s, fmt.Errorf("measure the predictor: %w\n%s", err, text)
	}
	if err := s.read(string(text)); err != nil {
		return s, fmt.Errorf("measure the predictor: %w\n%s", err, text)
	}
	s.Load, s.Day = loadOf(), today()
	return s, nil
}

// read takes the figures from what go test prints.
func (s *state) read(text string) error {
	for _, one := range []struct {
		to      *float64
		pattern string
	}{
		{&s.PartitionBytes, `(\d+) bytes a partition`},
		{&s.PairBytes, `(\d+) bytes a pair`},
		{&s.ForecastNs, `BenchmarkForecast(?:-\d+)?\s.*?([\d.]+) cpu-ns/pair`},
		{&s.SharedNs, `BenchmarkForecastShared(?:-\d+)?\s.*?([\d.]+) cpu-ns/pair`},
	} {
		found := regexp.MustCompile(one.pattern).FindStringSubmatch(text)
		if found == nil {
			return fmt.Errorf("nothing like %s is told", one.pattern)
		}
		value, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			return fmt.Errorf("read %s: %w", found[1], err)
		}
		*one.to = value
	}
	return nil
}

// table sets the figures beside their targets.
func (s *state) table() string {
	if s.Day == "" {
		return "Not measured.\n"
	}
	row := func(what string, most, is float64) []string {
		return []string{what, fmt.Sprint(most), fmt.Sprintf("%.2f", is), verdict(is, most)}
	}
	return docs.Table([]string{"at most", "target", "measured", ""}, [][]string{
		row("kB of state a partition", 8, s.PartitionBytes/1000),
		row("kB of state a pair", 1, s.PairBytes/1000),
		row("us a forecast, one group on each partition", 5, s.ForecastNs/1000),
		row("us a forecast, fifty groups on each partition", 5, s.SharedNs/1000),
		row("s of one core for 100,000 pairs", 0.5, s.SharedNs*100_000/1e9),
	}) + fmt.Sprintf("\nMeasured by `go test -run TestStateOfA -bench Forecast ./predictor` on %s, load %.1f.\n", s.Day, s.Load)
}
