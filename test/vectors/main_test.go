package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/test/vectors/mistakes"
	"kafka-retention-exporter/test/vectors/replay"
)

func TestParseJars(t *testing.T) {
	for _, c := range []struct {
		list string
		want []jar
	}{
		{"", nil},
		{"4.4.0", []jar{{"4.4.0", 70}}},
		{"4.4.0,4.3.1:5000", []jar{{"4.4.0", 70}, {"4.3.1", 5000}}},
	} {
		if got, err := parseJars(c.list, 70); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v (%v), want %v", c.list, got, err, c.want)
		}
	}
	for _, list := range []string{":5", "4.4.0:", "4.4.0:x", "4.4.0:0", "4.4.0:-1"} {
		if got, err := parseJars(list, 70); err == nil {
			t.Errorf("%q: %v, want an error", list, got)
		}
	}
}

func TestParseRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, arguments := range [][]string{{"more"}, {"-batch", "0"}, {"-threads", "0"}, {"-jar", "4.4.0:none"}} {
		if o, err := parse(arguments); err == nil {
			t.Errorf("%v: %+v, want an error", arguments, o)
		}
	}
}

const oracleOutput = `time     logs 46, steps 1944, passes 392, edge passes 243, deleted segments 409
mixed    logs 46, steps 1928, passes 309, edge passes 159, deleted segments 195
edges: time 715, size 1186, high watermark 575, start 322
rolls: bytes 3069, time 953, by pass 481
kafka 4.4.0, logs 92, steps 3872, passes 701, edge passes 402, deleted segments 604, seconds 7.4
`

func TestParseTally(t *testing.T) {
	var sum tally
	for range 2 {
		got, err := parseTally("4.4.0", oracleOutput)
		if err != nil {
			t.Fatal(err)
		}
		sum.add(got)
	}
	if sum.logs != 184 || sum.steps != 7744 || sum.passes != 1402 || sum.edgePasses != 804 {
		t.Errorf("sums %+v", sum)
	}
	if got, want := sum.edges.String(), "time 1,430, size 2,372, high watermark 1,150, start 644"; got != want {
		t.Errorf("edges %q, want %q", got, want)
	}
	if got, want := sum.rolls.String(), "bytes 6,138, time 1,906, by pass 962"; got != want {
		t.Errorf("rolls %q, want %q", got, want)
	}
	for _, bad := range []string{"", "edges: time 1\n", strings.Replace(oracleOutput, "time 715", "time many", 1), strings.Replace(oracleOutput, "kafka 4.4.0", "kafka 4.3.1", 1)} {
		if got, err := parseTally("4.4.0", bad); err == nil {
			t.Errorf("%q: %+v, want an error", bad, got)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -100: "-100", 1234567: "1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestReportWritesOnlyTheTablesItHas(t *testing.T) {
	const document = "# T\n<!-- generated: logs -->\nold logs\n<!-- end of logs -->\nprose\n<!-- generated: mistakes -->\nold mistakes\n<!-- end of mistakes -->\n"
	path := filepath.Join(t.TempDir(), "V.md")
	if err := os.WriteFile(path, []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	r := newReport([]string{"-jar", "4.4.0"})
	r.results = []result{{
		jar: jar{"4.4.0", 1000}, compared: replay.Counts{Logs: 1001, Steps: 40000, Passes: 7000},
		differences: 2, recording: 1500 * time.Millisecond, replaying: 300 * time.Millisecond,
	}}
	if err := r.write(path); err != nil {
		t.Fatal(err)
	}
	got := contents(t, path)
	for _, want := range []string{"old mistakes", "\nprose\n", "go run ./test/vectors -jar 4.4.0\n", "| kafka-storage 4.4.0 | 1,001 | 40,000 | 7,000 | 0 | 2 | 1.5 | 0.3 |"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	r = newReport([]string{"-mistakes"})
	r.outcomes = []mistakes.Outcome{{Mistake: mistakes.Mistake{Rule: "time", Name: "late", File: "pass.go"}}}
	if err := r.write(path); err != nil {
		t.Fatal(err)
	}
	got = contents(t, path)
	for _, want := range []string{"| kafka-storage 4.4.0 |", "1 mistakes, 0 caught.", "| time | late | `pass.go` | NOT CAUGHT |  |"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func contents(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A run counts what differs and goes on.
func TestReplayCountsDifferences(t *testing.T) {
	folder := t.TempDir()
	const noVector = "{\"name\":\"cut\",\"kafka\":\"4.4.0\",\"steps\":[],\"after\":[]}\n"
	if err := os.WriteFile(filepath.Join(folder, "time-1.jsonl"), []byte(strings.Repeat(noVector, 5)), 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	r := result{jar: jar{"4.4.0", 5}}
	if err := r.replay(folder, &out); err != nil {
		t.Fatal(err)
	}
	if r.differences != 5 || r.compared.Logs != 5 || strings.Count(out.String(), "DIFFERENCE") != shownDifferences {
		t.Errorf("%+v,\n%s", r, out.String())
	}
}
