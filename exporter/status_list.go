package exporter

import (
	"cmp"
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// pairList is all pairs of one view in the order of the page: the soonest loss first, then what
// is unknown, then what loses nothing. Only what is shown is turned into words.
type pairList struct {
	view   *view
	pairs  []listed
	counts map[risk]int
}

// listed is a pair by its place in the report.
type listed struct {
	index    int
	deadline model.Instant
	risk     risk
}

// Where pairs without a finite deadline stand.
const (
	unknownLast = model.Forever - 1
	neverLast   = model.Forever
)

func newPairList(v *view) *pairList {
	l := &pairList{view: v, counts: map[risk]int{}}
	i := 0
	for f := range v.pairs() {
		r := riskOf(f, v.report.At)
		l.pairs = append(l.pairs, listed{i, orderOf(f), r})
		l.counts[r]++
		i++
	}
	slices.SortStableFunc(l.pairs, func(a, b listed) int { return cmp.Compare(a.deadline, b.deadline) })
	return l
}

// orderOf is the loss, and where the pace of the group is not known the loss of one that stands still.
func orderOf(f predictor.Forecast) model.Instant {
	at, _, ok := deadlineOf(f)
	switch {
	case !ok:
		return unknownLast
	case at == model.Forever:
		return neverLast
	}
	return min(at, unknownLast-1)
}

// deadlineOf is when a pair loses records. paced is false where that is only known for a group
// that stands still.
func deadlineOf(f predictor.Forecast) (at model.Instant, paced, ok bool) {
	if at, ok = f.Loss.Get(); ok {
		return at, true, true
	}
	if at, ok = f.Stopped.Get(); ok && at != model.Forever {
		return at, false, true
	}
	return 0, false, false
}

func (l *pairList) forecast(p listed) predictor.Forecast {
	return l.view.fresh.forecast(l.view.report.Pairs[p.index], l.view.report.At)
}

// next is the pair that loses records next, nil where none does: the soonest loss that is
// forecast, or else the soonest of a group that may stand still. Those that have lost some
// already are no news.
func (l *pairList) next() *pairText {
	var best *listed
	for i, p := range l.pairs {
		if p.deadline >= unknownLast {
			break
		}
		if p.risk == riskLost || best != nil && p.risk == riskUnknown {
			continue
		}
		if best == nil || best.risk == riskUnknown {
			best = &l.pairs[i]
		}
		if best.risk != riskUnknown {
			break
		}
	}
	if best == nil {
		return nil
	}
	text := pairTextOf(l.forecast(*best), l.view)
	return &text
}

// matching are the pairs that a filter wants, in order.
func (l *pairList) matching(f filter) []listed {
	if f.all() {
		return l.pairs
	}
	var out []listed
	for _, p := range l.pairs {
		if f.wants(&l.view.report.Pairs[p.index], p.risk, func() predictor.Forecast { return l.forecast(p) }) {
			out = append(out, p)
		}
	}
	return out
}

// tile is a count of pairs by risk that is also the way to see them.
type tile struct {
	Risk, Says, URL string
	Count           string
	None            bool
	On              bool
}

func (l *pairList) tiles(f filter) (out []tile) {
	for _, r := range risks() {
		t := tile{Risk: r.String(), Says: r.says(), Count: grouped(int64(l.counts[r])), None: l.counts[r] == 0, On: f.Risk == r.String()}
		if t.On {
			t.URL = f.with("risk", "")
		} else {
			t.URL = f.with("risk", r.String())
		}
		out = append(out, t)
	}
	return out
}
