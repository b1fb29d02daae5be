package exporter

import (
	"math"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"kafka-retention-exporter/model"
)

// namespace is the first part of every metric name.
const namespace = "kafka_retention"

// family is one metric: what Describe announces and what its samples are made with.
type family struct {
	name, help string
	kind       prometheus.ValueType
	labels     []string
	desc       *prometheus.Desc
	folded     *prometheus.Desc // without the label partition
	fullOnly   bool             // left out at Detail Standard
}

func newFamily(kind prometheus.ValueType, name, help string, labels []string) *family {
	full := prometheus.BuildFQName(namespace, "", name)
	coarse := slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return l == "partition" })
	return &family{
		name: full, help: help, kind: kind, labels: labels,
		desc: prometheus.NewDesc(full, help, labels, nil), folded: prometheus.NewDesc(full, help, coarse, nil),
	}
}

// onlyFull marks a family that no shipped rule uses.
func (f *family) onlyFull() *family {
	f.fullOnly = true
	return f
}

// descFor is what Prometheus is told about the family.
func (f *family) descFor(s Shape) *prometheus.Desc {
	if s.byTopic() {
		return f.folded
	}
	return f.desc
}

// kindName is the word for the kind of metric.
func (f *family) kindName() string {
	if f.kind == prometheus.CounterValue {
		return "counter"
	}
	return "gauge"
}

func gauge(name, help string, labels ...string) *family {
	return newFamily(prometheus.GaugeValue, name, help, labels)
}

func counter(name, help string, labels ...string) *family {
	return newFamily(prometheus.CounterValue, name, help, labels)
}

// seconds converts an instant to Unix seconds as Prometheus wants them.
func seconds(t model.Instant) float64 {
	if t == model.Forever {
		return math.Inf(1)
	}
	return float64(t) / 1000
}

// bit is 1 for true and 0 for false.
func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Family describes a metric for documentation.
type Family struct {
	Name, Type, Help string
	Labels           []string
	// FullOnly is set for what Detail Standard leaves out.
	FullOnly bool
}

// Families lists every metric of this package that carries the prefix kafka_retention_, in the
// order of the manual.
func Families() []Family {
	var out []Family
	for _, f := range allFamilies() {
		out = append(out, Family{f.name, f.kindName(), f.help, f.labels, f.fullOnly})
	}
	return append(out,
		Family{auditErrorName, "histogram", auditErrorHelp, nil, false},
		Family{durationName, "histogram", durationHelp, nil, false},
		Family{buildName, "gauge", "Constant 1; the labels tell what this program was built from.", []string{"version", "revision", "branch", "goversion", "goos", "goarch", "tags"}, false},
	)
}

func allFamilies() []*family {
	var all []*family
	for _, part := range [][]*family{partitionFamilies(), replicaFamilies(), topicFamilies(), groupFamilies(), clusterFamilies(), volumeFamilies(), selfFamilies(), auditFamilies()} {
		all = append(all, part...)
	}
	return all
}
