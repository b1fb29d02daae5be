// Command backtest plays episodes of every scenario family on the broker's own rules, forecasts
// through them as the exporter does, and tells how good the forecasts were.
//
//	go run ./predictor/backtest -seed 1 -episodes 200          # the whole of it
//	go run ./predictor/backtest -short                         # a sample within a minute
//	go run ./predictor/backtest -short -floors -episodes 2200  # more than 100,000 episodes of the time rule, for its floors
//	go run ./predictor/backtest -episode stop/17 -seed 1 -v    # one episode, poll by poll
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/pprof"

	"kafka-retention-exporter/predictor/backtest/sim"
)

// settings are the command line.
type settings struct {
	sim.Options
	episodes int
	families string
	episode  string
	verbose  bool
	traces   string
	profile  string
	report   string
	floors   bool
	out, log io.Writer
}

func main() {
	s := settings{out: os.Stdout, log: os.Stderr}
	flag.Int64Var(&s.Seed, "seed", 1, "what is drawn; the same seed gives the same episodes")
	flag.IntVar(&s.episodes, "episodes", 0, "episodes of each family; 30, or 6 with -short, unless set")
	flag.BoolVar(&s.Short, "short", false, "episodes of two retentions and few polls")
	flag.StringVar(&s.families, "families", ".", "regular expression of the families to play")
	flag.StringVar(&s.episode, "episode", "", "play only this one, as family/number")
	flag.BoolVar(&s.verbose, "v", false, "with -episode: print every poll")
	flag.StringVar(&s.traces, "traces", "../shared/traces", "folder of real traffic shapes; generated ones where it is missing")
	flag.StringVar(&s.report, "report", "", "write the scores of all tables to this file, predictor/BACKTEST.md for the published one")
	flag.BoolVar(&s.floors, "floors", false, "play only episodes of the time rule, and report nothing but its floors")
	flag.StringVar(&s.profile, "cpuprofile", "", "write a CPU profile to this file")
	flag.Parse()
	if s.episodes <= 0 {
		s.episodes = 30
		if s.Short {
			s.episodes = 6
		}
	}
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "backtest:", err)
		os.Exit(1)
	}
}

func run(s settings) error {
	if s.profile != "" {
		file, err := os.Create(s.profile)
		if err != nil {
			return fmt.Errorf("create profile: %w", err)
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			return fmt.Errorf("start profile: %w", err)
		}
		defer pprof.StopCPUProfile()
	}
	traces, err := sim.Traces(s.traces)
	if err != nil {
		return err
	}
	s.Traces = traces
	if s.episode != "" {
		return replay(s)
	}
	pattern, err := regexp.Compile(s.families)
	if err != nil {
		return fmt.Errorf("read families: %w", err)
	}
	var chosen []sim.Family
	for _, f := range sim.Families() {
		if pattern.MatchString(f.Name) {
			chosen = append(chosen, f)
		}
	}
	return playAll(s, chosen)
}
