package alerts

import (
	"bytes"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// sections are all rules in the order for readers: the watcher, what is happening, what is coming.
func sections() []section {
	return []section{
		{name: "kafka-retention-exporter", rules: exporterRules()},
		{name: "kafka-retention-loss", records: pairRecords(), rules: append(pairRules(), groupRules()...)},
		{name: "kafka-retention-cluster", rules: clusterRules()},
	}
}

const header = "# Made by: kafka-retention-exporter rules. Change thresholds by its flags, not here.\n# Needs Prometheus 2.42 or newer (keep_firing_for).\n"

// Render is a rule file for Prometheus.
func Render(o Options) ([]byte, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return encode(ruleFile{Groups: o.groups()})
}

// RenderKubernetes is the same as a PrometheusRule for the Prometheus operator.
func RenderKubernetes(o Options) ([]byte, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return encode(resource{
		APIVersion: "monitoring.coreos.com/v1", Kind: "PrometheusRule",
		Metadata: metadata{Name: "kafka-retention-exporter", Labels: map[string]string{"app.kubernetes.io/name": "kafka-retention-exporter"}},
		Spec:     ruleFile{Groups: o.groups()},
	})
}

type ruleFile struct {
	Groups []ruleGroup `yaml:"groups"`
}

type ruleGroup struct {
	Name  string      `yaml:"name"`
	Rules []ruleEntry `yaml:"rules"`
}

// ruleEntry is a recording or an alerting rule, as Prometheus reads it.
type ruleEntry struct {
	Record        string            `yaml:"record,omitempty"`
	Alert         string            `yaml:"alert,omitempty"`
	Expr          string            `yaml:"expr"`
	For           string            `yaml:"for,omitempty"`
	KeepFiringFor string            `yaml:"keep_firing_for,omitempty"`
	Labels        map[string]string `yaml:"labels,omitempty"`
	Annotations   map[string]string `yaml:"annotations,omitempty"`
}

type resource struct {
	APIVersion string   `yaml:"apiVersion"`
	Kind       string   `yaml:"kind"`
	Metadata   metadata `yaml:"metadata"`
	Spec       ruleFile `yaml:"spec"`
}

type metadata struct {
	Name   string            `yaml:"name"`
	Labels map[string]string `yaml:"labels"`
}

func (o Options) groups() []ruleGroup {
	var groups []ruleGroup
	for _, s := range sections() {
		g := ruleGroup{Name: s.name}
		for _, r := range s.records {
			g.Rules = append(g.Rules, ruleEntry{Record: r.name, Expr: r.expr(o)})
		}
		for _, r := range s.rules {
			g.Rules = append(g.Rules, o.entries(r)...)
		}
		groups = append(groups, g)
	}
	return groups
}

// entries are a rule for everything that is not overridden, and once for each override.
func (o Options) entries(r rule) []ruleEntry {
	var before []Override // those that take precedence
	var out []ruleEntry
	for _, v := range o.Overrides {
		if !v.concerns(r.scope) {
			continue
		}
		if !o.repeats(r, v) {
			out = append(out, o.with(v).entry(r, &v, before))
		}
		before = append(before, v)
	}
	return append(out, o.entry(r, nil, before))
}

// repeats tells that a severity ceiling makes the rule the same alert as its own warning: an
// alert at two severities is then left to the wider horizon, that of the lower one.
func (o Options) repeats(r rule, v Override) bool {
	ceiling := r.severity.atMost(v.Severity)
	for _, s := range sections() {
		for _, other := range s.rules {
			if other.alert == r.alert && other.severity.rank() < r.severity.rank() && other.severity.atMost(v.Severity) == ceiling {
				return true
			}
		}
	}
	return false
}

// entry is a rule for the pairs that v matches, or all if it is nil, without those of before.
func (o Options) entry(r rule, v *Override, before []Override) ruleEntry {
	matchers, severity := "", r.severity
	labels := map[string]string{}
	if v != nil {
		matchers, severity = v.matchers(), severity.atMost(v.Severity)
		if v.Owner != "" {
			labels["owner"] = v.Owner
		}
	}
	labels["severity"] = string(severity)
	e := ruleEntry{
		Alert: r.alert, Labels: labels,
		Expr: without(r.expr(term{Options: o, x: r.base.of(matchers), alert: r.alert, level: severity}), r.base, before),
		Annotations: map[string]string{
			"summary": r.summary, "description": strings.TrimSpace(r.description),
			"runbook_url": strings.TrimSuffix(o.Runbooks, "/") + "/" + r.alert + ".md",
		},
	}
	if wait := o.scaled(r.wait); r.wait > 0 {
		if r.patience {
			wait = o.window(r.wait)
		}
		e.For = promDuration(wait)
	}
	if r.linger > 0 {
		e.KeepFiringFor = promDuration(o.scaled(r.linger))
	}
	return e
}

// without leaves overridden pairs out of an expression. Overrides do not look at partitions, and
// some alerts have none.
func without(expr string, base vector, before []Override) string {
	if len(before) == 0 {
		return expr
	}
	expr = "(\n" + indent(expr) + "\n)"
	for _, v := range before {
		expr += "\nunless ignoring (partition) " + base.of(v.matchers())
	}
	return expr
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(header)
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode rules: %w", err)
	}
	return out.Bytes(), nil
}
