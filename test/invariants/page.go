package invariants

import (
	"strings"

	dto "github.com/prometheus/client_model/go"
)

const prefix = "kafka_retention_"

// pair names a group on a partition by its labels.
type pair struct{ group, topic, partition string }

func (p pair) String() string { return p.group + "/" + p.topic + "/" + p.partition }

// page is one scrape, by pair and by metric.
type page struct {
	pairs    map[pair]map[string]float64 // by the name behind the prefix
	states   map[pair][]string
	reasons  map[string]float64
	stages   map[string]float64
	families map[string]*dto.MetricFamily
}

func newPage(families map[string]*dto.MetricFamily) *page {
	p := &page{
		pairs: map[pair]map[string]float64{}, states: map[pair][]string{},
		reasons: map[string]float64{}, stages: map[string]float64{}, families: families,
	}
	for name, f := range families {
		short, ours := strings.CutPrefix(name, prefix)
		if !ours {
			continue
		}
		for _, m := range f.GetMetric() {
			p.add(short, labels(m), value(m))
		}
	}
	return p
}

func (p *page) add(name string, l map[string]string, v float64) {
	switch name {
	case "forecasts_unknown":
		p.reasons[l["reason"]] = v
	case "poll_failures_total":
		p.stages[l["stage"]] = v
	}
	if !strings.HasPrefix(name, "group_") || name == "group_offsets_expire_timestamp_seconds" || name == "group_positions_timestamp_seconds" {
		return
	}
	key := pair{l["consumergroup"], l["topic"], l["partition"]}
	if p.pairs[key] == nil {
		p.pairs[key] = map[string]float64{}
	}
	if name == "group_state" {
		p.states[key] = append(p.states[key], l["state"])
		return
	}
	p.pairs[key][strings.TrimPrefix(name, "group_")] = v
}

func labels(m *dto.Metric) map[string]string {
	out := map[string]string{}
	for _, l := range m.GetLabel() {
		out[l.GetName()] = l.GetValue()
	}
	return out
}

func value(m *dto.Metric) float64 {
	switch {
	case m.Gauge != nil:
		return m.GetGauge().GetValue()
	case m.Counter != nil:
		return m.GetCounter().GetValue()
	case m.Histogram != nil:
		return m.GetHistogram().GetSampleSum()
	}
	return m.GetUntyped().GetValue()
}
