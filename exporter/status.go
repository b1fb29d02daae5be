package exporter

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strings"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// maxRows is how many pairs the status page shows; the JSON has all.
const maxRows = 500

// statusPage is the page for people: the soonest losses first, in words before numbers.
type statusPage struct {
	template      *template.Template
	telemetryPath string
}

func newStatusPage(telemetryPath string) (*statusPage, error) {
	t, err := template.ParseFS(assets, "status.html")
	if err != nil {
		return nil, fmt.Errorf("parse status page: %w", err)
	}
	return &statusPage{t, telemetryPath}, nil
}

// statusData is what the template shows.
type statusData struct {
	MetricsPath string
	Headline    string
	Good        bool
	Polled      string // empty before the first poll that reached a broker
	ClusterID   string
	Problems    []statusProblem
	Unknown     []statusUnknown
	Findings    []advice.Finding
	Rows        []statusRow
	More        int // rows left out
}

type statusProblem struct {
	Cause, Stages, Detail string
	Count                 int
}

type statusUnknown struct {
	Reason string
	Pairs  int
}

type statusRow struct {
	Group, Topic string
	Partition    int32
	Urgency      string // CSS class: lost, soon, calm or unknown
	Verdict      string
	State, Rule  string
	Lag, Used    string
	Loss, Floor  string
	at           model.Instant // for sorting
}

func (p *statusPage) render(buf *bytes.Buffer, v *view) error {
	data := statusData{MetricsPath: strings.TrimPrefix(p.telemetryPath, "/"), Good: v.up(), Headline: headline(v)}
	if at, ok := v.published.At(); ok {
		data.Polled = at.String()
	}
	if v.snapshot != nil {
		data.ClusterID = v.snapshot.ClusterID
		data.Problems = statusProblems(v.state)
	}
	for _, reason := range predictor.Reasons() {
		if n := v.unknown[reason]; n > 0 {
			data.Unknown = append(data.Unknown, statusUnknown{reason.String(), n})
		}
	}
	data.Findings = v.findings[:min(maxRows, len(v.findings))]
	data.Rows = rows(v)
	data.More = max(0, len(data.Rows)-maxRows)
	data.Rows = data.Rows[:len(data.Rows)-data.More]
	return p.template.Execute(buf, data)
}

func statusProblems(s *state) (out []statusProblem) {
	found := byCause(s)
	for _, cause := range slices.Sorted(maps.Keys(found)) {
		f := found[cause]
		p := statusProblem{Cause: cause, Stages: strings.Join(f.stages, ", "), Detail: f.detail, Count: f.count}
		if len(f.stages) == 0 {
			p.Detail = f.message()
		}
		out = append(out, p)
	}
	return out
}

func headline(v *view) string {
	switch {
	case v.polls == 0:
		return "The first poll is under way."
	case !v.polling():
		return "No poll has ended lately."
	case !v.up():
		return "No broker answers."
	case len(v.problems) > 0:
		return "The cluster answers, but not everything could be read."
	}
	return "The cluster answers."
}

// rows are all pairs, the soonest loss first and the unknown ones last.
func rows(v *view) []statusRow {
	var out []statusRow
	for f := range v.pairs() {
		out = append(out, row(f, v.report.At))
	}
	slices.SortStableFunc(out, func(a, b statusRow) int { return cmp.Compare(a.at, b.at) })
	return out
}

func row(f predictor.Forecast, polled model.Instant) statusRow {
	r := statusRow{
		Group: labelValue(f.Key.Group), Topic: labelValue(f.Key.Topic), Partition: f.Key.Partition,
		State: spaced(f.State), Rule: spaced(f.Rule), Lag: "unknown", Used: "unknown",
		Loss: instantText(f.Loss), Floor: instantText(f.Floor), at: model.Forever,
	}
	if lag, ok := f.Lag.Get(); ok {
		r.Lag = lag.String()
	}
	if used, ok := f.Used.Get(); ok {
		r.Used = fmt.Sprintf("%.0f %%", used*100)
	}
	if loss, ok := f.Loss.Get(); ok {
		r.at = min(loss, model.Forever-1)
	}
	r.Verdict, r.Urgency = verdict(f, polled)
	return r
}

// soon is the time to loss in seconds under which a row is marked.
const soon = 24 * 3600

// verdict is the sentence of a row and how urgent it is.
func verdict(f predictor.Forecast, polled model.Instant) (sentence, urgency string) {
	if reason, ok := f.Reason.Get(); ok {
		return "unknown: " + strings.ReplaceAll(reason.String(), "_", " "), "unknown"
	}
	left, ok := timeToLoss(f, polled)
	switch {
	case !ok:
		return "unknown", "unknown"
	case isLost(f) && f.LostOffsets > 0:
		return fmt.Sprintf("lost: %d offsets deleted unread", f.LostOffsets), "lost"
	case isLost(f):
		return "lost: deleted unread before this program saw it", "lost"
	case math.IsInf(left, 1):
		return "no loss in sight", "calm"
	case left == 0:
		return "due: the next pass of the broker may delete unread records", "soon"
	case left < soon:
		return "loses unread records in " + lasting(left), "soon"
	}
	return "loses unread records in " + lasting(left), "calm"
}

// lasting prints seconds in the two largest units that people use for them.
func lasting(s float64) string {
	switch {
	case s < 120:
		return fmt.Sprintf("%.0f s", s)
	case s < 2*3600:
		return fmt.Sprintf("%.0f min", s/60)
	case s < 48*3600:
		return fmt.Sprintf("%.1f h", s/3600)
	case s < 1000*86400:
		return fmt.Sprintf("%.1f days", s/86400)
	}
	return fmt.Sprintf("%.0f years", s/86400/365.25)
}

func spaced[T interface{ String() string }](m model.Maybe[T]) string {
	if v, ok := m.Get(); ok {
		return strings.ReplaceAll(v.String(), "_", " ")
	}
	return ""
}

func instantText(m model.Maybe[model.Instant]) string {
	t, ok := m.Get()
	switch {
	case !ok:
		return "unknown"
	case t == model.Forever:
		return "never"
	}
	return t.String()
}
