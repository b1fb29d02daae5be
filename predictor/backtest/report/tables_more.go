package report

import (
	"strconv"

	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
)

// bands are the coverage of the 90 % band by rule, and by family.
func (p *page) bands(h *score.Half) {
	p.say("Share of losses inside the 90 %% band, the band's median width by the time that was left, and the share of bands without an upper edge.")
	var rows [][]string
	for _, rule := range rules(h) {
		rows = append(rows, bandRow("all of "+ruleName(rule), &h.ByRule[rule]))
	}
	for i := range h.Families {
		f := &h.Families[i]
		for rule := track.ByTime; rule <= track.ByBoth; rule++ {
			if row := bandRow(f.Name+", "+ruleName(rule), &f.ByRule[rule]); f.ByRule[rule].Episodes > 0 && row != nil {
				rows = append(rows, row)
			}
		}
	}
	head := []string{"families, rule"}
	for _, name := range distances() {
		head = append(head, name+" before: inside", "width", "no upper edge")
	}
	p.table(head, rows)
}

// bandRow is nil where no loss was seen.
func bandRow(name string, s *score.Sheet) []string {
	if s.Episodes == 0 {
		return nil
	}
	row, any := []string{name}, false
	for when := range s.Bands {
		b := s.Bands[when][ours]
		any = any || b.Coverage.Known()
		row = append(row, format(percent).limits(b.Coverage), format(percent).value(b.Width), format(percent).value(b.Unlimited))
	}
	if !any {
		return nil
	}
	return row
}

// briers are the proper scores.
func (p *page) briers(h *score.Half) {
	p.say("Brier score of P(T <= h) (0 is perfect), and by how much the forecast's is better.")
	var rows [][]string
	for _, rule := range rules(h) {
		s := &h.ByRule[rule]
		for i, player := range p.Players {
			if !player.Estimates {
				continue
			}
			row := []string{ruleName(rule), player.Name}
			for horizon := range s.Brier {
				skill := none
				if i != ours {
					skill = format(percent).limits(s.Skill[horizon][i])
				}
				row = append(row, format(number).value(s.Brier[horizon][i]), skill)
			}
			rows = append(rows, row)
		}
	}
	p.table([]string{"rule", "who", "h = R/24", "skill", "h = R/4", "skill", "h = R", "skill"}, rows)
}

// pages are those of every player.
func (p *page) pages(h *score.Half) {
	sheets := []track.Rule{anyRule}
	sheets = append(sheets, rules(h)...)
	var rows [][]string
	for _, rule := range sheets {
		s := &h.All
		if rule != anyRule {
			s = &h.ByRule[rule]
		}
		if s.Episodes == 0 {
			continue
		}
		for i, player := range p.Players {
			g := s.Pages[i]
			rows = append(rows, []string{
				ruleName(rule), player.Name, strconv.Itoa(g.Losses), format(percent).limits(g.Recall), format(percent).limits(g.Precision),
				format(hours).value(g.Lead10), format(hours).value(g.Lead50), format(hours).value(g.Lead90), format(percent).value(g.Premature),
				format(number).limits(g.Flaps), format(number).limits(g.FalseAlarms), format(number).limits(g.NearMisses), format(number).value(g.OnTime), format(percent).value(g.SlackLeft),
			})
		}
	}
	p.table([]string{
		"rule", "who", "losses", "recall", "precision", "lead p10", "p50", "p90", "premature", "flaps by episode",
		"false alarms by 1000 healthy partition-days", "with near misses", "pages of a batch on time", "slack left of a skipped run, p10",
	}, rows)
}

// others is what only the forecast is asked for.
func (p *page) others(h *score.Half) {
	var rows [][]string
	for _, rule := range rules(h) {
		s := &h.ByRule[rule]
		rows = append(rows, []string{
			ruleName(rule), strconv.Itoa(s.Episodes), format(number).limits(s.Cold.Sound), format(number).limits(s.Cold.Estimate), format(percent).value(s.Cold.Failed),
			format(percent).limits(s.States), format(percent).limits(s.Lost.Exact), format(percent).limits(s.Lost.Off), format(micros).value(s.Cost),
		})
	}
	p.table([]string{
		"rule", "episodes", "polls to the first sound floor, p90", "polls to a deadline within twice the warm error, median", "neither within 40 polls",
		"state right", "lost count exact, of episodes", "lost count off, by records", "one forecast",
	}, rows)
}

// families is one line for each: those where a rule of thumb is better first.
func (p *page) families(h *score.Half) {
	var first, rest [][]string
	for i := range h.Families {
		f := &h.Families[i]
		if f.All.Episodes == 0 {
			continue
		}
		row := p.family(f)
		if len(f.All.Behind(p.Players)) > 0 {
			first = append(first, row)
		} else {
			rest = append(rest, row)
		}
	}
	p.say("Families where a rule of thumb is better on some measure come first. Each cell: the forecast / the best rule of thumb / the oracle.")
	p.table([]string{"family", "episodes", "losses", "deadline, 6 h before", "loss, 6 h before", "Brier score", "recall", "precision", "flaps", "false alarms", "floor broken", "state right"}, append(first, rest...))
}

func (p *page) family(f *score.Family) []string {
	s := &f.All
	three := func(unit format, of score.Of, best score.Of, largest bool) string {
		rival := none
		if i, ok := s.Best(p.Players, best, largest); ok {
			rival = unit.value(of(s, i))
		}
		return unit.value(of(s, ours)) + " / " + rival + " / " + unit.value(of(s, oracle))
	}
	page := func(of func(score.Pages) score.Figure) score.Of {
		return func(s *score.Sheet, i int) score.Figure { return of(s.Pages[i]) }
	}
	return []string{
		f.Name, strconv.Itoa(s.Episodes), strconv.Itoa(s.Losses),
		three(relative, score.DeadlineError(score.Mid), score.DeadlineError(score.Mid), false),
		three(relative, score.LossError(score.Mid), score.LossError(score.Mid), false),
		three(number, score.MeanBrier, score.MeanBrier, false),
		three(percent, page(func(g score.Pages) score.Figure { return g.Recall }), score.Paging, true),
		three(percent, page(func(g score.Pages) score.Figure { return g.Precision }), score.Paging, true),
		three(number, page(func(g score.Pages) score.Figure { return g.Flaps }), score.Paging, true),
		three(number, page(func(g score.Pages) score.Figure { return g.FalseAlarms }), score.Paging, true),
		three(percent, score.BrokenShare, score.BrokenShare, false), format(percent).value(s.States),
	}
}

// events are judged apart, of both halves.
func (p *page) events() {
	p.title("What nobody can foresee")
	p.say("Both halves. Floors that were promised before the event and broken by it are excused where the promise excepts the cause; those promised within R after it are not. " +
		"Deadlines are good again when three in a row are off by at most a tenth of the time left, a check and a poll.")
	var rows [][]string
	for _, e := range p.Events {
		rows = append(rows, []string{
			causeName(e.Cause), strconv.Itoa(e.Episodes), strconv.FormatInt(e.Excused, 10), strconv.FormatInt(e.Late, 10) + " of " + strconv.FormatInt(e.Labelled, 10),
			format(percent).limits(e.States), format(percent).limits(e.Recovered), format(hours).value(e.After50), format(hours).value(e.After90),
		})
	}
	p.table([]string{"event", "episodes", "floors excused", "floors late in the R after it", "state right in the R after it", "good again within R", "after, p50", "p90"}, rows)
}
