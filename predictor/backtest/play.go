package main

import (
	"fmt"
	"iter"
	"os"
	"runtime"
	"strings"
	"time"

	"kafka-retention-exporter/predictor/backtest/report"
	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/sim"
	"kafka-retention-exporter/predictor/backtest/track"
)

// workers is how many episodes are played at once.
const workers = 2

// played is one episode on its way to the scorer.
type played chan *track.Track

// playAll plays every episode of the chosen families and hands each on as soon as all before it
// are played, so that little is held and the order is always the same.
func playAll(s settings, families []sim.Family) error {
	runtime.GOMAXPROCS(workers)
	began := time.Now()
	queue := make(chan played, workers)
	go func() {
		defer close(queue)
		slots := make(chan struct{}, workers)
		for _, f := range families {
			for p := range plans(s, f) {
				out := make(played, 1)
				slots <- struct{}{}
				queue <- out
				go func() {
					out <- sim.Play(p)
					<-slots
				}()
			}
		}
	}()
	scores := score.New(s.Seed)
	var furthest []gross
	done, family := 0, ""
	for out := range queue {
		t := <-out
		scores.Add(t)
		furthest = worst(append(furthest, grossOf(t)))
		if done++; t.Family != family {
			family = t.Family
			fmt.Fprintf(s.log, "%v: %d episodes, now %s\n", time.Since(began).Round(time.Second), done, family)
		}
	}
	result := scores.Result()
	fmt.Fprint(s.out, report.Brief(result))
	for _, g := range furthest {
		fmt.Fprintln(s.out, g)
	}
	if err := publish(s, result); err != nil {
		return err
	}
	fmt.Fprintf(s.log, "%d episodes in %v\n", done, time.Since(began).Round(time.Second))
	return kept(result)
}

// plans are the episodes of a family that are to be played.
func plans(s settings, f sim.Family) iter.Seq[*sim.Plan] {
	return func(yield func(*sim.Plan) bool) {
		left, barren := s.episodes, 0
		// One in some rules is drawn; a family that is about another rule has none.
		for i := 0; left > 0 && barren < 100; i++ {
			p := sim.Draw(f, s.Options, i)
			if s.floors && p.Rule != track.ByTime {
				barren++
				continue
			}
			left, barren = left-1, 0
			if !yield(p) {
				return
			}
		}
	}
}

// kept is an error where the promise of the time rule was broken without a cause that it excepts.
func kept(result score.Result) error {
	var broken []string
	for _, half := range []*score.Half{&result.Held, &result.Tuned} {
		for _, f := range half.ByRule[track.ByTime].Floors {
			for _, b := range f.Breaks {
				broken = append(broken, fmt.Sprintf("\n%s/%d of seed %d, by %.5f of the retention", b.Family, b.Episode, b.Seed, b.By))
			}
		}
	}
	if len(broken) == 0 {
		return nil
	}
	return fmt.Errorf("floors of the time rule broken without a cause: %s", strings.Join(broken, ""))
}

// publish writes all tables to the file that was asked for.
func publish(s settings, result score.Result) error {
	if s.report == "" {
		return nil
	}
	run := report.Run{Command: "go run ./predictor/backtest " + strings.Join(os.Args[1:], " "), Seed: s.Seed}
	if s.floors {
		return report.WriteFloors(s.report, result, run)
	}
	return report.Write(s.report, result, run)
}
