package exporter

import (
	"cmp"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// labelSet are label pairs ordered by name, as the registry wants them. The dozen samples of a
// pair share one set: with a hundred thousand pairs, a set for each sample would be most of the
// cost of a page.
type labelSet []*dto.LabelPair

// labelled makes a set from names and values in turn.
func labelled(namesAndValues ...string) labelSet {
	set := make(labelSet, 0, len(namesAndValues)/2)
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		set = append(set, &dto.LabelPair{Name: &namesAndValues[i], Value: &namesAndValues[i+1]})
	}
	return set.sorted()
}

// and is a new set with one label more.
func (l labelSet) and(name, value string) labelSet {
	return append(labelled(name, value), l...).sorted()
}

func (l labelSet) sorted() labelSet {
	slices.SortFunc(l, func(a, b *dto.LabelPair) int { return cmp.Compare(a.GetName(), b.GetName()) })
	return l
}

// sample is a prometheus.Metric with a value that does not change.
type sample struct {
	family  *family
	labels  labelSet
	value   float64
	gauge   dto.Gauge
	counter dto.Counter
}

// Desc is that of the family.
func (s *sample) Desc() *prometheus.Desc { return s.family.desc }

// Write hands out the sample without copying it; the registry only reads.
func (s *sample) Write(out *dto.Metric) error {
	out.Label = s.labels
	if s.family.kind == prometheus.CounterValue {
		s.counter.Value = &s.value
		out.Counter = &s.counter
		return nil
	}
	s.gauge.Value = &s.value
	out.Gauge = &s.gauge
	return nil
}
