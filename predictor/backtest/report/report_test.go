package report_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/report"
	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
	"kafka-retention-exporter/test/docs"
)

var update = flag.Bool("update", false, "write the report of the made tracks anew")

const (
	hour  = model.Millis(3_600_000)
	day   = 24 * hour
	begin = model.Instant(1_000_000_000_000)
)

// stopped is a group that stops 22 hours before it loses, forecast with an error, on a topic that
// nothing else happens to.
func stopped(family string, rule track.Rule, tuned bool, off model.Millis) *track.Track {
	t := &track.Track{
		Family: family, Axis: track.GroupAxis, Tuned: tuned, Rule: rule,
		Retention: day, Check: 300_000, Poll: 300_000,
		Settings: model.Settings{Policy: model.PolicyDelete, RetentionMs: day, RetentionBytes: -1},
		LostTrue: 100, LostSaid: 90, Spent: 3, Onset: model.Known(begin),
	}
	if rule == track.BySize {
		t.Settings.RetentionMs = -1
	}
	gone := begin.Add(22 * hour)
	for i := range 22*12 + 2 {
		at := begin.Add(model.Millis(i) * 300_000)
		p := track.Poll{
			At: at, Gone: model.Known(gone), Loss: model.Known(gone), States: []predictor.State{predictor.Stalled},
			Seen: track.Seen{At: at, Start: 0, End: model.Offset(1000 + i), Committed: 900, Next: model.Known(begin.Add(-3 * hour)), Oldest: model.Known(begin.Add(-20 * hour))},
		}
		said := gone.Add(off)
		p.Said = predictor.Forecast{
			State: model.Known(predictor.Stalled), Loss: model.Known(said), Stopped: model.Known(said),
			Earliest: model.Known(said.Add(-hour)), Latest: model.Known(said.Add(hour)), Floor: model.Known(begin.Add(21 * hour)),
		}
		p.Knowing = predictor.Forecast{Loss: model.Known(gone), Stopped: model.Known(gone), Floor: p.Said.Floor}
		t.Polls = append(t.Polls, p)
	}
	return t
}

func made() score.Result {
	s := score.New(1)
	s.Add(stopped("punctual", track.ByTime, false, 0))
	s.Add(stopped("early", track.ByTime, false, -hour/2))
	s.Add(stopped("late", track.ByTime, false, 8*hour))
	s.Add(stopped("early", track.BySize, false, -hour))
	s.Add(stopped("known", track.ByTime, true, 0))
	broken := stopped("broken", track.ByTime, false, 0)
	for i := range broken.Polls {
		broken.Polls[i].Said.Floor = model.Known(begin.Add(23 * hour))
	}
	s.Add(broken)
	changed := stopped("changed", track.ByTime, false, 0)
	changed.Events = []track.Event{{At: begin.Add(10 * hour), Cause: track.ConfigChanged}}
	s.Add(changed)
	return s.Result()
}

func written(t *testing.T) string {
	t.Helper()
	return report.Text(made(), report.Run{Command: "go run ./predictor/backtest -seed 1", Seed: 1})
}

func TestReport(t *testing.T) {
	golden := filepath.Join("testdata", "report.md")
	got := written(t)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Fatalf("line %d is\n%s\nand should be\n%s\nIf that is meant: go test ./predictor/backtest/report -update", i+1, gotLines[i], wantLines[i])
		}
	}
	if len(gotLines) != len(wantLines) {
		t.Errorf("%d lines, not %d", len(gotLines), len(wantLines))
	}
	if strings.Contains(got, "%!") || strings.Contains(got, "NaN") {
		t.Error("a verb went wrong")
	}
}

// The table of the held-out half says what was put in, and only that.
func TestTargetsSayWhatTheyShould(t *testing.T) {
	text := written(t)
	for _, c := range []struct{ what, begins, contains string }{
		{"the half of early and late", "| time | loss, 6 h before: median ", "| 0 % |"},
		{"a floor that was broken", "| time | floor broken without a cause", "**no** | 1: broken |"},
		{"a size rule without rivals", "| size | deadline, 6 h before: median ", "| - | - | 0 % |"},
		{"recall", "| all | page: recall ", "| 100 % | **no** |"},
	} {
		found := false
		for line := range strings.SplitSeq(text, "\n") {
			if strings.HasPrefix(line, c.begins) {
				found = true
				if !strings.Contains(line, c.contains) {
					t.Errorf("%s: %q is not in\n%s", c.what, c.contains, line)
				}
				break
			}
		}
		if !found {
			t.Errorf("%s: no line begins %q", c.what, c.begins)
		}
	}
}

// What no family of a half is about is told as the other half has it.
func TestALineIsMeasuredWhereItCanBe(t *testing.T) {
	skipped := stopped("a run is skipped", track.ByTime, true, 0)
	skipped.Onset = model.Known(begin.Add(hour))
	skipped.Polls[0].States = []predictor.State{predictor.Batch}
	s := score.New(1)
	s.Add(skipped)
	s.Add(stopped("punctual", track.ByTime, false, 0))
	held, tuned, _ := strings.Cut(report.Text(s.Result(), report.Run{Seed: 1}), "## Families that constants were chosen on, on unseen seeds")
	for _, c := range []struct{ where, line string }{
		{held, "| all | skipped run: slack left when announced, p10 (of the other half) |"},
		{tuned, "| all | skipped run: slack left when announced, p10 |"},
		{held, "| all | nightly batch on time: pages by episode |"},
	} {
		_, rest, found := strings.Cut(c.where, c.line)
		line, _, _ := strings.Cut(rest, "\n")
		if measured := !strings.Contains(line, "not measured"); !found || measured != strings.Contains(c.line, "skipped") {
			t.Errorf("%s is %q", c.line, line)
		}
	}
}

// What the other writer of the file put there stays, and there is a place for it from the start.
func TestBrokerPartIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.md")
	write := func(seed int64) string {
		if err := report.Write(path, made(), report.Run{Seed: seed}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	full, err := docs.Replace(write(1), "real broker", "a table\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(full), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := write(2); got != strings.Replace(full, "(seed 1)", "(seed 2)", 1) {
		t.Error("the part of the real broker or something else has changed")
	}
}

// Families in which a rule of thumb is better come before all tables of figures.
func TestFamiliesBehindComeFirst(t *testing.T) {
	text := written(t)
	first, targets := strings.Index(text, "| late | held out |"), strings.Index(text, "## Held-out families against the targets")
	if first < 0 || targets < first {
		t.Errorf("at %d, the targets at %d", first, targets)
	}
	if strings.Contains(text[:targets], "| punctual | held out |") {
		t.Error("a family that is ahead is among them")
	}
}
