package report

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
	"kafka-retention-exporter/test/docs"
)

// floorsPart names the part of the report that a run for the floors alone replaces.
const floorsPart = "floors of very many episodes"

// seedBegins is where the part of one seed begins.
const seedBegins = "### Seed "

// WriteFloors puts the part of a seed into a report. The rest of it stays, other seeds' parts too.
func WriteFloors(path string, r score.Result, run Run) error {
	before, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the report of before: %w", err)
	}
	seeds := append(otherSeeds(string(before), run.Seed), Floors(r, run))
	slices.SortFunc(seeds, func(a, b string) int { return cmp.Compare(seedOf(a), seedOf(b)) })
	p := &page{}
	p.title("Floors of the time rule, in very many episodes")
	p.say("All families, whatever they were chosen for; only the time rule, and nothing but its floors. Late without a cause must be 0.")
	text, err := docs.Replace(string(before), floorsPart, p.String()+strings.Join(seeds, ""))
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// otherSeeds are the parts that other runs wrote.
func otherSeeds(document string, seed int64) (parts []string) {
	for i, part := range strings.Split(docs.Part(document, floorsPart), seedBegins) {
		if i > 0 && seedOf(seedBegins+part) != seed { // before the first is the title
			parts = append(parts, seedBegins+part)
		}
	}
	return parts
}

func seedOf(part string) (seed int64) {
	_, _ = fmt.Sscanf(part, seedBegins+"%d", &seed) // 0 where somebody wrote something else
	return seed
}

// Floors tells how the floors of the time rule did, with one seed.
func Floors(r score.Result, run Run) string {
	p := &page{Result: r}
	fmt.Fprintf(p, "%s%d\n\n", seedBegins, run.Seed)
	p.say("Written by `%s`.", run.Command)
	var rows [][]string
	var breaks []score.Break
	for _, half := range []struct {
		name string
		of   *score.Half
	}{{"held out", &r.Held}, {"tuned on", &r.Tuned}} {
		sheet := &half.of.ByRule[track.ByTime]
		if len(sheet.Floors) == 0 {
			continue
		}
		f := sheet.Floors[0]
		excused := int64(0)
		for _, n := range f.Excused {
			excused += n
		}
		breaks = append(breaks, f.Breaks...)
		rows = append(rows, []string{
			half.name, fmt.Sprint(sheet.Episodes), fmt.Sprint(f.Labelled), fmt.Sprint(excused), fmt.Sprint(f.Late), fmt.Sprint(f.Broken),
			percent(f.Limit), format(percent).value(f.Tight), format(percent).value(f.Warm),
		})
	}
	p.table([]string{"half", "episodes", "promises", "late with a cause", "late without", "in episodes", "95 % limit of episodes", "promised by real time, median", "warm"}, rows)
	for _, b := range breaks {
		fmt.Fprintf(p, "- %s/%d: late by %.5f of the retention, promised %.3f retentions after the start\n", b.Family, b.Episode, b.By, b.After)
	}
	return p.String()
}
