package exporter

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"kafka-retention-exporter/model"
)

var (
	lastPoll = gauge("last_poll_timestamp_seconds",
		"End of the last poll that reached a broker and published what it found.")
	pollsTotal = counter("polls_total",
		"Polls that ended, whatever they found.")
	pollFailures = counter("poll_failures_total",
		"Polls in which this stage was incomplete, at most one per stage and poll.", "stage")
	requestsTotal = counter("kafka_requests_total",
		"Requests sent to brokers, by API.", "api")
	forecastsUnknown = gauge("forecasts_unknown",
		"Pairs without a loss instant, by reason; a group whose partitions cannot be known counts once.", "reason")
)

const (
	durationName = namespace + "_poll_duration_seconds"
	durationHelp = "How long the polls took."
	buildName    = namespace + "_build_info"
)

func selfFamilies() []*family {
	return []*family{lastPoll, pollsTotal, pollFailures, requestsTotal, forecastsUnknown}
}

// self sends what the exporter counts about itself.
func (v *view) self(out samples) {
	if at, ok := v.published.At(); ok {
		out.instant(lastPoll, model.Known(at), nil)
	}
	out.number(pollsTotal, float64(v.polls), nil)
	for stage, n := range ordered(v.failures) {
		out.number(pollFailures, float64(n), labelled("stage", string(stage)))
	}
	for api, n := range ordered(v.requests) {
		out.number(requestsTotal, float64(n), labelled("api", api))
	}
	for reason, n := range ordered(v.unknown) {
		out.number(forecastsUnknown, float64(n), labelled("reason", reason.String()))
	}
}

// durations is the histogram of poll durations: classic buckets for every Prometheus, and a
// native histogram for those that ask for it.
type durations struct{ prometheus.Histogram }

func newDurations() *durations {
	return &durations{prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: durationName, Help: durationHelp,
		Buckets:                         []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		NativeHistogramBucketFactor:     1.1,
		NativeHistogramMaxBucketNumber:  100,
		NativeHistogramMinResetDuration: time.Hour,
	})}
}

func (d *durations) observe(t time.Duration) { d.Observe(t.Seconds()) }
