package exporter

import (
	"math"

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
}

func newFamily(kind prometheus.ValueType, name, help string, labels []string) *family {
	full := prometheus.BuildFQName(namespace, "", name)
	return &family{full, help, kind, labels, prometheus.NewDesc(full, help, labels, nil)}
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
}

// Families lists every metric of this package that carries the prefix kafka_retention_, in the
// order of the manual.
func Families() []Family {
	var out []Family
	for _, f := range allFamilies() {
		out = append(out, Family{f.name, f.kindName(), f.help, f.labels})
	}
	return append(out,
		Family{durationName, "histogram", durationHelp, nil},
		Family{buildName, "gauge", "Constant 1; the labels tell what this program was built from.", []string{"version", "revision", "branch", "goversion", "goos", "goarch", "tags"}},
	)
}

func allFamilies() []*family {
	var all []*family
	for _, part := range [][]*family{partitionFamilies(), topicFamilies(), groupFamilies(), clusterFamilies(), volumeFamilies(), selfFamilies()} {
		all = append(all, part...)
	}
	return all
}
