package main

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"kafka-retention-exporter/test/vectors/mistakes"
)

// plantAll plants every mistake, as many side by side as there are cores.
func plantAll(ctx context.Context) ([]mistakes.Outcome, error) {
	all := mistakes.All()
	outcomes, failures := make([]mistakes.Outcome, len(all)), make([]error, len(all))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i, m := range all {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			outcomes[i], failures[i] = mistakes.Plant(ctx, ".", m)
		})
	}
	group.Wait()
	return outcomes, errors.Join(failures...)
}
