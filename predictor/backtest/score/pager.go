package score

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// The alert KafkaRetentionLossPredicted of package alerts, at both severities, as shares of a
// retention of one day.
const (
	day = model.Millis(86_400_000)

	pagePart = 6 // critical: the loss is within R/6
	warnPart = 2 // warning: within R/2

	pageWait = model.Millis(2 * 60_000) // for
	warnWait = model.Millis(10 * 60_000)
	linger   = model.Millis(15 * 60_000) // keep_firing_for

	margin = 1.3 // a firing alert holds on until the horizon is left by this
)

// pager is the alert as Prometheus evaluates it at the polls.
type pager struct {
	horizon, wait, linger model.Millis

	firing bool
	since  model.Maybe[model.Instant] // true since; unknown while it is not
	ended  model.Maybe[model.Instant] // firing, but no longer true since
}

func newPager(retention, part, wait model.Millis) *pager {
	scaled := func(d model.Millis) model.Millis { return model.Millis(float64(d) / float64(day) * float64(retention)) }
	return &pager{horizon: retention / part, wait: scaled(wait), linger: scaled(linger)}
}

// at tells whether the alert fires after a poll.
func (p *pager) at(now model.Instant, f *predictor.Forecast) bool {
	inside := p.inside(now, f)
	switch {
	case p.firing && inside:
		p.ended = model.Maybe[model.Instant]{}
	case p.firing:
		ended, ok := p.ended.Get()
		if !ok {
			ended = now
			p.ended = model.Known(now)
		}
		if now.Sub(ended) >= p.linger {
			*p = pager{horizon: p.horizon, wait: p.wait, linger: p.linger}
		}
	case inside:
		since, ok := p.since.Get()
		if !ok {
			since = now
			p.since = model.Known(now)
		}
		p.firing = now.Sub(since) >= p.wait
	default:
		p.since = model.Maybe[model.Instant]{}
	}
	return p.firing
}

// inside is the alert's expression. Pairs that are lost have no time left to loss.
func (p *pager) inside(now model.Instant, f *predictor.Forecast) bool {
	loss, known := f.Loss.Get()
	if state, ok := f.State.Get(); !known || ok && state == predictor.Lost {
		return false
	}
	horizon := float64(p.horizon)
	if p.firing {
		horizon *= margin
	}
	return float64(max(loss.Sub(now), 0)) < horizon
}
