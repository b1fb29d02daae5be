package score

import (
	"fmt"
	"strings"

	"kafka-retention-exporter/test/docs"
)

// Text is the score in Markdown.
func (b *Board) Text() string {
	if len(b.retentions) == 0 {
		return "Nothing was scored.\n"
	}
	var names []string
	for _, r := range b.retentions {
		names = append(names, r.String())
	}
	pages := b.shipped[0].sum
	return fmt.Sprintf("%d pairs, of which %d lost records in %s at a retention of %s; together that is %.0f pair-days at a retention of a day.\n\n%s",
		b.pairs*len(b.retentions), pages.Episodes, plural(len(b.retentions), "run"), strings.Join(names, ", "), pages.Days, b.table())
}

func (b *Board) table() string {
	var rows [][]string
	row := func(name string, f Figures) {
		rows = append(rows, []string{
			name, ratio(f.Recalled, f.Episodes), ratio(f.Right, f.Judged()), fmt.Sprintf("%d / %d / %d", f.Right, f.Early, f.False),
			leads(f), fmt.Sprintf("%.2f", f.FlapsEach()), fmt.Sprint(f.After),
		})
	}
	for _, e := range b.shipped {
		row(e.set.Name, e.sum)
	}
	for _, family := range b.today {
		chosen := best(family)
		row(chosen.set.Name+" (the best setting)", chosen.sum)
		if e, ok := complete(family); ok && e.set.Name != chosen.set.Name {
			row(fmt.Sprintf("%s (the most precise that recalls %.0f %%)", e.set.Name, 100*leastRecall), e.sum)
		}
	}
	return docs.Table([]string{"rule set", "recall", "precision", "right / early / false", "lead p10 / p50 / p90", "flaps per episode", "again after the loss"}, rows)
}

func ratio(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %% (%d of %d)", 100*share(part, whole), part, whole)
}

func leads(f Figures) string {
	var all []string
	for _, q := range []float64{0.1, 0.5, 0.9} {
		lead, ok := f.Lead(q)
		if !ok {
			return "-"
		}
		all = append(all, fmt.Sprintf("%.1f", lead.Hours()))
	}
	return strings.Join(all, " / ") + " h"
}

func plural(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
