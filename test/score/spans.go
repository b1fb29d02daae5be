package score

import (
	"slices"
	"time"
)

// Spans joins instants at which something was seen at every step into the spans it lasted. Instants
// need not be in order and may come twice, as of several series.
func Spans(instants []time.Time, step time.Duration) []Span {
	var all []Span
	for _, at := range slices.SortedFunc(slices.Values(instants), time.Time.Compare) {
		if n := len(all); n > 0 && !at.After(all[n-1].To) {
			all[n-1].To = at.Add(step)
			continue
		}
		all = append(all, Span{at, at.Add(step)})
	}
	return all
}
