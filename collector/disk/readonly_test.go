package disk_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNothingIsEverWritten reads the code: of package os it uses only what reads, and no other package
// that reaches files. Killed at any moment, it leaves the broker's files as they were.
func TestNothingIsEverWritten(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	reads := []string{"Open", "ReadFile", "ReadDir", "Stat", "ErrNotExist"}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range file.Imports {
			if name := strings.Trim(imported.Path.Value, `"`); name == "syscall" || strings.HasPrefix(name, "golang.org/x/sys") || name == "os/exec" {
				t.Errorf("%s imports %s", path, name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "os" && !slices.Contains(reads, s.Sel.Name) {
					t.Errorf("%s uses os.%s", path, s.Sel.Name)
				}
			}
			return true
		})
	}
}
