package alerts_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/test/docs"
	"kafka-retention-exporter/test/endtoend"
)

const readme = "README.md"

// TestReadmeTables holds the table of alerts against the rules.
func TestReadmeTables(t *testing.T) {
	have := string(read(t, readme))
	want, err := docs.Replace(have, "alerts", alertTable(rendered(t, alerts.Default())))
	if err != nil {
		t.Fatal(err)
	}
	if want != have && *update {
		if err := os.WriteFile(readme, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != have {
		t.Error("the table of alerts in alerts/README.md is not what the rules say: run make docs")
	}
}

// alertTable has a row for each alert, its severities together.
func alertTable(rules []rule) string {
	var rows [][]string
	for _, r := range rules {
		if r.Alert == "" {
			continue
		}
		wait := r.For
		if wait == "" {
			wait = "at once"
		}
		name, severity := "["+r.Alert+"](runbooks/"+r.Alert+".md)", r.Labels["severity"]
		if i := slices.IndexFunc(rows, func(row []string) bool { return row[0] == name }); i >= 0 {
			rows[i][1] += ", " + severity
			rows[i][2] += ", " + wait
			continue
		}
		rows = append(rows, []string{name, severity, wait, r.Annotations["summary"]})
	}
	return docs.Table([]string{"alert and runbook", "severity", "after", "meaning"}, rows)
}

// TestReadmeCommands runs what the page says to run, and holds the files it names against the folder.
func TestReadmeCommands(t *testing.T) {
	text := string(read(t, readme))
	need(t, "promtool", "prometheus")
	shell := shell{dir: t.TempDir(), env: append(os.Environ(), "PATH="+filepath.Dir(endtoend.Build(t))+":"+os.Getenv("PATH"))}
	_, overrides, _ := strings.Cut(text, "```yaml\noverrides:")
	overrides, _, _ = strings.Cut(overrides, "```")
	write(t, shell.dir, "overrides.yml", []byte("overrides:"+overrides))
	commands := endtoend.Commands(text)
	for _, command := range commands {
		// There is no Kubernetes here; test/manifests holds the resource against its types.
		shell.run(t, strings.TrimSuffix(command, " | kubectl apply -f -"))
	}
	if len(commands) < 5 {
		t.Errorf("%d commands are found on the page: the test looks in the wrong place", len(commands))
	}
	if !strings.Contains(text, "| **shipped pages**") {
		t.Error("the page has no score: go test ./test/endtoend -run TestThirteenScenarios -update")
	}
	for _, link := range strings.Split(text, "](")[1:] {
		if file, _, _ := strings.Cut(link, ")"); !strings.HasPrefix(file, "http") {
			if _, err := os.Stat(file); err != nil {
				t.Errorf("the page links to what is not there: %v", err)
			}
		}
	}
}
