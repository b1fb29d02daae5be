package alerts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"kafka-retention-exporter/alerts"
)

// need returns a program of Debian's packages for monitoring. Where everything is to be tested
// (KRE_BROKER=1) a missing one fails the test.
func need(t *testing.T, program, debian string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err == nil {
		return path
	}
	if os.Getenv("KRE_BROKER") == "1" {
		t.Fatalf("%s is missing: apt-get install --no-install-recommends %s", program, debian)
	}
	t.Skipf("left out: %s needs %s, Debian package %s", t.Name(), program, debian)
	return ""
}

func run(t *testing.T, program string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, out)
	}
}

func write(t *testing.T, dir, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestPromtoolAcceptsRules(t *testing.T) {
	promtool := need(t, "promtool", "prometheus")
	tiny := alerts.Default()
	tiny.Scale = 1.0 / 1440
	for _, c := range []struct {
		name string
		o    alerts.Options
		lint string
	}{
		{"default", alerts.Default(), "all"},
		{"in compressed time", tiny, "all"},
		// To the linter, rules of one alert for different groups are duplicates.
		{"with overrides", overridden(t, overrides), "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := alerts.Render(c.o)
			if err != nil {
				t.Fatal(err)
			}
			run(t, promtool, "check", "rules", "--lint="+c.lint, "--lint-fatal", write(t, t.TempDir(), "rules.yml", text))
		})
	}
}

func TestPromtoolRunsRuleTests(t *testing.T) {
	promtool := need(t, "promtool", "prometheus")
	for _, file := range ruleTests(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			run(t, promtool, "test", "rules", file)
		})
	}
	t.Run("overridden", func(t *testing.T) {
		o := overridden(t, string(read(t, "rules_test/overridden/overrides.yml")))
		text, err := alerts.Render(o)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		write(t, dir, "rules.yml", text)
		run(t, promtool, "test", "rules", write(t, dir, "test.yml", read(t, "rules_test/overridden/test.yml")))
	})
}

func ruleTests(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("rules_test/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("rule tests: %v, %v", files, err)
	}
	return files
}

// TestEveryAlertHasATestThatFiresAndOneThatIsSilent reads the rule tests: each alert must be
// expected to fire with its whole text at one instant, and some instant must expect it silent.
func TestEveryAlertHasATestThatFiresAndOneThatIsSilent(t *testing.T) {
	fires, silent := map[string]bool{}, map[string]bool{}
	named := regexp.MustCompile(`alertname="(\w+)"`)
	for _, path := range ruleTests(t) {
		var file struct {
			Tests []struct {
				Exprs []struct {
					Expr    string
					Samples []any `yaml:"exp_samples"`
				} `yaml:"promql_expr_test"`
				Alerts []struct {
					Alertname string
					Alerts    []struct {
						Annotations map[string]string `yaml:"exp_annotations"`
					} `yaml:"exp_alerts"`
				} `yaml:"alert_rule_test"`
			}
		}
		if err := yaml.Unmarshal(read(t, path), &file); err != nil {
			t.Fatal(err)
		}
		everything := false // an instant at which no alert of the file's may fire
		inFile := map[string]bool{}
		for _, test := range file.Tests {
			for _, a := range test.Alerts {
				inFile[a.Alertname] = true
				fires[a.Alertname] = fires[a.Alertname] || len(a.Alerts) > 0 && a.Alerts[0].Annotations["description"] != ""
				silent[a.Alertname] = silent[a.Alertname] || len(a.Alerts) == 0
			}
			for _, e := range test.Exprs {
				if name := named.FindStringSubmatch(e.Expr); len(e.Samples) == 0 && name != nil {
					silent[name[1]] = true
				} else if len(e.Samples) == 0 && strings.Contains(e.Expr, "ALERTS") {
					everything = true
				}
			}
		}
		for name := range inFile {
			silent[name] = silent[name] || everything
		}
	}
	for name := range alertNames() {
		if !fires[name] || !silent[name] {
			t.Errorf("%s: a test expects its text: %t, a test expects silence: %t", name, fires[name], silent[name])
		}
	}
}
