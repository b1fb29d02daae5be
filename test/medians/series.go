package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// series collects the runs of each benchmark by unit.
type series struct {
	pkg   string
	order []string
	runs  map[string]map[string][]float64
}

// line books one line of go test's output. A benchmark's is its name with the number of
// processors, the number of iterations, and pairs of value and unit.
func (s *series) line(text string) {
	if pkg, ok := strings.CutPrefix(text, "pkg: "); ok {
		s.pkg = pkg[strings.IndexByte(pkg, '/')+1:]
		return
	}
	fields := strings.Fields(text)
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return
	}
	if _, err := strconv.Atoi(fields[1]); err != nil {
		return
	}
	name := s.pkg + " " + processors().ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "")
	if s.runs == nil {
		s.runs = map[string]map[string][]float64{}
	}
	if s.runs[name] == nil {
		s.runs[name] = map[string][]float64{}
		s.order = append(s.order, name)
	}
	for i := 2; i+1 < len(fields); i += 2 {
		if value, err := strconv.ParseFloat(fields[i], 64); err == nil {
			s.runs[name][fields[i+1]] = append(s.runs[name][fields[i+1]], value)
		}
	}
}

func processors() *regexp.Regexp { return regexp.MustCompile(`-\d+$`) }

// failed tells whether a line says that something went wrong.
func failed(text string) bool {
	return strings.HasPrefix(text, "FAIL") || strings.HasPrefix(text, "--- FAIL") || strings.HasPrefix(text, "panic:")
}

// median of some values; ok is false without any.
func median(values []float64) (m float64, ok bool) {
	n := len(values)
	if n == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2, true
}

// duration prints nanoseconds with four digits at most, as people read times.
func duration(ns float64, ok bool) string {
	if !ok {
		return "not measured"
	}
	d := time.Duration(ns)
	for unit := time.Second; unit > time.Nanosecond; unit /= 1000 {
		if d >= unit {
			return d.Round(unit / 100).String()
		}
	}
	return d.String()
}

func number(value float64, ok bool) string {
	if !ok {
		return "not measured"
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}
