package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	for name, c := range map[string]struct {
		in           []string
		out, counts  string
		wantsFailure bool
	}{
		"passed and skipped": {
			in: []string{
				`{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}`,
				`{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0.1}`,
				`{"Action":"output","Package":"p","Test":"TestB","Output":"=== RUN   TestB\n"}`,
				`{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:3: needs a broker\n"}`,
				`{"Action":"skip","Package":"p","Test":"TestB","Elapsed":0}`,
				`{"Action":"pass","Package":"p","Elapsed":0.25}`,
			},
			out:    "left out: p.TestB: b_test.go:3: needs a broker\nok    p 0.2s\n",
			counts: "1 0 1\n",
		},
		"a failed test shows its output": {
			in: []string{
				`{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:9: wrong\n"}`,
				`{"Action":"fail","Package":"p","Test":"TestA","Elapsed":0.1}`,
				`{"Action":"fail","Package":"p","Elapsed":1}`,
			},
			out: "    a_test.go:9: wrong\nFAIL  p 1.0s\n", counts: "0 1 0\n", wantsFailure: true,
		},
		"a package that panics is one failure": {
			in: []string{
				`{"Action":"output","Package":"p","Output":"panic: oh\n"}`,
				`{"Action":"fail","Package":"p","Elapsed":1}`,
			},
			out: "panic: oh\nFAIL  p 1.0s\n", counts: "0 1 0\n", wantsFailure: true,
		},
		"a package that does not build": {
			in: []string{
				`{"ImportPath":"p","Action":"build-output","Output":"p/x.go:1: undefined: y\n"}`,
				`{"ImportPath":"p","Action":"build-fail"}`,
				`{"Action":"fail","Package":"p","Elapsed":0,"FailedBuild":"p"}`,
			},
			out: "p/x.go:1: undefined: y\nFAIL  p 0.0s\n", counts: "0 1 0\n", wantsFailure: true,
		},
		"no JSON is passed on": {in: []string{"go: no such module"}, out: "go: no such module\n", counts: "0 0 0\n"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "counts")
			var out strings.Builder
			failed, err := run(strings.NewReader(strings.Join(c.in, "\n")+"\n"), &out, file)
			if err != nil {
				t.Fatal(err)
			}
			counts, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if out.String() != c.out || string(counts) != c.counts || failed != c.wantsFailure {
				t.Errorf("printed %q, counts %q, failed %t; want %q, %q, %t", out.String(), counts, failed, c.out, c.counts, c.wantsFailure)
			}
		})
	}
}
