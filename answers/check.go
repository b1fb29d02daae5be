package answers

import (
	"cmp"
	"maps"
	"slices"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// The exit codes.
const (
	ExitSafe   = 0
	ExitRisk   = 1
	ExitUnsure = 2
)

// Check is what is at risk, and what makes retention behave otherwise than it looks.
type Check struct {
	Exit          int       `json:"exit"`
	At            When      `json:"at"`
	WithinSeconds float64   `json:"within_seconds"`
	Risks         []Risk    `json:"risks"`
	Findings      []Finding `json:"findings"`
	Unsure        []Unsure  `json:"unsure"`
	Problems      []string  `json:"problems"` // what the last poll could not read
}

// Risk is a pair at risk, the soonest first.
type Risk struct {
	Group     string `json:"consumergroup"`
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	State     string `json:"state"` // lost, at_risk, or at_risk_if_stopped where its pace is not known
	Rule      string `json:"rule"`  // time or size; empty where it is lost already
	Deadline  When   `json:"deadline"`
	Floor     When   `json:"floor"` // nothing goes before it if the group stops now
	Records   Number `json:"records"`
	Bytes     Number `json:"bytes"`
	Lost      int64  `json:"lost_records"`
}

// Unsure is a pair or group of which it cannot be told.
type Unsure struct {
	Group     string `json:"consumergroup"`
	Topic     string `json:"topic,omitempty"`
	Partition Number `json:"partition"`
	Reason    string `json:"reason"`
}

// Finding is a topic finding.
type Finding struct {
	Topic       string   `json:"topic"`
	Finding     string   `json:"finding"`
	Evidence    string   `json:"evidence"`
	Consequence string   `json:"consequence"`
	Cure        []string `json:"cure"` // any one of them
}

// NewCheck puts together what is at risk within a horizon. A nil report is a cluster that was not
// reached.
func NewCheck(s *model.Snapshot, report *predictor.Report, findings []advice.Finding, within model.Millis) Check {
	out := Check{
		Exit: ExitUnsure, WithinSeconds: float64(within) / 1000,
		Risks: []Risk{}, Findings: Findings(findings), Unsure: []Unsure{}, Problems: problems(s),
	}
	if report == nil {
		return out
	}
	out.At = at(report.At)
	risks, unsure := advice.Risks(report, within)
	for _, r := range risks {
		out.Risks = append(out.Risks, riskOf(r))
	}
	for _, f := range unsure {
		reason, _ := f.Reason.Get()
		out.Unsure = append(out.Unsure, Unsure{f.Key.Group, f.Key.Topic, Number{model.Known(int64(f.Key.Partition))}, reason.String()})
	}
	for _, name := range slices.Sorted(maps.Keys(report.UnknownGroups)) {
		out.Unsure = append(out.Unsure, Unsure{Group: name, Reason: report.UnknownGroups[name].String()})
	}
	switch {
	case len(out.Risks) > 0:
		out.Exit = ExitRisk
	case len(out.Unsure) == 0:
		out.Exit = ExitSafe
	}
	return out
}

func riskOf(r advice.Risk) Risk {
	out := Risk{
		Group: r.Key.Group, Topic: r.Key.Topic, Partition: r.Key.Partition, State: "at_risk",
		Deadline: at(r.Deadline), Floor: When{r.Floor}, Records: number(r.Lag), Bytes: number(r.Inputs.BytesUnread), Lost: r.LostOffsets,
	}
	if rule, ok := r.Rule.Get(); ok {
		out.Rule = rule.String()
	}
	switch {
	case r.Lost:
		out.State = "lost"
	case !r.Paced:
		out.State = "at_risk_if_stopped"
	}
	return out
}

// Findings are those of package advice in JSON.
func Findings(findings []advice.Finding) []Finding {
	out := []Finding{}
	for _, f := range findings {
		out = append(out, Finding{f.Topic, f.Kind.String(), f.Evidence, f.Consequence, f.Cure})
	}
	return out
}

func problems(s *model.Snapshot) []string {
	out := []string{}
	if s == nil {
		return out
	}
	for _, p := range s.Problems {
		out = append(out, string(p.Stage)+": "+cmp.Or(p.Detail, p.Cause))
	}
	if !s.Reached {
		out = append(out, "no broker answers")
	}
	return out
}
