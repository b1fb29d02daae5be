package report

import (
	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
)

// anyRule is for lines that do not tell rules apart.
const anyRule track.Rule = 0

// goal is what a figure is to reach.
type goal struct {
	limit  float64
	beyond float64 // the other end of a range; only with ranged
	ranged bool
}

func limit(v float64) *goal           { return &goal{limit: v} }
func between(low, high float64) *goal { return &goal{low, high, true} }

// target is a line of the table of targets.
type target struct {
	name                      string
	rule                      track.Rule
	acceptable, extraordinary *goal // nil: not set
	more                      bool  // more is better
	unit                      format
	of                        score.Of
	// best picks the rule of thumb beside it; nil: the one that is best on the line itself.
	best   score.Of
	always bool // families are held against it however few their episodes
	// single lines have no rule of thumb beside them.
	single bool
}

// targets lists the lines.
func targets() []target {
	lines := []target{
		{name: "deadline, warm, the next 8 h: mean error", rule: track.ByTime, acceptable: limit(120.0 / 300), extraordinary: limit(80.0 / 300), unit: checks, of: deadline(score.Warm, mean)},
		{name: "the same: p99", rule: track.ByTime, acceptable: limit(2), extraordinary: limit(1), unit: checks, of: deadline(score.Warm, p99)},
		{name: "deadline, cold, 6 h before: median", rule: track.ByTime, acceptable: limit(0.03), extraordinary: limit(0.02), unit: relative, of: deadline(score.Cold, median)},
		{name: "deadline, 6 h before: median", rule: track.BySize, acceptable: limit(0.20), extraordinary: limit(0.12), unit: relative, of: deadline(score.Mid, median)},
		{name: "deadline, 24 h before: median", rule: track.BySize, acceptable: limit(0.25), extraordinary: limit(0.12), unit: relative, of: deadline(score.Far, median)},
	}
	lines = append(lines, losses(track.ByTime, [...]float64{0.10, 0.08, 0.10}, [...]float64{0.05, 0.03, 0.05}, limit(0.5), [...]float64{0.15, 0.10, 0.25})...)
	lines = append(lines, losses(track.BySize, [...]float64{0.25, 0.20, 0.20}, [...]float64{0.15, 0.12, 0.12}, nil, [...]float64{0.6, 0.6, 0.6})...)
	lines = append(lines,
		target{name: "floor broken without a cause, share of promises", rule: track.ByTime, acceptable: limit(0), extraordinary: limit(0), unit: percent, of: score.BrokenShare, always: true},
		target{name: "floor, warm: median of promised by real time", rule: track.ByTime, extraordinary: limit(0.95), more: true, unit: percent, of: tightOnceWarm},
		target{name: "floor broken without a cause, share of promises", rule: track.BySize, acceptable: limit(0.005), extraordinary: limit(0.001), unit: percent, of: score.BrokenShare, always: true},
	)
	for _, rule := range []track.Rule{track.ByTime, track.BySize} {
		for when, name := range distances() {
			lines = append(lines, target{
				name: "90 % band, " + name + " before: coverage", rule: rule, single: true,
				acceptable: between(0.85, 0.96), extraordinary: between(0.88, 0.93), unit: percent, of: coverage(when),
			})
		}
	}
	return append(append(lines, bandsAndBrier()...), pagesAndCost()...)
}

func losses(rule track.Rule, acceptable, extraordinary [score.Far + 1]float64, p90Acceptable *goal, p90Best [score.Far + 1]float64) []target {
	var lines []target
	for when, name := range distances() {
		lines = append(lines,
			target{name: "loss, " + name + " before: median", rule: rule, acceptable: limit(acceptable[when]), extraordinary: limit(extraordinary[when]), unit: relative, of: score.LossError(when)},
			target{name: "loss, " + name + " before: p90", rule: rule, acceptable: p90Acceptable, extraordinary: limit(p90Best[when]), unit: relative, of: lossP90(when)},
		)
	}
	return lines
}

func bandsAndBrier() []target {
	return []target{
		{name: "90 % band, 6 h before: width by time left", rule: track.ByTime, acceptable: limit(0.5), extraordinary: limit(0.2), unit: percent, of: width, single: true},
		{name: "90 % band, 6 h before: width by time left", rule: track.BySize, acceptable: limit(1.5), extraordinary: limit(0.8), unit: percent, of: width, single: true},
		{name: "Brier skill at R/4 over (R - age) / slope", rule: track.ByTime, acceptable: limit(0.3), extraordinary: limit(0.6), more: true, unit: percent, of: skill("(R - age) / slope"), single: true},
		{name: "Brier skill at R/4 over predict_linear[R/4]", rule: anyRule, acceptable: limit(0.6), extraordinary: limit(0.8), more: true, unit: percent, of: skill("predict_linear[R/4]"), single: true},
	}
}

func pagesAndCost() []target {
	page := func(t target, of func(score.Pages) score.Figure) target {
		t.of = func(s *score.Sheet, player int) score.Figure { return of(s.Pages[player]) }
		t.best = score.Paging
		return t
	}
	return []target{
		page(target{name: "page: recall", acceptable: limit(0.97), extraordinary: limit(0.995), more: true, unit: percent}, func(p score.Pages) score.Figure { return p.Recall }),
		page(target{name: "page: precision", acceptable: limit(0.90), extraordinary: limit(0.97), more: true, unit: percent}, func(p score.Pages) score.Figure { return p.Precision }),
		page(target{name: "page: lead, p10", acceptable: limit(3.0 / 24), extraordinary: limit(3.6 / 24), more: true, unit: hours}, func(p score.Pages) score.Figure { return p.Lead10 }),
		page(target{name: "page: lead, p90", acceptable: limit(8.0 / 24), extraordinary: limit(5.0 / 24), unit: hours}, func(p score.Pages) score.Figure { return p.Lead90 }),
		page(target{name: "page: premature", acceptable: limit(0.05), extraordinary: limit(0), unit: percent}, func(p score.Pages) score.Figure { return p.Premature }),
		page(target{name: "page: flaps by episode", acceptable: limit(0.2), extraordinary: limit(0.05), unit: number}, func(p score.Pages) score.Figure { return p.Flaps }),
		page(target{name: "page: false alarms by 1000 healthy partition-days", acceptable: limit(1), extraordinary: limit(0.1), unit: number}, func(p score.Pages) score.Figure { return p.FalseAlarms }),
		page(target{name: "nightly batch on time: pages by episode", acceptable: limit(0), extraordinary: limit(0), unit: number}, func(p score.Pages) score.Figure { return p.OnTime }),
		page(target{name: "skipped run: slack left when announced, p10", acceptable: limit(0.25), extraordinary: limit(0.5), more: true, unit: percent}, func(p score.Pages) score.Figure { return p.SlackLeft }),
		{name: "cold start: polls to the first sound floor, p90", rule: track.ByTime, acceptable: limit(2), extraordinary: limit(1), unit: number, single: true, of: own(func(s *score.Sheet) score.Figure { return s.Cold.Sound })},
		{name: "cold start: polls to a deadline within twice the warm error", rule: track.ByTime, acceptable: limit(30), extraordinary: limit(2), unit: number, single: true, of: own(func(s *score.Sheet) score.Figure { return s.Cold.Estimate })},
		{name: "one forecast takes", acceptable: limit(0.05), extraordinary: limit(0.005), unit: micros, single: true, of: own(func(s *score.Sheet) score.Figure { return s.Cost })},
	}
}

// distances names Near, Mid and Far.
func distances() [score.Far + 1]string {
	return [...]string{score.Near: "1 h", score.Mid: "6 h", score.Far: "24 h"}
}

func median(e score.Errors) score.Figure { return e.Median }
func mean(e score.Errors) score.Figure   { return e.Mean }
func p99(e score.Errors) score.Figure    { return e.P99 }

func deadline(when int, of func(score.Errors) score.Figure) score.Of {
	return func(s *score.Sheet, player int) score.Figure { return of(s.Deadline[when][player]) }
}

func lossP90(when int) score.Of {
	return func(s *score.Sheet, player int) score.Figure {
		if !score.LossError(when)(s, player).Known() {
			return score.Figure{}
		}
		return s.Loss[when][player].P90
	}
}

func coverage(when int) score.Of {
	return func(s *score.Sheet, player int) score.Figure { return s.Bands[when][player].Coverage }
}

func width(s *score.Sheet, player int) score.Figure         { return s.Bands[score.Mid][player].Width }
func tightOnceWarm(s *score.Sheet, player int) score.Figure { return s.Floors[player].Warm }

func tight(s *score.Sheet, player int) score.Figure { return s.Floors[player].Tight }

// skill is that over a rule of thumb; only the forecast has it.
func skill(over string) score.Of {
	return own(func(s *score.Sheet) score.Figure {
		for i, p := range score.Players() {
			if p.Name == over {
				return s.Skill[1][i]
			}
		}
		return score.Figure{}
	})
}

// own is a figure that only the forecast has.
func own(of func(*score.Sheet) score.Figure) score.Of {
	return func(s *score.Sheet, player int) score.Figure {
		if player != ours {
			return score.Figure{}
		}
		return of(s)
	}
}
