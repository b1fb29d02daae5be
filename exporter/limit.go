package exporter

import (
	"cmp"
	"iter"
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// overLimit are the pairs that get no series where there may only be so many: those at least risk.
func overLimit(report *predictor.Report, most int) map[model.PairKey]bool {
	if report == nil || most <= 0 || len(report.Pairs) <= most {
		return nil
	}
	order := make([]int, len(report.Pairs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(urgency(&report.Pairs[a]), urgency(&report.Pairs[b]))
	})
	cut := make(map[model.PairKey]bool, len(order)-most)
	for _, i := range order[most:] {
		cut[report.Pairs[i].Key] = true
	}
	return cut
}

// urgency orders pairs: by their loss, then those whose loss is unknown, then those with none in
// sight.
func urgency(f *predictor.Forecast) model.Instant {
	loss, ok := f.Loss.Get()
	if !ok {
		return model.Forever - 1
	}
	return loss
}

// withinLimit are the pairs that have series.
func (v *view) withinLimit() iter.Seq[predictor.Forecast] {
	return func(yield func(predictor.Forecast) bool) {
		for f := range v.pairs() {
			if !v.cut[f.Key] && !yield(f) {
				return
			}
		}
	}
}
