package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// namedTest is a test as the tables of docs name it: the directory of its package, a dot, its name.
var namedTest = regexp.MustCompile("`([a-z/]+)\\.(Test[A-Za-z0-9_]+)`")

// TestTablesNameTestsThatExist: each row of each table under docs names at least one test, and each
// test that is named is there.
func TestTablesNameTestsThatExist(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) < 2 {
		t.Fatalf("files of docs: %v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for line := range strings.Lines(string(text)) {
			row := strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "|---")
			named := namedTest.FindAllStringSubmatch(line, -1)
			if row && len(named) == 0 && rows > 0 {
				t.Errorf("%s: no test is named in %q", file, line)
			}
			switch {
			case row:
				rows++
			case !strings.HasPrefix(line, "|"):
				rows = 0 // the next row is the head of a table
			}
			for _, name := range named {
				if !testExists(t, name[1], name[2]) {
					t.Errorf("%s names %s, which package %s does not have", file, name[2], name[1])
				}
			}
		}
	}
}

func testExists(t *testing.T, dir, name string) bool {
	t.Helper()
	sources, err := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range sources {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)") {
			return true
		}
	}
	return false
}
