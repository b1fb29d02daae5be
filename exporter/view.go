package exporter

import (
	"iter"
	"slices"
	"sync"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// view is the published state as it may be shown at one instant: what has become stale since
// then is withdrawn. Metrics, JSON and page are all made from views, so they never disagree.
type view struct {
	*state
	fresh freshness
	// until is the last instant at which nothing more has become stale.
	until model.Instant
	// findings and volumes are those of the state; none once it is stale.
	findings []advice.Finding
	volumes  []advice.Volume
	// unknown counts the pairs and groups without a loss instant; every reason is there.
	unknown map[predictor.Reason]int
}

// itself is for what asks for a view each time.
func (v *view) itself() *view { return v }

func newView(s *state, fresh freshness) *view {
	v := &view{state: s, fresh: fresh, unknown: map[predictor.Reason]int{}}
	for _, r := range predictor.Reasons() {
		v.unknown[r] = 0
	}
	v.until = s.unchangedUntil(v.fresh)
	if v.informed() {
		v.findings, v.volumes = s.findings, s.volumes
	}
	for f := range v.pairs() {
		if reason, ok := f.Reason.Get(); v.cut[f.Key] {
			v.unknown[predictor.Limit]++
		} else if ok {
			v.unknown[reason]++
		}
	}
	if s.report != nil {
		for _, reason := range s.report.UnknownGroups {
			v.unknown[reason]++
		}
	}
	return v
}

// pairs are the forecasts of the report, what is stale withdrawn, in the report's order.
func (v *view) pairs() iter.Seq[predictor.Forecast] {
	return func(yield func(predictor.Forecast) bool) {
		if v.report == nil {
			return
		}
		for i := range v.report.Pairs {
			if !yield(v.fresh.forecast(v.report.Pairs[i], v.report.At)) {
				return
			}
		}
	}
}

// reportNow is the report with what is stale withdrawn, nil where none is current.
func (v *view) reportNow() *predictor.Report {
	if v.report == nil || !v.informed() {
		return nil
	}
	now := *v.report
	now.Pairs = slices.Collect(v.pairs())
	return &now
}

// up tells whether the last poll reached a broker. A loop that hangs has reached nobody for
// longer than values are kept, and does not pretend otherwise.
func (v *view) up() bool { return v.snapshot != nil && v.snapshot.Reached && v.polling() }

// polling tells whether a poll ended lately, whatever it found.
func (v *view) polling() bool { return v.snapshot != nil && v.fresh.since(v.snapshot.At) }

// informed tells whether a poll that reached a broker ended lately.
func (v *view) informed() bool {
	_, ok := v.fresh.published(v.published)
	return ok
}

// valid tells whether the view still says what a new one of the same state would.
func (v *view) valid(s *state, now model.Instant) bool {
	return v.state == s && !now.Before(v.fresh.now) && !v.until.Before(now)
}

// views keeps the last view, since most scrapes find the state they found before.
type views struct {
	mu   sync.Mutex
	last *view
}

func (c *views) at(s *state, fresh freshness) *view {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil || !c.last.valid(s, fresh.now) {
		c.last = newView(s, fresh)
	}
	return c.last
}
