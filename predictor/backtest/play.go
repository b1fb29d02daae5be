package main

import (
	"fmt"
	"os"
	"runtime"
	"time"

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
			for i := range s.episodes {
				out := make(played, 1)
				slots <- struct{}{}
				queue <- out
				go func() {
					out <- sim.Play(sim.Draw(f, s.Options, i))
					<-slots
				}()
			}
		}
	}()
	sum := newSummary()
	done := 0
	for out := range queue {
		sum.add(<-out)
		if done++; done%s.episodes == 0 {
			fmt.Fprintf(os.Stderr, "%d of %d families, %v\n", done/s.episodes, len(families), time.Since(began).Round(time.Second))
		}
	}
	sum.print(os.Stdout)
	fmt.Fprintf(os.Stderr, "%d episodes in %v\n", done, time.Since(began).Round(time.Second))
	return nil
}
