package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// event is one line of go test -json (cmd/test2json).
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

// name tells tests of different packages apart; "" in Test is the package as a whole.
type name struct{ pkg, test string }

// tally counts tests and keeps the output of those that have not ended.
type tally struct {
	passed, failed, skipped int
	output                  map[name][]string
	failedIn                map[string]int // failed tests by package
	skippedIn               map[string]int
}

func newTally() *tally {
	return &tally{output: map[name][]string{}, failedIn: map[string]int{}, skippedIn: map[string]int{}}
}

// line takes one line of input; what is no JSON (a build error of the go command) is passed on.
func (t *tally) line(out io.Writer, line string) {
	var e event
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		fmt.Fprint(out, line)
		return
	}
	n := name{e.Package, e.Test}
	switch e.Action {
	case "output":
		t.output[n] = append(t.output[n], e.Output)
	case "build-output":
		fmt.Fprint(out, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			t.endPackage(out, e)
		} else {
			t.endTest(out, e)
		}
		delete(t.output, n)
	}
}

func (t *tally) endTest(out io.Writer, e event) {
	lines := t.output[name{e.Package, e.Test}]
	switch e.Action {
	case "pass":
		t.passed++
	case "fail":
		t.failed++
		t.failedIn[e.Package]++
		fmt.Fprint(out, strings.Join(lines, ""))
	case "skip":
		t.skipped++
		t.skippedIn[e.Package]++
		fmt.Fprintf(out, "left out: %s.%s: %s\n", e.Package, e.Test, reason(lines))
	}
}

// reason is the text that a test gave to t.Skip.
func reason(lines []string) string {
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "=== ") && !strings.HasPrefix(l, "--- ") {
			return l
		}
	}
	return "no reason given"
}

// endPackage prints the package's line. A package that fails without a failed test (it did not
// build, panicked or ran out of time) counts as one failure, and all its output is shown.
func (t *tally) endPackage(out io.Writer, e event) {
	if e.Action == "skip" {
		return // no tests
	}
	if e.Action == "fail" && t.failedIn[e.Package] == 0 {
		t.failed++
		for n, lines := range t.output {
			if n.pkg == e.Package {
				fmt.Fprint(out, strings.Join(lines, ""))
			}
		}
	}
	word := map[string]string{"pass": "ok", "fail": "FAIL"}[e.Action]
	fmt.Fprintf(out, "%-5s %s %.1fs\n", word, e.Package, e.Elapsed)
}
