package report

import (
	"strconv"
	"strings"

	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
)

const ceiling = score.Ceiling

func paging(s *score.Sheet, player int) score.Figure { return score.Paging(s, player) }

// behind lists the families in which a rule of thumb is better, of both halves.
func (p *page) behind() {
	p.title("Families where a rule of thumb is better")
	var rows [][]string
	ahead, all := 0, 0
	for _, h := range []struct {
		name string
		half *score.Half
	}{{"held out", &p.Held}, {"tuned on", &p.Tuned}} {
		for i := range h.half.Families {
			f := &h.half.Families[i]
			some := f.All.Behind(p.Players)
			if h.half == &p.Held {
				all++
				if len(some) == 0 {
					ahead++
				}
			}
			for _, b := range some {
				rows = append(rows, []string{f.Name, h.name, b.Measure, measured(b.Measure, b.Ours), measured(b.Measure, b.Best), p.Players[b.Rival].Name})
			}
		}
	}
	p.say("In %d of %d held-out families no rule of thumb is better than the forecast on any of: Brier score (mean over R/24, R/4 and R; %v, the price of saying 5 %% where a rule says nothing, is no difference), "+
		"median error of the loss at each distance, recall, broken floors. The rule beside is the best one of the family on that measure; for recall the one with the best balance of recall and precision.", ahead, all, 0.0025)
	if len(rows) > 0 {
		p.table([]string{"family", "half", "measure", "this exporter", "rule of thumb", "which"}, rows)
	}
}

func measured(measure string, f score.Figure) string {
	switch {
	case measure == "Brier score":
		return format(number).value(f)
	case strings.HasPrefix(measure, "loss"):
		return format(relative).value(f)
	}
	return format(percent).value(f)
}

// goals is the table of targets.
func (p *page) goals(title string, h, other *score.Half) {
	p.title(title)
	p.say("The last column lists families that miss what is acceptable, where a figure of theirs stands on at least %d episodes. A line that no family of this half is about is measured on the other one, and says so.", enough)
	var rows [][]string
	for _, t := range targets() {
		s := t.sheet(&h.All, &h.ByRule)
		if s.Episodes == 0 {
			continue
		}
		l, of := t.on(s, p.Players), h
		if elsewhere := t.sheet(&other.All, &other.ByRule); !l.own.Known() && elsewhere.Episodes > 0 {
			if there := t.on(elsewhere, p.Players); there.own.Known() {
				l, of = there, other
				l.name += " (of the other half)"
			}
		}
		rows = append(rows, []string{
			ruleName(t.rule), l.name, l.goal(t.acceptable), l.goal(t.extraordinary), t.unit.limits(l.own),
			t.unit.value(l.best), l.rival, t.unit.value(l.oracle), l.verdict(), families(t.below(of, p.Players)),
		})
	}
	p.table([]string{"rule", "quantity", "acceptable", "extraordinary", "this exporter", "best rule of thumb", "which", "oracle", "reached", "families not acceptable"}, rows)
}

func (l line) goal(g *goal) string {
	switch {
	case g == nil:
		return none
	case g.ranged:
		return l.unit(g.limit) + " to " + l.unit(g.beyond)
	case g.limit == 0:
		return l.unit(0)
	case l.more:
		return ">= " + l.unit(g.limit)
	}
	return "<= " + l.unit(g.limit)
}

func families(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return strconv.Itoa(len(names)) + ": " + strings.Join(names, ", ")
}

// errors are those of every player by rule and distance.
func (p *page) errors(h *score.Half) {
	near := distances()
	p.say("Deadline of the position if the group stopped now: median, and p90 after the slash.")
	head := []string{"rule", "who", near[0] + " before", near[1] + " before", near[2] + " before", "warm, next 8 h: mean", "p99", "after two steps: mean", "p99", "cold, 6 h before", "present"}
	var rows [][]string
	for _, rule := range rules(h) {
		s := &h.ByRule[rule]
		for i, player := range p.Players {
			if !player.Frozen {
				continue
			}
			row := []string{ruleName(rule), player.Name}
			for when := range near {
				row = append(row, pair(s.Deadline[when][i]))
			}
			warm, begun, cold := s.Deadline[score.Warm][i], s.Deadline[score.Begun][i], s.Deadline[score.Cold][i]
			rows = append(rows, append(row, format(checks).limits(warm.Mean), format(checks).value(warm.P99), format(checks).limits(begun.Mean), format(checks).value(begun.P99), pair(cold), format(percent).value(s.Deadline[score.Mid][i].Present)))
		}
	}
	p.table(head, rows)
	p.say("Loss of the moving group: the same; and how often a loss within R was forecast for a group that was never lost.")
	rows = nil
	for _, rule := range rules(h) {
		s := &h.ByRule[rule]
		for i, player := range p.Players {
			if !player.Estimates {
				continue
			}
			row := []string{ruleName(rule), player.Name}
			for when := range near {
				row = append(row, pair(s.Loss[when][i]))
			}
			rows = append(rows, append(row, format(percent).value(s.Never[i]), format(percent).value(s.Loss[score.Mid][i].Present)))
		}
	}
	p.table([]string{"rule", "who", near[0] + " before", near[1] + " before", near[2] + " before", "never lost, but forecast", "present"}, rows)
}

func pair(e score.Errors) string {
	if !e.Median.Known() {
		return none
	}
	return format(relative).limits(e.Median) + " / " + format(relative).value(e.P90)
}

// floors are promises, kept and broken.
func (p *page) floors(h *score.Half) {
	p.say("Promises with a known outcome. A cause is something that the promise excepts and that happened between it and the deletion. Presence is asked from the second poll on. " +
		"Tightness is the promised time by the real one.")
	head := []string{"rule", "who", "promises", "broken without a cause", "episodes with one", "95 % limit", "worst", "present", "tightness p10", "median", "median, warm", "median, after two steps", "more bytes than the ceiling"}
	for _, c := range score.Causes() {
		head = append(head, causeName(c))
	}
	var rows [][]string
	for _, rule := range rules(h) {
		s := &h.ByRule[rule]
		for i, player := range p.Players {
			f := s.Floors[i]
			if !player.Promises || f.Labelled == 0 {
				continue
			}
			episodes, limit := none, none
			if i == ours {
				episodes, limit = strconv.Itoa(f.Broken)+" of "+strconv.Itoa(s.Episodes), percent(f.Limit)
			}
			row := []string{
				ruleName(rule), player.Name, strconv.FormatInt(f.Labelled, 10), strconv.FormatInt(f.Late, 10), episodes, limit, hours(f.Worst),
				format(percent).limits(f.Present), format(percent).value(f.Loose), format(percent).limits(f.Tight), format(percent).limits(f.Warm), format(percent).limits(f.Begun), strconv.FormatInt(f.Surged, 10),
			}
			for _, c := range score.Causes() {
				row = append(row, strconv.FormatInt(f.Excused[c], 10))
			}
			rows = append(rows, row)
		}
	}
	p.table(head, rows)
	p.breaks(h)
}

// breaks tells where promises were broken, if any were.
func (p *page) breaks(h *score.Half) {
	var rows [][]string
	for _, rule := range rules(h) {
		for _, b := range h.ByRule[rule].Floors[ours].Breaks {
			rows = append(rows, []string{b.Family + "/" + strconv.Itoa(b.Episode), strconv.FormatInt(b.Seed, 10), ruleName(b.Rule), hours(b.By), hours(b.After)})
		}
	}
	if len(rows) == 0 {
		return
	}
	p.say("Some of the episodes with broken promises, to be played again:")
	p.table([]string{"episode", "seed", "rule", "late by", "promised after"}, rows)
}

func causeName(c track.Cause) string {
	return map[track.Cause]string{
		track.ConfigChanged: "settings changed", track.RecordsDeleted: "DeleteRecords", track.Recreated: "re-created", track.Failover: "failover",
		track.ProducerStopped: "producer stopped", track.Backfill: "backfill", track.FutureStamp: "future stamp", track.Reset: "reset",
	}[c]
}
