package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
	"kafka-retention-exporter/test/docs"
)

// Run is how the score came about.
type Run struct {
	Command string
	Seed    int64
}

// page is the report in the making.
type page struct {
	strings.Builder
	score.Result
}

// Write writes the report to a file. The parts that other runs have put there stay.
func Write(path string, r score.Result, run Run) error {
	before, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the report of before: %w", err)
	}
	if err := os.WriteFile(path, []byte(Text(r, run)+kept(string(before))), 0o644); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// Text is the part of it that this package writes.
func Text(r score.Result, run Run) string {
	p := &page{Result: r}
	p.words(run)
	p.behind()
	p.goals("Held-out families against the targets", &p.Held, &p.Tuned)
	p.half("Held-out families", &p.Held)
	p.events()
	p.goals("Families that constants were chosen on, on unseen seeds", &p.Tuned, &p.Held)
	p.half("Families that constants were chosen on", &p.Tuned)
	return p.String()
}

// Brief is a first look: a line for each family, and broken promises.
func Brief(r score.Result) string {
	p := &page{Result: r}
	for _, half := range []struct {
		name string
		of   *score.Half
	}{{"Held-out families", &p.Held}, {"Families that constants were chosen on", &p.Tuned}} {
		if half.of.Episodes > 0 {
			p.title(half.name)
			p.families(half.of)
			p.breaks(half.of)
		}
	}
	return p.String()
}

// others are the parts of the file that other runs write, in order: a long run for the floors alone
// (WriteFloors), and scenarios on a real broker.
func others() []string { return []string{floorsPart, "real broker"} }

// kept is what other runs wrote, places for it where there is none.
func kept(before string) string {
	var parts strings.Builder
	for _, name := range others() {
		parts.WriteString(docs.Place(name, docs.Part(before, name)))
	}
	return parts.String()
}

func (p *page) title(text string) {
	fmt.Fprintf(p, "## %s\n\n", text)
}

func (p *page) say(text string, args ...any) { fmt.Fprintf(p, text+"\n\n", args...) }

func (p *page) table(head []string, rows [][]string) {
	if len(rows) == 0 {
		p.say("Nothing was measured.")
		return
	}
	p.WriteString(docs.Table(head, rows))
	p.WriteString("\n")
}

// half is every table of one half of the families.
func (p *page) half(name string, h *score.Half) {
	p.title(name + ": error")
	p.errors(h)
	p.title(name + ": floors")
	p.floors(h)
	p.title(name + ": bands")
	p.bands(h)
	p.title(name + ": probabilities")
	p.briers(h)
	p.title(name + ": pages")
	p.pages(h)
	p.title(name + ": start, states, lost records, cost")
	p.others(h)
	p.title(name + ": one by one")
	p.families(h)
}

// rules are those that have sheets, with their names.
func rules(h *score.Half) []track.Rule {
	var some []track.Rule
	for rule := track.ByTime; rule <= track.ByBoth; rule++ {
		if h.ByRule[rule].Episodes > 0 {
			some = append(some, rule)
		}
	}
	return some
}

func ruleName(r track.Rule) string {
	switch r {
	case track.ByTime:
		return "time"
	case track.BySize:
		return "size"
	case track.ByBoth:
		return "both"
	}
	return "all"
}
