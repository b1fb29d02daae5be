package baseline

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// Rule is one rule of thumb.
type Rule struct {
	Name  string
	Means string // in a sentence
	// Estimates is false for rules that only page.
	Estimates bool
	// Frozen rules speak of a group that stops now.
	Frozen bool
	// Promises marks a rule whose instant may be read as "not before".
	Promises bool

	start func(Terms) Judge
}

// Terms are what whoever writes a rule of thumb down knows of the topic.
type Terms struct {
	Retention model.Millis              // R, of which windows and the horizon are shares
	TimeLimit model.Maybe[model.Millis] // retention.ms; unknown where it is off
}

// TermsOf are the terms of an episode: they are written down once, at its start.
func TermsOf(t track.Track) Terms {
	terms := Terms{Retention: t.Retention}
	if limit, ok := t.Settings.TimeLimit(); ok {
		terms.TimeLimit = model.Known(limit)
	}
	return terms
}

// Horizon is how long before a loss one wants to be paged.
func (t Terms) Horizon() model.Millis { return t.Retention / 6 }

// Answer is what a rule says at a poll. Loss is unknown where it cannot say, and Forever where it
// sees no loss.
type Answer struct {
	Loss model.Maybe[model.Instant]
	Page bool
}

// Judge is a rule at work on one pair.
type Judge func(track.Seen) Answer

// Start sets the rule to work on a pair. Polls without a commit are not shown to it.
func (r Rule) Start(t Terms) Judge {
	judge := r.start(t)
	return func(s track.Seen) Answer {
		if s.Committed < 0 {
			return Answer{}
		}
		return judge(s)
	}
}

// Rules lists the rules of thumb.
func Rules() []Rule {
	return []Rule{
		{
			Name: "headroom / rate", Estimates: true, start: estimate(headroom),
			Means: "committed offset minus log start, divided by how fast that shrank over R/96",
		},
		{
			Name: "predict_linear[R/24]", Estimates: true, start: estimate(predictLinear(24)),
			Means: "Prometheus' least squares line through committed offset minus log start, over R/24",
		},
		{
			Name: "predict_linear[R/4]", Estimates: true, start: estimate(predictLinear(4)),
			Means: "the same over R/4",
		},
		{
			Name: "60-point table", Estimates: true, Frozen: true, start: estimate(lagTable),
			Means: "R minus the time lag from a table of the last 60 polls of the log end, extended by a line",
		},
		{
			Name: "two-anchor line", Estimates: true, Frozen: true, start: estimate(twoAnchors),
			Means: "R minus the time lag from one line between the two ends of the log",
		},
		{
			Name: "age > 0.8 R and growing", start: ageGrows,
			Means: "page when the next unread record is older than 0.8 R and older than it was R/96 ago",
		},
		{
			Name: "lag ratio > 80 %", start: lagRatio,
			Means: "page when more than 80 % of the log's offsets are unread",
		},
		{
			Name: "R - age", Estimates: true, Frozen: true, Promises: true, start: estimate(leftOfAge),
			Means: "R minus the age of the next unread record",
		},
		{
			Name: "(R - age) / slope", Estimates: true, start: estimate(leftBySlope),
			Means: "the same, divided by how fast that age grew over R/24 (least squares)",
		},
		{
			Name: "Burrow status", start: burrow,
			Means: "page when Burrow's rules call the last ten commits stopped or always behind",
		},
	}
}

// estimator gives the instant of loss at a poll.
type estimator func(track.Seen) model.Maybe[model.Instant]

// estimate makes a rule of an estimator: it pages while the loss is inside the horizon.
func estimate(begin func(Terms) estimator) func(Terms) Judge {
	return func(t Terms) Judge {
		loss := begin(t)
		return func(s track.Seen) Answer {
			at := loss(s)
			instant, ok := at.Get()
			return Answer{Loss: at, Page: ok && instant.Sub(s.At) < t.Horizon()}
		}
	}
}

// unknown is the answer of a rule that cannot say.
func unknown() model.Maybe[model.Instant] { return model.Maybe[model.Instant]{} }

// after is the instant a number of milliseconds after another.
func after(at model.Instant, left float64) model.Maybe[model.Instant] {
	const far = 1e15 // thirty thousand years: nothing that a slope of nearly 0 gives beyond means anything
	if left >= far {
		return model.Known(model.Forever)
	}
	return model.Known(at.Add(model.Millis(max(left, 0))))
}
