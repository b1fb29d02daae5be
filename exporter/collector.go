package exporter

import (
	"github.com/prometheus/client_golang/prometheus"
)

// metrics is the prometheus.Collector of the published state. It holds no metric objects: each
// collection makes constant metrics from one view, so that what vanished from the cluster
// vanishes here, and two scrapes cannot disturb each other.
type metrics struct {
	shape Shape
	view  func() *view
}

// Describe announces every family, served at the moment or not.
func (m metrics) Describe(ch chan<- *prometheus.Desc) {
	for _, f := range allFamilies() {
		ch <- f.descFor(m.shape)
	}
}

// Collect sends one view.
func (m metrics) Collect(ch chan<- prometheus.Metric) {
	for f, points := range m.view().samples(m.shape).points {
		for _, p := range *points {
			ch <- &sample{family: f, desc: f.descFor(m.shape), point: p}
		}
	}
}

// samples are all that a view has to say, in a shape.
func (v *view) samples(shape Shape) samples {
	out := samples{shape: shape, points: map[*family]*[]point{}, room: v.room()}
	v.partitions(out)
	v.replicas(out)
	v.topics(out)
	v.groups(out)
	v.cluster(out)
	v.self(out)
	v.audit(out)
	return out
}

// room is about how many points a family has that has one for each partition or pair.
func (v *view) room() int {
	if v.snapshot == nil || v.report == nil {
		return 0
	}
	return max(len(v.snapshot.Partitions), len(v.report.Pairs))
}

// Collectors are the collectors to register where this exporter is embedded in another
// program. Collecting is safe at any time and from any goroutine.
func (r *Runtime) Collectors() []prometheus.Collector { return r.collectors(r.view) }

func (r *Runtime) collectors(v func() *view) []prometheus.Collector {
	return []prometheus.Collector{metrics{r.cfg.Metrics, v}, auditErrors{v}, r.duration}
}
