package score

import (
	"fmt"
	"time"
)

// What is promised of the shipped pages.
const (
	leastRecall    = 0.95
	leastPrecision = 0.80
)

// Board is the score of all rule sets over several runs.
type Board struct {
	retentions []time.Duration
	pairs      int
	shipped    []entry
	today      [][]entry // by family, then by candidate
}

type entry struct {
	set Set
	sum Figures
}

// Families are the rules that people use today, for a run of a scale.
func Families(scale float64) []Family {
	return []Family{lagAboveConstant(400, 10), lagRising(scale)}
}

// Add scores a run. fired tells when the alerts of a set fired.
func (b *Board) Add(r Run, fired func(Set) Alarms) {
	if len(b.retentions) == 0 {
		b.shipped = entries(shipped())
		for _, f := range Families(r.Scale) {
			b.today = append(b.today, entries(f.sets()))
		}
	}
	b.retentions = append(b.retentions, time.Duration(r.Scale*24*float64(time.Hour)).Round(time.Second))
	b.pairs = len(r.Fates)
	for _, group := range append(b.today, b.shipped) {
		for i := range group {
			group[i].sum = Pool(group[i].sum, Of(r, fired(group[i].set), group[i].set.Terms))
		}
	}
}

func entries(sets []Set) []entry {
	var all []entry
	for _, s := range sets {
		all = append(all, entry{set: s})
	}
	return all
}

// Broken lists in words which promises the shipped pages do not keep.
func (b *Board) Broken() []string {
	if len(b.retentions) == 0 {
		return []string{"nothing was scored"}
	}
	var all []string
	broken := func(is bool, format string, args ...any) {
		if is {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	pages := b.shipped[0].sum
	broken(pages.Recall() < leastRecall, "recall: %d of %d episodes", pages.Recalled, pages.Episodes)
	broken(pages.Precision() < leastPrecision, "precision: %d of %d firings", pages.Right, pages.Judged())
	for _, family := range b.today {
		other := best(family)
		broken(pages.Precision() <= other.sum.Precision(), "precision: %.2f, no better than %.2f of %s", pages.Precision(), other.sum.Precision(), other.set.Name)
	}
	return all
}

// best is the candidate with the greatest harmonic mean of recall and precision, the first of
// equals.
func best(family []entry) entry {
	out := family[0]
	for _, e := range family[1:] {
		if e.sum.F1() > out.sum.F1() {
			out = e
		}
	}
	return out
}

// complete is the most precise candidate that recalls as much as is promised of the shipped rules;
// ok is false if none does.
func complete(family []entry) (out entry, ok bool) {
	for _, e := range family {
		if e.sum.Recall() >= leastRecall && (!ok || e.sum.Precision() > out.sum.Precision()) {
			out, ok = e, true
		}
	}
	return out, ok
}
