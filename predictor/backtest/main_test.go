package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kafka-retention-exporter/predictor/backtest/sim"
)

// smallRun is a run of a few short episodes.
func smallRun(out io.Writer) settings {
	return settings{Options: sim.Options{Seed: 5, Short: true}, episodes: 2, families: "^(time|stop)$", out: out, log: io.Discard}
}

func TestARunPrintsTheSameEachTime(t *testing.T) {
	var first, second strings.Builder
	for _, out := range []*strings.Builder{&first, &second} {
		if err := run(smallRun(out)); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() {
		t.Errorf("two runs differ:\n%s\n%s", &first, &second)
	}
	for _, family := range []string{"\n| time |", "\n| stop |"} {
		if strings.Count(first.String(), family) != 1 {
			t.Errorf("no line of%s in\n%s", family, &first)
		}
	}
}

func TestAnEpisodeIsPlayedAgainPollByPoll(t *testing.T) {
	var out strings.Builder
	s := smallRun(&out)
	s.episode, s.verbose = "stop/1", true
	if err := run(s); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if !strings.HasPrefix(text, "stop/1 seed 5: ") || strings.Count(text, "| floor ") < 100 || !strings.Contains(text, " right [lost]") {
		t.Errorf("it prints\n%.2000s", text)
	}
	for _, unknown := range []string{"nothing/1", "stop", "stop/x"} {
		s.episode = unknown
		if err := run(s); err == nil {
			t.Errorf("episode %q is played", unknown)
		}
	}
}

func TestARunForTheFloorsAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.md")
	s := smallRun(io.Discard)
	s.report, s.families = file, "^(size|stop)$"
	if err := run(s); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s.floors, s.episodes = true, 7
	if err := run(s); err != nil {
		t.Fatal(err)
	}
	s.Seed = 6
	if err := run(s); err != nil { // beside the first
		t.Fatal(err)
	}
	if err := run(s); err != nil { // in its own place
		t.Fatal(err)
	}
	after, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- generated: floors of very many episodes -->\n", "<!-- end of floors of very many episodes -->\n"
	head, rest, _ := strings.Cut(string(after), begin)
	part, tail, _ := strings.Cut(rest, end)
	// Episodes of the size rule have none.
	if strings.Count(part, "| held out | 7 |") != 2 || strings.Contains(part, "tuned on |") || strings.Count(part, "### Seed 6\n") != 1 {
		t.Errorf("the part of it reads\n%s", part)
	}
	if head+begin+end+tail != string(before) {
		t.Error("another part has changed")
	}
}

// Episodes in which a floor of the time rule was late once, each for a reason of its own.
func TestEpisodesThatOnceBrokeAFloor(t *testing.T) {
	for _, c := range []struct {
		episode string
		seed    int64
		why     string
	}{
		{"delete_records/373", 1, "what the index answers after DeleteRecords, before the log start is read, tells nothing of segments"},
	} {
		s := smallRun(io.Discard)
		s.episode, s.Seed, s.traces = c.episode, c.seed, t.TempDir()
		if err := run(s); err != nil {
			t.Errorf("%s of seed %d (%s): %v", c.episode, c.seed, c.why, err)
		}
	}
}
