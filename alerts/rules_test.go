package alerts_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/exporter"
)

// rule is an entry of a rendered file.
type rule struct {
	Record, Alert, Expr string
	For                 string
	KeepFiringFor       string `yaml:"keep_firing_for"`
	Labels, Annotations map[string]string
}

func rendered(t *testing.T, o alerts.Options) []rule {
	t.Helper()
	text, err := alerts.Render(o)
	if err != nil {
		t.Fatal(err)
	}
	return decoded(t, text)
}

func decoded(t *testing.T, text []byte) []rule {
	t.Helper()
	var file struct {
		Groups []struct{ Rules []rule }
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var all []rule
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	return all
}

// alertNames are the alerts that are promised, with the severities they come in.
func alertNames() map[string][]string {
	return map[string][]string{
		"KafkaRetentionLossPredicted":   {"critical", "warning"},
		"KafkaRetentionLossCertain":     {"critical"},
		"KafkaRetentionHalfUsed":        {"warning"},
		"KafkaRetentionRecordsLost":     {"critical"},
		"KafkaRetentionGroupStopped":    {"warning"},
		"KafkaRetentionOffsetsExpiring": {"warning"},
		"KafkaRetentionFailoverExposed": {"warning"},
		"KafkaRetentionDiskFilling":     {"critical", "warning"},
		"KafkaRetentionTopicFinding":    {"info"},
		"KafkaRetentionExporterDown":    {"critical"},
		"KafkaRetentionPollStale":       {"critical"},
		"KafkaRetentionForecastUnknown": {"info"},
		"KafkaRetentionAuditViolated":   {"warning"},
		"KafkaRetentionClustersMixed":   {"warning"},
	}
}

func TestAlertsAreThosePromised(t *testing.T) {
	have := map[string][]string{}
	for _, r := range rendered(t, alerts.Default()) {
		if r.Alert != "" {
			have[r.Alert] = append(have[r.Alert], r.Labels["severity"])
		}
	}
	for name, severities := range alertNames() {
		if !slices.Equal(have[name], severities) {
			t.Errorf("%s: severities %v, want %v", name, have[name], severities)
		}
		delete(have, name)
	}
	for name := range have {
		t.Errorf("%s is rendered, but not promised", name)
	}
}

func TestEveryAlertSaysWhatToDo(t *testing.T) {
	for _, r := range rendered(t, alerts.Default()) {
		if r.Alert == "" {
			continue
		}
		if r.Annotations["summary"] == "" || strings.Contains(r.Annotations["summary"], "{{") {
			t.Errorf("%s: the summary is missing, or not the same for all instances: %q", r.Alert, r.Annotations["summary"])
		}
		if r.Annotations["description"] == "" {
			t.Errorf("%s: no description", r.Alert)
		}
		if !strings.HasSuffix(r.Annotations["runbook_url"], "/"+r.Alert+".md") {
			t.Errorf("%s: runbook_url %q", r.Alert, r.Annotations["runbook_url"])
		}
		if r.KeepFiringFor == "" {
			t.Errorf("%s: nothing keeps it from flapping", r.Alert)
		}
		if strings.Contains(r.Expr, "by (") {
			t.Errorf("%s: by() drops the labels of the target: %s", r.Alert, r.Expr)
		}
	}
}

// TestNoRuleTellsReplicasApart: without (instance, pod), two exporters that see the same would
// page twice.
func TestNoRuleTellsReplicasApart(t *testing.T) {
	raw := regexp.MustCompile(`kafka_retention_\w+`)
	merged := regexp.MustCompile(`(?:min|max|count) without \((?:instance, pod|instance, pod, state)\) \(`)
	for _, r := range rendered(t, alerts.Default()) {
		expr := regexp.MustCompile(`\w+:kafka_retention_\w+:\w+`).ReplaceAllString(r.Expr, "recorded")
		expr = strings.ReplaceAll(expr, "absent(last_over_time(kafka_retention_up", "absent(")
		if have, want := len(merged.FindAllString(expr, -1)), len(raw.FindAllString(expr, -1)); have != want {
			t.Errorf("%s%s: %d raw metrics, %d of them without instance and pod:\n%s", r.Record, r.Alert, want, have, expr)
		}
	}
}

// TestEveryMetricExists reads each name in rules and texts: served, or recorded here.
func TestEveryMetricExists(t *testing.T) {
	known := servedMetrics()
	rules := rendered(t, alerts.Default())
	names := regexp.MustCompile(`[\w:]*kafka_retention_[\w:]+`)
	for _, r := range rules {
		if r.Record != "" {
			known = append(known, r.Record)
		}
		for _, name := range names.FindAllString(r.Expr+r.Annotations["description"], -1) {
			if !slices.Contains(known, name) {
				t.Errorf("%s%s uses %s, which does not exist", r.Record, r.Alert, name)
			}
		}
	}
}

// TestStandardDetailHasAllThatRulesUse: whoever asks for fewer series must not lose an alert by it.
func TestStandardDetailHasAllThatRulesUse(t *testing.T) {
	names := regexp.MustCompile(`[\w:]*kafka_retention_[\w:]+`)
	left := map[string]bool{}
	for _, f := range exporter.Families() {
		left[f.Name] = f.FullOnly
	}
	for _, r := range rendered(t, alerts.Default()) {
		for _, name := range names.FindAllString(r.Expr+r.Annotations["description"], -1) {
			if left[name] {
				t.Errorf("%s%s uses %s, which standard detail leaves out", r.Record, r.Alert, name)
			}
		}
	}
}

func servedMetrics() []string {
	var names []string
	for _, f := range exporter.Families() {
		names = append(names, f.Name)
	}
	return names
}

func TestScaleMultipliesEveryDuration(t *testing.T) {
	o := alerts.Default()
	o.Scale = 1.0 / 60
	for _, r := range rendered(t, o) {
		switch r.Alert {
		case "KafkaRetentionLossPredicted":
			if want := map[string]string{"warning": "< 1440\n", "critical": "< 240\n"}[r.Labels["severity"]]; !strings.Contains(r.Expr, want) {
				t.Errorf("%s does not compare with %q:\n%s", r.Alert, want, r.Expr)
			}
			if want := map[string]string{"warning": "10s", "critical": "2s"}[r.Labels["severity"]]; r.For != want || r.KeepFiringFor != "15s" {
				t.Errorf("%s: for %s, keep_firing_for %s", r.Alert, r.For, r.KeepFiringFor)
			}
		case "KafkaRetentionExporterDown":
			if r.For != "10s" {
				t.Errorf("%s waits %s, which is no time for two scrapes", r.Alert, r.For)
			}
		case "KafkaRetentionRecordsLost":
			if !strings.Contains(r.Expr, "[15s]") {
				t.Errorf("%s: %s", r.Alert, r.Expr)
			}
		}
	}
	o.Scale = 1.0 / 1440
	for _, r := range rendered(t, o) {
		if r.Alert == "KafkaRetentionRecordsLost" && !strings.Contains(r.Expr, "[10s]") {
			t.Errorf("a window holds fewer than several scrapes: %s", r.Expr)
		}
		if r.Alert == "KafkaRetentionLossCertain" && r.For != "83ms" {
			t.Errorf("%s waits %s", r.Alert, r.For)
		}
	}
}

func TestThresholdsAreRendered(t *testing.T) {
	o := alerts.Default()
	o.Warn, o.Page, o.Used, o.Runbooks = 36*time.Hour, 90*time.Minute, 0.75, "https://wiki.example/retention/"
	var all strings.Builder
	for _, r := range rendered(t, o) {
		all.WriteString(r.Expr + "\n" + r.Annotations["runbook_url"] + "\n")
	}
	for _, want := range []string{"< 129600\n", "< 5400\n", "> 0.75\n", "https://wiki.example/retention/KafkaRetentionHalfUsed.md"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no rule has %q", want)
		}
	}
}

func TestResourceHoldsTheSameRules(t *testing.T) {
	text, err := os.ReadFile("prometheusrule.yml")
	if err != nil {
		t.Fatal(err)
	}
	var resource struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       yaml.Node
	}
	if err := yaml.Unmarshal(text, &resource); err != nil {
		t.Fatal(err)
	}
	if resource.APIVersion != "monitoring.coreos.com/v1" || resource.Kind != "PrometheusRule" || resource.Metadata.Name == "" {
		t.Errorf("not a PrometheusRule: %+v", resource)
	}
	spec, err := yaml.Marshal(&resource.Spec)
	if err != nil {
		t.Fatal(err)
	}
	have, want := decoded(t, spec), rendered(t, alerts.Default())
	if !slices.EqualFunc(have, want, func(a, b rule) bool {
		return a.Expr == b.Expr && a.Annotations["description"] == b.Annotations["description"] && a.For == b.For
	}) {
		t.Error("the rules of the resource are not those of the file")
	}
}
