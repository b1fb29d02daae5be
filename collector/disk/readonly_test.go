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

// TestNothingIsEverWritten reads the code: of the packages os and syscall it uses only what reads, and no
// other package that reaches files. Killed at any moment, it leaves the broker's files as they were.
func TestNothingIsEverWritten(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	reads := map[string][]string{
		"os":      {"Open", "File", "ReadFile", "ReadDir", "Stat", "ErrNotExist"},
		"syscall": {"Openat", "O_RDONLY", "O_CLOEXEC", "O_NONBLOCK", "O_DIRECTORY", "ReadDirent", "ParseDirent", "Pread", "Fstat", "Stat", "Stat_t", "S_IFMT", "S_IFREG", "Close", "EINTR"},
	}
	writes := []string{"Write", "WriteAt", "WriteString", "Truncate", "Chmod", "Chown", "Sync", "ReadFrom"}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range file.Imports {
			if name := strings.Trim(imported.Path.Value, `"`); strings.HasPrefix(name, "golang.org/x/sys") || name == "os/exec" {
				t.Errorf("%s imports %s", path, name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				pkg, _ := s.X.(*ast.Ident)
				if pkg != nil && reads[pkg.Name] != nil && !slices.Contains(reads[pkg.Name], s.Sel.Name) || slices.Contains(writes, s.Sel.Name) {
					t.Errorf("%s uses %v.%s", path, s.X, s.Sel.Name)
				}
			}
			return true
		})
	}
}
