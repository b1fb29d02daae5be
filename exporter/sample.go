package exporter

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"kafka-retention-exporter/model"
)

// point is a value under its labels.
type point struct {
	labels *labelSet
	value  float64
}

// samples are the points of a view, family by family: what a page and a collection are made of.
type samples struct {
	shape  Shape
	points map[*family]*[]point
	// room is how many points a family by partition is made for at once: grown bit by bit they would
	// be copied a dozen times.
	room int
}

func (s samples) number(f *family, v float64, l *labelSet) {
	if s.shape.leavesOut(f) {
		return
	}
	points, ok := s.points[f]
	if !ok {
		points = new(s.made(f))
		s.points[f] = points
	}
	*points = append(*points, point{l, v})
}

// made are no points yet.
func (s samples) made(f *family) []point {
	if s.shape.byTopic() || !slices.Contains(f.labels, "partition") {
		return nil
	}
	return make([]point, 0, s.room)
}

// integer notes a count, and nothing where it is unknown.
func integer[T ~int64](s samples, f *family, m model.Maybe[T], l *labelSet) {
	if n, ok := m.Get(); ok {
		s.number(f, float64(n), l)
	}
}

// instant notes Unix seconds, +Inf for Forever, and nothing where the instant is unknown.
func (s samples) instant(f *family, m model.Maybe[model.Instant], l *labelSet) {
	if t, ok := m.Get(); ok {
		s.number(f, seconds(t), l)
	}
}

// ordered walks a map by its keys, so that a page says the same things in the same order each time.
func ordered[K cmp.Ordered, V any](m map[K]V) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}

// sample is a prometheus.Metric with a value that does not change.
type sample struct {
	family *family
	desc   *prometheus.Desc
	point
	gauge   dto.Gauge
	counter dto.Counter
}

// Desc is that of the family, as it is served.
func (s *sample) Desc() *prometheus.Desc { return s.desc }

// Write hands out the sample without copying it; the registry only reads.
func (s *sample) Write(out *dto.Metric) error {
	out.Label = s.labels.asPairs()
	if s.family.kind == prometheus.CounterValue {
		s.counter.Value = &s.value
		out.Counter = &s.counter
		return nil
	}
	s.gauge.Value = &s.value
	out.Gauge = &s.gauge
	return nil
}
