package exporter_test

import (
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kafka-retention-exporter/exporter"
)

// TestContractNamesAreServedOrAssigned reads the list of all names of the metric contract and
// the table in doc.go: each name is served or in the table, and none is both.
func TestContractNamesAreServedOrAssigned(t *testing.T) {
	contract := contractNames(t)
	later := namesAssignedToLaterParts(t)
	var served []string
	for _, f := range exporter.Families() {
		served = append(served, f.Name)
	}
	for _, name := range contract {
		isServed, isLater := slices.Contains(served, name), slices.Contains(later, name)
		if isServed == isLater {
			t.Errorf("%s: served %t, in the table of doc.go %t", name, isServed, isLater)
		}
	}
	for _, name := range append(served, later...) {
		if !slices.Contains(contract, name) {
			t.Errorf("%s is not in the contract", name)
		}
	}
}

func contractNames(t *testing.T) []string {
	t.Helper()
	list, err := os.ReadFile("testdata/contract_names.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(list))
}

// namesAssignedToLaterParts are the metrics in the table of the package documentation. A row with
// a label value is about that value only; its metric may be served.
func namesAssignedToLaterParts(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range regexp.MustCompile(`(?m)^\t[245]\s+(kafka_retention_\w+)$`).FindAllStringSubmatch(file.Doc.Text(), -1) {
		names = append(names, row[1])
	}
	if !strings.Contains(file.Doc.Text(), "\tpart  metric\n") {
		t.Fatal("found no table in doc.go")
	}
	return names
}
