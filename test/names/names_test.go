package names_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kafka-retention-exporter/test/names"
)

const root = "../.."

// TestEveryNameExists reads everything that people read or programs load, rules, dashboards, the page,
// examples, runbooks, help and manuals, and looks up each metric in it: served, or recorded by the rules.
func TestEveryNameExists(t *testing.T) {
	known := append(names.Served(), recorded(t)...)
	used := map[string]int{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (path != root && strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.IsDir() || !readable(path):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, name := range namesIn(string(text)) {
			used[filepath.Ext(path)]++
			if !exists(name, known) {
				t.Errorf("%s: %s does not exist", path, name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, ext := range []string{".go", ".md", ".yml", ".json"} {
		if used[ext] == 0 {
			t.Errorf("no names in files *%s: the test looks in the wrong place", ext)
		}
	}
}

// readable leaves out tests, which use names that must not exist, and pictures.
func readable(path string) bool {
	return slices.Contains([]string{".go", ".md", ".yml", ".json", ".html", ".js", ".tmpl", ".sh"}, filepath.Ext(path)) && !strings.HasSuffix(path, "_test.go")
}

// namesIn are the metrics that a text names, those that rules record with their colons.
func namesIn(text string) []string {
	return regexp.MustCompile(`(?:\w+:)?\bkafka_retention_\w*(?::\w+)?`).FindAllString(text, -1)
}

// exists tells of a name, or of a beginning of names that ends in an underscore, whether it is known.
func exists(name string, known []string) bool {
	return slices.ContainsFunc(known, func(k string) bool {
		return k == name || strings.HasSuffix(name, "_") && strings.HasPrefix(k, name)
	})
}

// recorded are the names of the recording rules.
func recorded(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "alerts/rules.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`(?m)- record: (\S+)$`).FindAllStringSubmatch(string(text), -1) {
		all = append(all, found[1])
	}
	return all
}

// TestEveryServedNameIsDocumented: in README, the table of which is generated.
func TestEveryServedNameIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names.Served() {
		whole := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
		if !strings.Contains(string(text), "| `"+name+"` |") && !strings.Contains(string(text), "| `"+whole+"` | histogram |") {
			t.Errorf("README does not say what %s is", name)
		}
	}
}

func TestNamesAreFoundInTexts(t *testing.T) {
	known := []string{"kafka_retention_up", "pair:kafka_retention_group_lost:max"}
	for text, want := range map[string]bool{
		`kafka_retention_up{job="a"} == 0`:           true,
		"`kafka_retention_*` and kafka_retention_up": true,
		"pair:kafka_retention_group_lost:max > 0":    true,
		"kafka_retention_group_lost > 0":             false,
		"kafka_retention_upp":                        false,
		"pair:kafka_retention_group_lost:min":        false,
	} {
		all := slices.DeleteFunc(namesIn(text), func(name string) bool { return exists(name, known) })
		if got := len(all) == 0; got != want {
			t.Errorf("%q is right: %t, want %t", text, got, want)
		}
	}
}
