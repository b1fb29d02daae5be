package alerts_test

import (
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestRecordedNamesAreExplained: each name that is recorded for people who come from kafka_exporter
// has a row that says what it is here, which is what the rule records.
func TestRecordedNamesAreExplained(t *testing.T) {
	var file struct {
		Groups []struct {
			Rules []struct{ Record, Expr string }
		}
	}
	if err := yaml.Unmarshal(read(t, "kafka_exporter_names.yml"), &file); err != nil {
		t.Fatal(err)
	}
	page, replicas := string(read(t, "coming_from.md")), regexp.MustCompile(`max without \(instance, pod\) \((\w+)\)`)
	for _, r := range file.Groups[0].Rules {
		if row := "| `" + r.Record + "` | `" + replicas.ReplaceAllString(r.Expr, "$1") + "` |"; !strings.Contains(page, row) {
			t.Errorf("no row %s", row)
		}
	}
}
