package examples

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// documents decodes every document of a YAML file. Fields that the type does not know and keys
// that are there twice are errors.
func documents[T any](t *testing.T, path string) []T {
	t.Helper()
	return decoded[T](t, path, true)
}

// decoded is documents, with strict false for a type that knows only a part.
func decoded[T any](t *testing.T, path string, strict bool) (all []T) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(strict)
	for {
		var one T
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, one)
	}
}

func files(t *testing.T, suffix string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, suffix) {
			all = append(all, path)
		}
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("found no %s (%v)", suffix, err)
	}
	return all
}

func TestEveryFileIsYAML(t *testing.T) {
	for _, path := range files(t, ".yml") {
		if docs := documents[map[string]any](t, path); len(docs) == 0 {
			t.Errorf("%s is empty", path)
		}
	}
}

func TestPromtoolAcceptsTheConfiguration(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil && os.Getenv("KRE_BROKER") == "1" {
		t.Fatal("promtool is missing: apt-get install --no-install-recommends prometheus")
	}
	if err != nil {
		t.Skip("left out: checking prometheus.yml needs promtool, Debian package prometheus")
	}
	out, err := exec.CommandContext(t.Context(), promtool, "check", "config", "--lint-fatal", "prometheus/prometheus.yml").CombinedOutput()
	if err != nil {
		t.Fatalf("promtool: %v\n%s", err, out)
	}
	// It reads the rule files too, and says nothing of an empty list of them.
	if !bytes.Contains(out, []byte("rules.yml")) {
		t.Errorf("promtool looked at no rules:\n%s", out)
	}
}

// TestLinksLeadSomewhere follows the relative links of the READMEs.
func TestLinksLeadSomewhere(t *testing.T) {
	for _, readme := range files(t, ".md") {
		text, err := os.ReadFile(readme)
		if err != nil {
			t.Fatal(err)
		}
		links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(string(text), -1)
		commands := regexp.MustCompile(`\b((?:examples|alerts)/[\w./-]+)`).FindAllStringSubmatch(string(text), -1)
		if len(links) == 0 {
			t.Errorf("%s has no links", readme)
		}
		for _, link := range links {
			exists(t, readme, filepath.Join(filepath.Dir(readme), link[1]))
		}
		for _, path := range commands { // those are written for the root of the repository
			exists(t, readme, filepath.Join("..", path[1]))
		}
	}
}

func exists(t *testing.T, where, path string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Errorf("%s: %v", where, err)
	}
}
