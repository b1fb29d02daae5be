package report

import (
	"math"

	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
)

// Players by index, as in score.Players.
const (
	ours   = 0
	oracle = 1
)

// ceilingSlack is how much better the oracle may be where the forecast counts as at its ceiling.
const ceilingSlack = 1.2

// line is a target held against a sheet.
type line struct {
	target
	own, oracle, best score.Figure
	rival             string
}

func (t target) on(s *score.Sheet, players []score.Player) line {
	l := line{target: t, own: t.of(s, ours), oracle: t.of(s, oracle), rival: none}
	if t.single {
		return l
	}
	pick, largest := t.of, t.more
	if t.best != nil {
		pick, largest = t.best, true
	}
	if best, ok := s.Best(players, pick, largest); ok {
		l.best, l.rival = t.of(s, best), players[best].Name
	}
	return l
}

// meets tells that a value is where a goal wants it.
func (l line) meets(g *goal) bool {
	const rounding = 1e-9
	switch {
	case g == nil:
		return true
	case g.ranged:
		return l.own.Value >= g.limit-rounding && l.own.Value <= g.beyond+rounding
	case l.more:
		return l.own.Value >= g.limit-rounding
	}
	return l.own.Value <= g.limit+rounding
}

// atCeiling tells that an oracle that knows segments and phase does not get much further.
func (l line) atCeiling() bool {
	if !l.oracle.Known() {
		return false
	}
	if g := l.extraordinary; g != nil && g.ranged {
		middle := (g.limit + g.beyond) / 2
		return math.Abs(l.own.Value-middle) <= ceilingSlack*math.Abs(l.oracle.Value-middle)
	}
	if l.more {
		return 1-l.own.Value <= ceilingSlack*(1-l.oracle.Value)
	}
	return l.own.Value <= ceilingSlack*l.oracle.Value
}

// verdict is the last column.
func (l line) verdict() string {
	switch {
	case !l.own.Known():
		return "not measured"
	case l.meets(l.extraordinary):
		return "extraordinary"
	case l.meets(l.acceptable) && l.atCeiling():
		return "at the oracle's ceiling"
	case l.meets(l.acceptable):
		return "acceptable"
	}
	return "**no**"
}

// sheet is the one of a set of sheets that a line is about.
func (t target) sheet(all *score.Sheet, byRule *[track.ByBoth + 1]score.Sheet) *score.Sheet {
	if t.rule == anyRule {
		return all
	}
	return &byRule[t.rule]
}

// enough is how many episodes a figure of a family stands on before it is held against a target.
const enough = 20

// below lists the families in which a line is not even acceptable. A promise counts from the first
// episode on.
func (t target) below(h *score.Half, players []score.Player) []string {
	var names []string
	for i := range h.Families {
		f := &h.Families[i]
		s := t.sheet(&f.All, &f.ByRule)
		if s.Episodes == 0 {
			continue
		}
		if l := t.on(s, players); (l.own.N >= enough || t.always && l.own.Known()) && !l.meets(l.acceptable) {
			names = append(names, f.Name)
		}
	}
	return names
}
