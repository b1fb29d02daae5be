package score

import (
	"math"
	"testing"
)

func made(states ...part) []*episode {
	var all []*episode
	for _, p := range states {
		all = append(all, &episode{states: p})
	}
	return all
}

func states(e *episode) part { return e.states }

func TestRatio(t *testing.T) {
	s := newSample(made(part{1, 2}, part{3, 6}, part{2, 2}, part{0, 0}), 1)
	f := s.ratio(states)
	if f.Value != 0.6 || f.N != 3 {
		t.Errorf("got %+v", f)
	}
	if f.Low != 0.5 || f.High != 1 {
		t.Errorf("limits %v, %v: among 200 draws of these are nearly surely both all halves and all ones", f.Low, f.High)
	}
	if again := newSample(s.episodes, 1).ratio(states); again != f {
		t.Errorf("got %+v, then %+v", f, again)
	}
}

// With 400 episodes, of which a quarter are right, the standard error is 0.0217.
func TestLimits(t *testing.T) {
	var parts []part
	for i := range 400 {
		parts = append(parts, part{count(i%4 == 0), 1})
	}
	f := newSample(made(parts...), 1).share(states)
	for _, d := range []float64{0.25 - f.Low, f.High - 0.25} {
		if math.Abs(d-1.96*0.0217) > 0.01 {
			t.Errorf("got %+v", f)
		}
	}
}

func TestShareOfOneKind(t *testing.T) {
	var parts []part
	for range 60 {
		parts = append(parts, part{1, 1})
	}
	if f := newSample(made(parts...), 1).share(states); f.Value != 1 || f.Low != 0.95 || f.High != 1 {
		t.Errorf("got %+v", f)
	}
	for i := range parts {
		parts[i].num = 0
	}
	if f := newSample(made(parts...), 1).share(states); f.Value != 0 || f.Low != 0 || f.High != 0.05 {
		t.Errorf("got %+v", f)
	}
	if f := newSample(made(part{}), 1).share(states); f.Known() {
		t.Errorf("got %+v of nothing", f)
	}
}

func TestQuantiles(t *testing.T) {
	values := [][]float32{{5, 1}, {3}, nil, {2, 4}}
	all := made(make([]part, len(values))...)
	of := func(e *episode) []float32 {
		for i := range all {
			if all[i] == e {
				return values[i]
			}
		}
		return nil
	}
	got := newSample(all, 1).quantiles(of, 0.1, 0.5, 0.9)
	for i, want := range []float64{1, 3, 5} {
		if got[i].Value != want || got[i].N != 3 {
			t.Errorf("got %+v, want %v of 3", got[i], want)
		}
		if got[i].Low > want || got[i].High < want {
			t.Errorf("%v is not within %+v", want, got[i])
		}
	}
	if got := newSample(all, 1).quantiles(func(*episode) []float32 { return nil }, 0.5); got[0].Known() {
		t.Errorf("got %+v of nothing", got[0])
	}
}

func TestSpread(t *testing.T) {
	values := make([]float32, 80)
	for i := range values {
		values[i] = float32(i)
	}
	got := spread(values)
	for i, v := range got {
		if v != float32(10*i+5) {
			t.Errorf("value %d is %v", i, v)
		}
	}
	if len(got) != 8 || len(spread(values[:3])) != 3 || len(spread(values[:9])) != 8 {
		t.Errorf("got %d", len(got))
	}
}
