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

// trail is where a group has been: its position at the polls that saw it change, none of which is
// before the one ahead of it. Older history is kept ever more coarsely. Times are kept as
// milliseconds after the first of them, so that a trail reaches back 24 days at most, and positions as
// steps from the first: of one offset, or where the last is more than 2^32 further of the smallest
// power of two that reaches it. So a trail takes 300 bytes.
type trail struct {
	n      int32
	shift  uint8 // of the steps
	begin  model.Instant
	base   model.Offset
	newest model.Offset // the last of them, exactly
	after  [maxTrail]int32
	steps  [maxTrail]uint32
}

func (t *trail) at(i int) model.Instant { return t.begin.Add(model.Millis(t.after[i])) }

func (t *trail) position(i int) model.Offset {
	if i == t.len()-1 {
		return t.newest
	}
	return t.base + model.Offset(t.steps[i])<<t.shift
}

func (t *trail) len() int { return int(t.n) }

// last is the newest of it, which there must be.
func (t *trail) last() (at model.Instant, position model.Offset) {
	return t.at(t.len() - 1), t.newest
}

// add takes in a position, later than all before.
func (t *trail) add(at model.Instant, position model.Offset) {
	for t.n > 0 && at.Sub(t.begin) > math.MaxInt32 {
		t.drop(0)
	}
	if t.n == maxTrail {
		t.drop(t.leastTelling())
	}
	if t.n == 0 {
		t.begin, t.base, t.shift = at, position, 0
	}
	t.reach(position)
	t.after[t.n], t.steps[t.n] = int32(at.Sub(t.begin)), uint32(max(0, position-t.base)>>t.shift)
	t.newest = position
	t.n++
}

// reach makes the steps so large that a position is within their range.
func (t *trail) reach(position model.Offset) {
	for (position-t.base)>>t.shift > math.MaxUint32 {
		t.shift++
		for i := range t.n {
			t.steps[i] >>= 1
		}
	}
}

// drop takes one out.
func (t *trail) drop(i int) {
	copy(t.after[i:t.n-1], t.after[i+1:t.n])
	copy(t.steps[i:t.n-1], t.steps[i+1:t.n])
	t.n--
	if i > 0 || t.n == 0 {
		return
	}
	first, step := t.after[0], t.steps[0]
	t.begin, t.base = t.begin.Add(model.Millis(first)), t.base+model.Offset(step)<<t.shift
	for k := range t.n {
		t.after[k] -= first
		t.steps[k] -= step
	}
}

// leastTelling is the one of the older ones whose neighbours are closest, in proportion to their age.
func (t *trail) leastTelling() int {
	best, least := 1, math.Inf(1)
	for i := 1; i < t.len()-trailRecent; i++ {
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
	if i+1 == t.len() || t.after[i] >= x {
		return float64(t.position(i))
	}
	share := float64(x-t.after[i]) / float64(t.after[i+1]-t.after[i])
	return float64(t.position(i)) + share*float64(t.position(i+1)-t.position(i))
}
