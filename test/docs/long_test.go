package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	asked  = regexp.MustCompile(`os\.Getenv\("(KRE_[A-Z_]+)"\)`)
	fuzzed = regexp.MustCompile(`(?m)^step "fuzzing: .*" fuzz [0-9]+ ([0-9]+)$`)
)

// TestLongFormsAreRun: what a test leaves out unless a variable is set, test/full sets, and both scripts fuzz
// for as long as is promised. A step that is lost from a script fails nowhere else.
func TestLongFormsAreRun(t *testing.T) {
	for name, seconds := range map[string]string{"run": "30", "full": "600"} {
		if found := fuzzed.FindStringSubmatch(textOf(t, "../"+name)); found == nil || found[1] != seconds {
			t.Errorf("test/%s fuzzes what reads a broker's files: %q, want %s s", name, found, seconds)
		}
	}
	variables := askedBy(t, "../..")
	if len(variables) < 3 {
		t.Fatalf("tests ask for %v only", variables)
	}
	full := textOf(t, "../full")
	for _, name := range variables {
		if !strings.Contains(full, name+"=1") {
			t.Errorf("test/full never sets %s", name)
		}
	}
}

// askedBy lists the variables that tests ask for. Where downloads are kept is none that leaves anything out.
func askedBy(t *testing.T, root string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && len(e.Name()) > 2 && e.Name()[0] == '.':
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, found := range asked.FindAllStringSubmatch(string(text), -1) {
			if name := found[1]; name != "KRE_CACHE" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
