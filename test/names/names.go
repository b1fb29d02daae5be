// Package names tells tests which metric names exist: those that are served, and those in the
// exporter's table of names that later parts bring.
package names

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"kafka-retention-exporter/exporter"
)

// Served are the metrics of this version, with what a histogram is made of.
func Served() []string {
	var all []string
	for _, f := range exporter.Families() {
		all = append(all, series(f.Name, f.Type == "histogram")...)
	}
	return all
}

// ToCome are the metrics in the table of the manual of package exporter. Which of them are
// histograms it does not say, so the parts of one count for each.
func ToCome(t testing.TB) []string {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	manual := filepath.Join(filepath.Dir(here), "../../exporter/doc.go")
	file, err := parser.ParseFile(token.NewFileSet(), manual, nil, parser.ParseComments)
	if err != nil {
		t.Fatalf("read the table of names still to come: %v", err)
	}
	var all []string
	for _, row := range regexp.MustCompile(`(?m)^\t\d+\s+(kafka_retention_\w+)$`).FindAllStringSubmatch(file.Doc.Text(), -1) {
		all = append(all, series(row[1], true)...)
	}
	return all
}

func series(metric string, histogram bool) []string {
	if !histogram {
		return []string{metric}
	}
	return []string{metric, metric + "_bucket", metric + "_sum", metric + "_count"}
}
