package predictor

import (
	"math"
	"slices"

	"kafka-retention-exporter/model"
)

// maxTrail bounds the positions kept of a pair; trailRecent of them are the newest ones, kept as
// they came.
const (
	maxTrail    = 32
	trailRecent = 12
)

// trail is where a group has been: its position at the polls that saw it change. Older history
// is kept ever more coarsely. Times are kept as milliseconds after the first of them, so that a
// trail reaches back 24 days at most and takes half a kilobyte.
type trail struct {
	n         int
	begin     model.Instant
	after     [maxTrail]int32
	positions [maxTrail]model.Offset
}

func (t *trail) at(i int) model.Instant { return t.begin.Add(model.Millis(t.after[i])) }

// last is the newest of it, which there must be.
func (t *trail) last() (at model.Instant, position model.Offset) {
	return t.at(t.n - 1), t.positions[t.n-1]
}

// add takes in a position, later than all before.
func (t *trail) add(at model.Instant, position model.Offset) {
	if t.n == 0 {
		t.begin = at
	}
	for t.n > 0 && at.Sub(t.begin) > math.MaxInt32 {
		t.drop(0)
	}
	if t.n == maxTrail {
		t.drop(t.leastTelling())
	}
	if t.n == 0 {
		t.begin = at
	}
	t.after[t.n], t.positions[t.n] = int32(at.Sub(t.begin)), position
	t.n++
}

// drop takes one out.
func (t *trail) drop(i int) {
	copy(t.after[i:t.n-1], t.after[i+1:t.n])
	copy(t.positions[i:t.n-1], t.positions[i+1:t.n])
	t.n--
	if first := t.after[0]; i == 0 && t.n > 0 {
		t.begin = t.begin.Add(model.Millis(first))
		for k := range t.n {
			t.after[k] -= first
		}
	}
}

// leastTelling is the one of the older ones whose neighbours are closest, in proportion to their age.
func (t *trail) leastTelling() int {
	best, least := 1, math.Inf(1)
	for i := 1; i < t.n-trailRecent; i++ {
		age := float64(t.after[t.n-1] - t.after[i])
		if gap := float64(t.after[i+1]-t.after[i-1]) / age; gap < least {
			best, least = i, gap
		}
	}
	return best
}

// where interpolates the position at an instant, from index i on.
func (t *trail) where(at model.Instant, i int) float64 {
	x := int32(at.Sub(t.begin))
	if k, exact := slices.BinarySearch(t.after[i:t.n], x); exact {
		i += k
	} else {
		i += max(0, k-1)
	}
	if i+1 == t.n || t.after[i] >= x {
		return float64(t.positions[i])
	}
	share := float64(x-t.after[i]) / float64(t.after[i+1]-t.after[i])
	return float64(t.positions[i]) + share*float64(t.positions[i+1]-t.positions[i])
}
