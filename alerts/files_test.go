package alerts_test

import (
	"flag"
	"os"
	"testing"

	"kafka-retention-exporter/alerts"
)

var update = flag.Bool("update", false, "write the committed rule files")

// TestCommittedFilesAreWhatTheGeneratorWrites keeps rule file, resource and program together.
func TestCommittedFilesAreWhatTheGeneratorWrites(t *testing.T) {
	for file, render := range map[string]func(alerts.Options) ([]byte, error){
		"rules.yml": alerts.Render, "prometheusrule.yml": alerts.RenderKubernetes,
		"../examples/kubernetes/chart/files/prometheusrule.yml": alerts.RenderKubernetes,
	} {
		t.Run(file, func(t *testing.T) {
			want, err := render(alerts.Default())
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(file, want, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			have, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if string(have) != string(want) {
				t.Error("not what the generator writes: go test ./alerts -update")
			}
		})
	}
}
