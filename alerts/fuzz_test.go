package alerts_test

import (
	"testing"

	"gopkg.in/yaml.v3"

	"kafka-retention-exporter/alerts"
)

// FuzzOverrides reads any text as overrides: what is accepted makes a rule file that is YAML.
func FuzzOverrides(f *testing.F) {
	f.Add([]byte(overrides))
	f.Add([]byte("- group: a\n  owner: \"'\"\n"))
	f.Add([]byte("- topic: \"\\\"\\n{{\"\n  severity: page\n"))
	f.Add(read(f, "rules_test/overridden/overrides.yml"))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := alerts.ReadOverrides(text)
		if err != nil {
			return
		}
		o := alerts.Default()
		o.Overrides = list
		if o.Validate() != nil {
			return
		}
		rules, err := alerts.Render(o)
		if err != nil {
			t.Fatal(err)
		}
		var any yaml.Node
		if err := yaml.Unmarshal(rules, &any); err != nil {
			t.Errorf("no YAML: %v", err)
		}
	})
}
