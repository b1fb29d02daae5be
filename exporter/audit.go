package exporter

import (
	"github.com/prometheus/client_golang/prometheus"

	"kafka-retention-exporter/predictor"
)

var (
	auditDeadlines = counter("audit_deadlines_total",
		"Forecasts of a deadline that were scored against what the log start then did. Those that a change of settings, another leader or DeleteRecords came between are not.")
	auditViolations = counter("audit_floor_violations_total",
		"Floors before which records were deleted, by cause. All causes but unexplained and produce_ceiling are conditions that the floor is told under; produce_ceiling is its assumption about producers.", "cause")
	auditHits = counter("audit_band_hits_total",
		"Scored forecasts whose deadline came within the 90 % band.")
	auditError = prometheus.NewDesc(auditErrorName, auditErrorHelp, nil, nil)
)

const (
	auditErrorName = namespace + "_audit_deadline_error_seconds"
	auditErrorHelp = "Absolute error of the scored forecasts."
)

func auditFamilies() []*family { return []*family{auditDeadlines, auditViolations, auditHits} }

// audit sends how good past forecasts were. What was counted stays so, however old it is.
func (v *view) audit(out samples) {
	a := v.audited()
	out.number(auditDeadlines, float64(a.Deadlines), nil)
	out.number(auditHits, float64(a.BandHits), nil)
	for _, c := range predictor.Causes() {
		out.number(auditViolations, float64(a.Violations[c]), labelled("cause", c.String()))
	}
}

func (v *view) audited() predictor.Audit {
	if v.report == nil {
		return predictor.Audit{}
	}
	return v.report.Audit
}

// auditErrors is the histogram of a view.
type auditErrors struct{ view func() *view }

// Describe announces it.
func (e auditErrors) Describe(ch chan<- *prometheus.Desc) { ch <- auditError }

// Collect sends it.
func (e auditErrors) Collect(ch chan<- prometheus.Metric) {
	errors := e.view().audited().Errors
	buckets := make(map[float64]uint64, len(errors.Bounds))
	for i, bound := range errors.Bounds {
		buckets[float64(bound)/1000] = uint64(errors.Counts[i])
	}
	ch <- prometheus.MustNewConstHistogram(auditError, uint64(errors.All), float64(errors.Sum)/1000, buckets)
}
