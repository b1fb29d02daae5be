package alerts

import (
	"strings"
	"time"
)

// scope tells what the label sets of an alert stand for.
type scope int

const (
	scopePair  scope = iota + 1 // a group on a partition, or on a topic
	scopeGroup                  // a group
	scopeOther                  // a topic, a volume, a cluster, the exporter
)

// rule is an alert before thresholds are known. Durations are those of scale 1.
type rule struct {
	alert    string
	severity Severity
	scope    scope
	base     vector            // what expr starts from: a series for each pair or group
	expr     func(term) string // true for the label sets that are in alarm
	wait     time.Duration     // for
	linger   time.Duration     // keep_firing_for
	patience bool              // wait spans scrapes: it keeps shortestWindow at any scale

	summary, description string
}

// record is a recording rule: an expression that several alerts start from.
type record struct {
	name string
	expr func(Options) string
}

// section is a group of rules, evaluated in order.
type section struct {
	name    string
	records []record
	rules   []rule
}

// vector is PromQL for an instant vector, with {} where label matchers go.
type vector string

// of is the vector under label matchers, {a="b"} or nothing.
func (v vector) of(matchers string) string { return strings.ReplaceAll(string(v), "{}", matchers) }

// term is what an expression is built for: thresholds, the series that are meant, and the alert
// itself, which holds on to what it has said.
type term struct {
	Options
	x     string // the base under the matchers of an override
	alert string
	level Severity
}

// itself selects the alert's own series of the evaluation before; further matchers begin with a
// comma. Labels that rules add are ignored in the comparison.
func (t term) itself(further string) string {
	return `and ignoring (alertname, alertstate, severity, owner) ALERTS{alertname="` + t.alert + `", severity="` + string(t.level) + `"` + further + `}`
}

// Thresholds of a firing alert are left by a margin, not by a wobble.
const (
	horizonMargin = " * 1.3"
	usedMargin    = " * 0.9"
)

// Horizons are at most these parts of a topic's retention.
const (
	warnPart = " / 2"
	pagePart = " / 6"
)

// within is true while x, a time left, is inside a horizon: a constant, or a part of the topic's
// retention where that is shorter. A topic without known or finite retention has the constant.
// Once firing it holds until the margin.
func (t term) within(horizon time.Duration, part string) string {
	inside := func(margin string) string {
		return t.x + " < " + seconds(t.scaled(horizon)) + margin + "\n" +
			"  unless " + t.x + " >= ignoring (consumergroup, partition) group_left () " + topicRetention + margin + part
	}
	return inside("") + "\nor\n" + inside(horizonMargin) + "\n  " + t.itself(firing)
}

// soon is within for what belongs to no topic.
func (t term) soon(horizon time.Duration) string {
	inside := t.x + " < " + seconds(t.scaled(horizon))
	return inside + "\nor\n" + inside + horizonMargin + "\n  " + t.itself(firing)
}

// firing leaves out alerts that still wait.
const firing = `, alertstate="firing"`
