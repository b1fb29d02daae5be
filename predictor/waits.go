package predictor

import (
	"math"
	"slices"

	"kafka-retention-exporter/model"
)

const maxWaits = 16

// waits are how long a group with something to read last went without a commit, each time.
type waits struct {
	ring [maxWaits]int32 // milliseconds
	n    int32
}

func (w *waits) add(d model.Millis) {
	w.ring[w.n%maxWaits] = int32(min(d, math.MaxInt32))
	w.n++
}

// quantile is that of the newest ones; ok is false before one was seen.
func (w *waits) quantile(q float64) (model.Millis, bool) {
	n := min(w.n, maxWaits)
	if n == 0 {
		return 0, false
	}
	sorted := w.ring
	slices.Sort(sorted[:n])
	return model.Millis(sorted[int(math.Ceil(q*float64(n)))-1]), true
}
