package cases_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kafka-retention-exporter/test/docs"
)

// The worked cases are numbered from 1 to this.
const lastCase = 77

var update = flag.Bool("update", false, "write the generated table into model/CASES.md")

// TestEveryWorkedCaseIsShown reads the tests for the cases that they are named by, and compares
// model/CASES.md with what it finds.
func TestEveryWorkedCaseIsShown(t *testing.T) {
	const path = "../../model/CASES.md"
	shown := map[int][]showing{}
	for _, pattern := range []string{"../../model/*_test.go", "../../predictor/*_test.go", "../../test/*/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			readCases(t, file, shown)
		}
	}
	var rows [][]string
	for n := 1; n <= lastCase; n++ {
		if len(shown[n]) == 0 {
			t.Errorf("no test is named by case %d", n)
		}
		for _, s := range shown[n] {
			rows = append(rows, []string{strconv.Itoa(n), s.name, "`" + s.file + "`"})
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := docs.Replace(string(have), "cases", docs.Table([]string{"case", "test", "in"}, rows))
	if err != nil {
		t.Fatal(err)
	}
	if want == string(have) {
		return
	}
	if !*update {
		t.Fatal("model/CASES.md is not what the tests show: run go test ./test/cases -run EveryWorkedCase -update")
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// showing is a test that is named by a case.
type showing struct{ name, file string }

// named is how tests are named by a case: "case 9: ...", zeros before the number not counted.
var named = regexp.MustCompile(`^case 0*(\d+): (.+)`)

// readCases adds the names that a file of tests gives to its subtests.
func readCases(t *testing.T, path string, shown map[int][]showing) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		literal, ok := node.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		if m := named.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1]) // digits by the pattern
			shown[n] = append(shown[n], showing{m[2], strings.TrimPrefix(filepath.ToSlash(path), "../../")})
		}
		return true
	})
}
