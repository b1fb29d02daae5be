package report

import (
	"fmt"
	"strconv"

	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
)

// Distances are those at which forecasts on a real broker are judged, as shares of the retention.
func Distances() score.Ranges {
	return score.Ranges{score.Near: {0.02, 0.1}, score.Mid: {0.1, 0.3}, score.Far: {0.3, 1}}
}

// Promise is a figure that forecasts on a real broker have to reach in compressed time.
type Promise struct {
	Name  string
	Rule  track.Rule // 0 is all rules together
	Soon  bool       // a few minutes are enough to tell
	bound goal
	more  bool
	unit  format
	of    score.Of
	best  score.Of // picks the rule of thumb beside it; nil: the one that is best on the line itself
	alone bool     // there is no rule of thumb beside it
}

// Promises lists them.
func Promises() []Promise {
	var all []Promise
	for _, r := range []struct {
		rule                                     track.Rule
		deadFar, deadMid, lossFar, lossMid, tied float64
	}{{track.ByTime, 0.01, 0.02, 0.02, 0.03, 0.90}, {track.BySize, 0.03, 0.05, 0.03, 0.05, 0.55}} {
		dead := func(when int) score.Of { return deadline(when, median) }
		all = append(all,
			Promise{Name: "deadline if it stopped, 0.3 to 1 R before: median error", Rule: r.rule, Soon: true, bound: *limit(r.deadFar), unit: relative, of: dead(score.Far)},
			Promise{Name: "deadline if it stopped, 0.1 to 0.3 R before: median error", Rule: r.rule, Soon: true, bound: *limit(r.deadMid), unit: relative, of: dead(score.Mid)},
			Promise{Name: "loss of the moving group, 0.3 to 1 R before: median error", Rule: r.rule, bound: *limit(r.lossFar), unit: relative, of: score.LossError(score.Far)},
			Promise{Name: "loss of the moving group, 0.1 to 0.3 R before: median error", Rule: r.rule, bound: *limit(r.lossMid), unit: relative, of: score.LossError(score.Mid)},
			Promise{Name: "floor: median of promised by real time", Rule: r.rule, bound: *limit(r.tied), more: true, unit: percent, of: tight},
		)
	}
	page := func(name string, bound float64, more bool, unit format, of func(score.Pages) score.Figure) Promise {
		return Promise{Name: name, bound: *limit(bound), more: more, unit: unit, best: paging, of: func(s *score.Sheet, player int) score.Figure { return of(s.Pages[player]) }}
	}
	return append(all,
		Promise{Name: "floor broken without a cause, share of promises", Rule: track.ByTime, Soon: true, bound: *limit(0), unit: percent, of: score.BrokenShare},
		Promise{Name: "floor present, share of polls", Soon: true, bound: *limit(0.99), more: true, unit: percent, of: present, alone: true},
		Promise{Name: "90 % band holds the loss, and ends", bound: *limit(0.88), more: true, unit: percent, of: own(heldAndEnds), alone: true},
		page("page: recall", 0.98, true, percent, func(p score.Pages) score.Figure { return p.Recall }),
		page("page: precision", 0.91, true, percent, func(p score.Pages) score.Figure { return p.Precision }),
		page("page: flaps by episode", 0.15, false, number, func(p score.Pages) score.Figure { return p.Flaps }),
	)
}

func present(s *score.Sheet, player int) score.Figure { return s.Floors[player].Present }

// heldAndEnds is the share of bands that held the truth and had an upper edge, over all distances alike.
func heldAndEnds(s *score.Sheet) score.Figure {
	var sum score.Figure
	n := 0.0
	for when := range s.Bands {
		b := s.Bands[when][ours]
		if !b.Coverage.Known() {
			continue
		}
		n++
		sum.Value += b.Coverage.Value - b.Unlimited.Value
		sum.Low += b.Coverage.Low - b.Unlimited.High
		sum.High += b.Coverage.High - b.Unlimited.Low
		sum.N = max(sum.N, b.Coverage.N)
	}
	if n > 0 {
		sum.Value, sum.Low, sum.High = sum.Value/n, max(0, sum.Low/n), min(1, sum.High/n)
	}
	return sum
}

// line is the promise as the lines of the other tables are.
func (p *Promise) line(r *score.Result) line {
	t := target{name: p.Name, rule: p.Rule, acceptable: &p.bound, more: p.more, unit: p.unit, of: p.of, best: p.best, single: p.alone}
	s := t.sheet(&r.Held.All, &r.Held.ByRule)
	if s.Episodes == 0 {
		return line{target: t, rival: none}
	}
	return t.on(s, r.Players)
}

// Kept tells whether the promise was kept; what could not be measured was not. said tells how. slack is
// how many times as far off as promised a figure may be; of what may not be at all there is none.
func (p *Promise) Kept(r *score.Result, slack float64) (kept bool, said string) {
	l := p.line(r)
	bound := goal{limit: slack * p.bound.limit}
	if p.more {
		bound.limit = 1 - slack*(1-p.bound.limit)
	}
	kept = l.own.Known() && l.meets(&bound)
	return kept, fmt.Sprintf("%s rule, %s: %s, promised %s", ruleName(p.Rule), p.Name, p.unit.limits(l.own), l.goal(l.acceptable))
}

// Played is one run on a real broker.
type Played struct {
	Seed   int64
	Result score.Result
}

// OnBroker writes the section of the real broker: the figures of all runs together and of each. made
// says how they came about.
func OnBroker(made string, all score.Result, runs []Played) string {
	p := &page{Result: all}
	p.title("On a real broker, in compressed time")
	p.say("%s", made)
	p.promised(runs)
	p.everybody()
	p.breaks(&p.Held)
	p.scenarios()
	return p.String()
}

// promised is the table of promises.
func (p *page) promised(runs []Played) {
	head := []string{"rule", "quantity", "promised", "this exporter"}
	for _, run := range runs {
		head = append(head, "seed "+strconv.FormatInt(run.Seed, 10))
	}
	var rows [][]string
	for _, promise := range Promises() {
		l := promise.line(&p.Result)
		row := []string{ruleName(promise.Rule), promise.Name, l.goal(l.acceptable), promise.unit.limits(l.own)}
		for _, run := range runs {
			row = append(row, promise.unit.value(promise.line(&run.Result).own))
		}
		verdict := "**missed**"
		if kept, _ := promise.Kept(&p.Result, 1); kept {
			verdict = "kept"
		}
		rows = append(rows, append(row, promise.unit.value(l.best), l.rival, verdict))
	}
	p.table(append(head, "best rule of thumb", "which", ""), rows)
}

// everybody puts the rules of thumb beside the forecast. There is no oracle: nobody outside of the broker knows
// its segments.
func (p *page) everybody() {
	head := []string{"rule", "who", "deadline, 0.3 to 1 R", "0.1 to 0.3 R", "loss, 0.3 to 1 R", "0.1 to 0.3 R", "loss in sight that never came", "floors broken", "of", "tightness", "recall", "precision", "flaps"}
	var rows [][]string
	for _, rule := range rules(&p.Held) {
		s := &p.Held.ByRule[rule]
		for i, player := range p.Players {
			if player.Kind == score.Oracle {
				continue
			}
			f, pages := s.Floors[i], s.Pages[i]
			broken, of := none, none
			if f.Labelled > 0 {
				broken, of = strconv.FormatInt(f.Late, 10), strconv.FormatInt(f.Labelled, 10)
			}
			row := []string{ruleName(rule), player.Name}
			for _, errors := range [][]score.Errors{s.Deadline[score.Far], s.Deadline[score.Mid], s.Loss[score.Far], s.Loss[score.Mid]} {
				row = append(row, format(relative).value(errors[i].Median))
			}
			rows = append(rows, append(row, format(percent).value(s.Never[i]), broken, of, format(percent).value(f.Tight),
				format(percent).value(pages.Recall), format(percent).value(pages.Precision), format(number).value(pages.Flaps)))
		}
	}
	p.table(head, rows)
}

// scenarios is a line for each.
func (p *page) scenarios() {
	var rows [][]string
	for i := range p.Held.Families {
		f := &p.Held.Families[i]
		s := &f.All
		floor, pages := s.Floors[ours], s.Pages[ours]
		row := []string{f.Name, strconv.Itoa(s.Episodes)}
		for _, errors := range [][]score.Errors{s.Deadline[score.Far], s.Deadline[score.Mid], s.Loss[score.Far], s.Loss[score.Mid]} {
			row = append(row, format(relative).value(errors[ours].Median))
		}
		rows = append(rows, append(row, strconv.FormatInt(floor.Late, 10), strconv.FormatInt(floor.Labelled, 10), format(percent).value(floor.Present), format(percent).value(floor.Tight),
			format(percent).value(heldAndEnds(s)), strconv.Itoa(pages.Losses), format(percent).value(pages.Recall), format(percent).value(pages.Precision), format(number).value(pages.Flaps)))
	}
	p.table([]string{"scenario", "episodes", "deadline, 0.3 to 1 R", "0.1 to 0.3 R", "loss, 0.3 to 1 R", "0.1 to 0.3 R", "floors broken", "of", "present", "tightness", "band holds and ends", "losses", "recall", "precision", "flaps"}, rows)
}
