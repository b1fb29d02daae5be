package sim

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"kafka-retention-exporter/model"
)

// Trace is the shape of real traffic, at even steps.
type Trace struct {
	Name   string
	Step   model.Millis
	Values []float64
}

// Traces reads every trace of a folder, in the order of their names; none where there is no such
// folder. Columns are timestamp and value; gaps are closed.
func Traces(folder string) ([]Trace, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.csv"))
	if err != nil {
		return nil, fmt.Errorf("list traces: %w", err)
	}
	slices.Sort(names)
	var all []Trace
	for _, name := range names {
		t, err := readTrace(name)
		if err != nil {
			return nil, fmt.Errorf("read trace %s: %w", name, err)
		}
		all = append(all, t)
	}
	return all, nil
}

func readTrace(path string) (Trace, error) {
	file, err := os.Open(path)
	if err != nil {
		return Trace{}, err
	}
	defer func() { _ = file.Close() }() // only read
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return Trace{}, err
	}
	trace := Trace{Name: filepath.Base(path)}
	var stamps []time.Time
	for _, row := range rows[min(1, len(rows)):] {
		at, err := time.Parse(time.DateTime, row[0])
		if err != nil {
			return Trace{}, err
		}
		value, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			return Trace{}, err
		}
		stamps, trace.Values = append(stamps, at), append(trace.Values, max(0, value))
	}
	if len(stamps) < 2 {
		return Trace{}, fmt.Errorf("%d values", len(stamps))
	}
	trace.Step = model.MillisOf(stamps[1].Sub(stamps[0]))
	return trace, nil
}

// From is the trace as a shape that begins, at the given instant, at its i-th value, and begins
// anew when it ends.
func (t Trace) From(at model.Instant, i int) Shape {
	n := len(t.Values)
	return func(now model.Instant) float64 {
		k := int(now.Sub(at)/t.Step) + i
		return t.Values[((k%n)+n)%n]
	}
}
