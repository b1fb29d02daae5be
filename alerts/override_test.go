package alerts_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kafka-retention-exporter/alerts"
)

const overrides = `
overrides:
  - group: billing-.*
    topic: orders
    used: 0.8
    warn: 12h
    page: 1h
    owner: payments
  - group: billing-.*|audit
    severity: warning
`

func overridden(t *testing.T, text string) alerts.Options {
	t.Helper()
	o := alerts.Default()
	var err error
	if o.Overrides, err = alerts.ReadOverrides([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return o
}

func named(all []rule, alert string) []rule {
	return slices.DeleteFunc(slices.Clone(all), func(r rule) bool { return r.Alert != alert })
}

func TestOverrideHasItsOwnThresholdsAndOwner(t *testing.T) {
	used := named(rendered(t, overridden(t, overrides)), "KafkaRetentionHalfUsed")
	if len(used) != 3 {
		t.Fatalf("%d rules, want one for each override and one for the rest", len(used))
	}
	const first = `{consumergroup=~"billing-.*", topic=~"orders"}`
	if e := used[0].Expr; !strings.Contains(e, first+" > 0.8\n") || used[0].Labels["owner"] != "payments" {
		t.Errorf("the first override: %v\n%s", used[0].Labels, e)
	}
	if e := used[1].Expr; !strings.Contains(e, `{consumergroup=~"billing-.*|audit"} > 0.5`) || !strings.HasSuffix(e, "unless ignoring (partition) pair:kafka_retention_group_retention_used_ratio:max"+first) {
		t.Errorf("the second override does not leave the first's pairs to it:\n%s", e)
	}
	if e := used[2].Expr; strings.Count(e, "unless ignoring (partition)") != 2 || used[2].Labels["owner"] != "" {
		t.Errorf("the rest still has what is overridden:\n%s", e)
	}
}

func TestSeverityOfAnOverrideIsACeiling(t *testing.T) {
	all := rendered(t, overridden(t, "overrides: [{group: audit, severity: warning}]"))
	for _, alert := range []string{"KafkaRetentionLossCertain", "KafkaRetentionRecordsLost"} {
		r := named(all, alert)
		if len(r) != 2 || r[0].Labels["severity"] != "warning" || r[1].Labels["severity"] != "critical" {
			t.Errorf("%s: %+v", alert, r)
		}
	}
	// Two rules of one alert with the same labels would be two opinions on one thing.
	predicted := named(all, "KafkaRetentionLossPredicted")
	if len(predicted) != 3 || !strings.Contains(predicted[1].Expr, `{consumergroup=~"audit"} < 86400`) {
		t.Errorf("%d rules for LossPredicted, want the critical one without the group and two warnings: %+v", len(predicted), predicted)
	}
}

func TestOverrideOfATopicLeavesOffsetsOfTheGroupAlone(t *testing.T) {
	all := rendered(t, overridden(t, "overrides: [{group: audit, topic: orders, owner: x}]"))
	if r := named(all, "KafkaRetentionOffsetsExpiring"); len(r) != 1 || strings.Contains(r[0].Expr, "audit") {
		t.Errorf("offsets expire for a group with all its topics: %+v", r)
	}
	all = rendered(t, overridden(t, "overrides: [{group: audit, owner: x}]"))
	if r := named(all, "KafkaRetentionOffsetsExpiring"); len(r) != 2 || r[0].Labels["owner"] != "x" {
		t.Errorf("an override of the whole group: %+v", r)
	}
}

func TestWrongOptionsAreNamed(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*alerts.Options)
		want   string
	}{
		{"page of nothing", func(o *alerts.Options) { o.Page = 0 }, "page: 0s is not above 0"},
		{"warning after the page", func(o *alerts.Options) { o.Warn = o.Page - 1 }, "warn: 3h59m59.999999999s is less than page, 4h0m0s"},
		{"used as a percentage", func(o *alerts.Options) { o.Used = 50 }, "used: 50 is not above 0 and at most 1"},
		{"scale of nothing", func(o *alerts.Options) { o.Scale = 0 }, "scale: 0 is not above 0 and at most 1000"},
		{"no runbooks", func(o *alerts.Options) { o.Runbooks = "" }, "runbooks: is empty"},
		{"override of all", func(o *alerts.Options) { o.Overrides = []alerts.Override{{Owner: "x"}} }, "overrides: entry 1: has neither group nor topic"},
		{"override that is no expression", func(o *alerts.Options) { o.Overrides = []alerts.Override{{Group: "a"}, {Group: "("}} }, "overrides: entry 2: error parsing regexp: missing closing ): `^(?:()$`"},
		{"override with an unknown severity", func(o *alerts.Options) { o.Overrides = []alerts.Override{{Group: "a", Severity: "page"}} }, `overrides: entry 1: severity: "page" is not info, warning or critical`},
		{"override with a wrong threshold", func(o *alerts.Options) {
			used := 1.5
			o.Overrides = []alerts.Override{{Group: "a", Used: &used}}
		}, "overrides: entry 1: used: 1.5 is not above 0 and at most 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := alerts.Default()
			c.change(&o)
			if _, err := alerts.Render(o); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if _, err := alerts.RenderKubernetes(o); err == nil {
				t.Error("the resource is rendered all the same")
			}
		})
	}
}

func TestMisspeltKeyOfAnOverrideIsAnError(t *testing.T) {
	if _, err := alerts.ReadOverrides([]byte("overrides: [{grup: a}]")); err == nil || !strings.Contains(err.Error(), "grup") {
		t.Errorf("got %v", err)
	}
	if none, err := alerts.ReadOverrides(nil); err != nil || len(none) != 0 {
		t.Errorf("an empty file: %v, %v", none, err)
	}
}

func TestCommandReadsOverridesAndWritesTheFormat(t *testing.T) {
	file := filepath.Join(t.TempDir(), "overrides.yml")
	if err := os.WriteFile(file, []byte(overrides), 0o644); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{alerts.FormatPrometheus: "\ngroups:\n", alerts.FormatKubernetes: "\nkind: PrometheusRule\n"} {
		var out bytes.Buffer
		if err := (alerts.Command{Options: alerts.Default(), OverridesFile: file, Format: format}).Run(&out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) || !strings.Contains(out.String(), "owner: payments") {
			t.Errorf("%s: %s", format, out.String()[:200])
		}
	}
	var out bytes.Buffer
	if err := (alerts.Command{Options: alerts.Default(), Format: "json"}).Run(&out); err == nil || out.Len() > 0 {
		t.Errorf("format json: %v and %d bytes", err, out.Len())
	}
	if err := (alerts.Command{Options: alerts.Default(), OverridesFile: file + "x", Format: alerts.FormatPrometheus}).Run(&out); err == nil || out.Len() > 0 {
		t.Errorf("missing file: %v and %d bytes", err, out.Len())
	}
}
