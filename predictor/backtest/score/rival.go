package score

// Of reads one figure of a player off a sheet; not known where the player has none.
type Of func(s *Sheet, player int) Figure

// Best is the rule of thumb whose figure is best, smallest or largest; ok is false where none has
// one.
func (sheet *Sheet) Best(players []Player, of Of, largest bool) (best int, ok bool) {
	for i, p := range players {
		if p.Kind != Baseline {
			continue
		}
		f := of(sheet, i)
		if !f.Known() {
			continue
		}
		if !ok || (largest && f.Value > of(sheet, best).Value) || (!largest && f.Value < of(sheet, best).Value) {
			best, ok = i, true
		}
	}
	return best, ok
}

// LossError is the median error of the loss at a distance. Rules that say nothing half of the time
// have none.
func LossError(when int) Of {
	return func(s *Sheet, player int) Figure { return s.Loss[when][player].often() }
}

// DeadlineError is the same of the position if the group stopped.
func DeadlineError(when int) Of {
	return func(s *Sheet, player int) Figure { return s.Deadline[when][player].often() }
}

func (e Errors) often() Figure {
	if e.Present.Value < 0.5 {
		return Figure{}
	}
	return e.Median
}

// MeanBrier is the Brier score over all horizons, without limits.
func MeanBrier(s *Sheet, player int) Figure {
	var mean Figure
	for h := range s.Brier {
		f := s.Brier[h][player]
		if !f.Known() {
			return Figure{}
		}
		mean.Value += f.Value / horizons
		mean.N = max(mean.N, f.N)
	}
	mean.Low, mean.High = mean.Value, mean.Value
	return mean
}

// Paging is the harmonic mean of recall and precision, without limits.
func Paging(s *Sheet, player int) Figure {
	p := s.Pages[player]
	if !p.Recall.Known() || !p.Precision.Known() {
		return Figure{}
	}
	f := Figure{N: p.Recall.N}
	if sum := p.Recall.Value + p.Precision.Value; sum > 0 {
		f.Value = 2 * p.Recall.Value * p.Precision.Value / sum
	}
	f.Low, f.High = f.Value, f.Value
	return f
}

// Measure is one on which a family's forecasts are held against the best rule of thumb.
type Measure struct {
	Name    string
	of      Of
	largest bool
	best    func(*Sheet, []Player) (int, bool)
	spare   float64 // being worse by this is as good
}

// honest is what it costs in a Brier score to say 5 % of what does not come: no 90 % band can say
// less, and a rule without a band always does.
const honest = 0.05 * 0.05

// Measures lists them.
func Measures() []Measure {
	measure := func(name string, of Of) Measure {
		return Measure{Name: name, of: of, best: func(s *Sheet, p []Player) (int, bool) { return s.Best(p, of, false) }}
	}
	brier := measure("Brier score", MeanBrier)
	brier.spare = honest
	return []Measure{
		brier,
		measure("loss, near", LossError(Near)),
		measure("loss, mid", LossError(Mid)),
		measure("loss, far", LossError(Far)),
		{
			Name: "recall", largest: true, of: func(s *Sheet, player int) Figure { return s.Pages[player].Recall },
			best: func(s *Sheet, p []Player) (int, bool) { return s.Best(p, Paging, true) },
		},
		measure("floor", BrokenShare),
	}
}

// BrokenShare is the share of promises that were broken without a cause.
func BrokenShare(s *Sheet, player int) Figure {
	f := s.Floors[player]
	if f.Labelled == 0 {
		return Figure{}
	}
	v := float64(f.Late) / float64(f.Labelled)
	return Figure{Value: v, Low: v, High: v, N: s.Episodes}
}

// Behind is a measure on which a rule of thumb is better.
type Behind struct {
	Measure    string
	Rival      int
	Ours, Best Figure
}

// Behind lists the measures on which the best rule of thumb is better than the forecast.
func (sheet *Sheet) Behind(players []Player) []Behind {
	var all []Behind
	for _, m := range Measures() {
		rival, ok := m.best(sheet, players)
		if !ok {
			continue
		}
		own, best := m.of(sheet, 0), m.of(sheet, rival)
		if !best.Known() {
			continue
		}
		if !own.Known() || m.largest && own.Value < best.Value || !m.largest && own.Value > best.Value+m.spare {
			all = append(all, Behind{m.Name, rival, own, best})
		}
	}
	return all
}
