package score

import (
	"math/rand/v2"
	"slices"
	"sort"
)

// replicas is how many times the episodes of a table are drawn anew.
const replicas = 200

// sample is a set of episodes, and how often each of them is in each replica.
type sample struct {
	episodes []*episode
	weights  [][]uint16 // of a replica, of an episode
}

// newSample draws the replicas. The same episodes and seed give the same ones.
func newSample(episodes []*episode, seed int64) *sample {
	rng := rand.New(rand.NewPCG(uint64(seed), uint64(len(episodes))))
	s := &sample{episodes: episodes}
	for range replicas {
		weights := make([]uint16, len(episodes))
		for range episodes {
			weights[rng.IntN(len(episodes))]++
		}
		s.weights = append(s.weights, weights)
	}
	return s
}

// part is what an episode adds to a ratio.
type part struct{ num, den float64 }

// ratio is the sum of the numerators by that of the denominators.
func (s *sample) ratio(of func(*episode) part) Figure {
	var f Figure
	parts := make([]part, len(s.episodes))
	var sum part
	for i, e := range s.episodes {
		parts[i] = of(e)
		sum.num += parts[i].num
		sum.den += parts[i].den
		if parts[i].den > 0 {
			f.N++
		}
	}
	if f.N == 0 || sum.den == 0 {
		return Figure{}
	}
	f.Value = sum.num / sum.den
	var values []float64
	for _, weights := range s.weights {
		var sum part
		for i, w := range weights {
			sum.num += float64(w) * parts[i].num
			sum.den += float64(w) * parts[i].den
		}
		if sum.den > 0 {
			values = append(values, sum.num/sum.den)
		}
	}
	f.Low, f.High = limits(values)
	return f
}

// share is a ratio between 0 and 1. Where all episodes agree the bootstrap sees no doubt: the
// rule of three does.
func (s *sample) share(of func(*episode) part) Figure {
	f := s.ratio(of)
	if !f.Known() {
		return f
	}
	doubt := min(1, 3/float64(f.N))
	switch f.Value {
	case 0:
		f.High = doubt
	case 1:
		f.Low = 1 - doubt
	}
	return f
}

// drawn is one value and the episode it is from.
type drawn struct {
	value float32
	owner int32
}

// quantiles are those of all values of the episodes.
func (s *sample) quantiles(of func(*episode) []float32, at ...float64) []Figure {
	figures := make([]Figure, len(at))
	var all []drawn
	episodes := 0
	for i, e := range s.episodes {
		values := of(e)
		for _, v := range values {
			all = append(all, drawn{v, int32(i)})
		}
		if len(values) > 0 {
			episodes++
		}
	}
	if len(all) == 0 {
		return figures
	}
	slices.SortFunc(all, func(a, b drawn) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return int(a.owner - b.owner)
	})
	once := make([]uint16, len(s.episodes))
	for i := range once {
		once[i] = 1
	}
	values := make([][]float64, len(at))
	for _, weights := range s.weights {
		for i, v := range weighted(all, weights, at) {
			values[i] = append(values[i], v)
		}
	}
	for i, v := range weighted(all, once, at) {
		figures[i] = Figure{Value: v, N: episodes}
		figures[i].Low, figures[i].High = limits(values[i])
	}
	return figures
}

// weighted are quantiles (ascending) of sorted values under the weights of their episodes:
// the first value that at least that share does not exceed. There are none of nothing.
func weighted(all []drawn, weights []uint16, at []float64) []float64 {
	total := 0
	for _, d := range all {
		total += int(weights[d.owner])
	}
	if total == 0 {
		return nil
	}
	var out []float64
	sum := 0
	for _, d := range all {
		sum += int(weights[d.owner])
		for len(out) < len(at) && float64(sum) >= at[len(out)]*float64(total) && sum > 0 {
			out = append(out, float64(d.value))
		}
		if len(out) == len(at) {
			break
		}
	}
	return out
}

// limits are the 2.5 and 97.5 % quantiles.
func limits(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 0, 0
	}
	sort.Float64s(values)
	n := len(values)
	return values[n/40], values[n-1-n/40]
}
