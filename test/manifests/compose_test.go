package manifests

import (
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
)

// TestComposeFileFitsTheSchema loads the file as Compose does: schema, references between
// services, paths.
func TestComposeFileFitsTheSchema(t *testing.T) {
	options, err := cli.NewProjectOptions([]string{"../../examples/compose/compose.yml"}, cli.WithResolvedPaths(true))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kafka", "kafka-retention-exporter", "prometheus", "alertmanager", "grafana"} {
		if _, err := project.GetService(name); err != nil {
			t.Error(err)
		}
	}
}
