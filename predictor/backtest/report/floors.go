package report

import (
	"fmt"
	"os"

	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
	"kafka-retention-exporter/test/docs"
)

// floorsPart names the part of the report that a run for the floors alone replaces.
const floorsPart = "floors of very many episodes"

// WriteFloors replaces that part of a report. The rest of it stays.
func WriteFloors(path string, r score.Result, run Run) error {
	before, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the report of before: %w", err)
	}
	text, err := docs.Replace(string(before), floorsPart, Floors(r, run))
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// Floors tells how the floors of the time rule did.
func Floors(r score.Result, run Run) string {
	p := &page{Result: r}
	p.title("Floors of the time rule, in very many episodes")
	p.say("Written by `%s` (seed %d), all families, whatever they were chosen for. Late without a cause must be 0.", run.Command, run.Seed)
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
