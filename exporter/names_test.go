package exporter_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"kafka-retention-exporter/exporter"
)

// TestContractNamesAreServed reads the list of all names of the metric contract: each is served, and
// nothing else is, but for what was added in its style.
func TestContractNamesAreServed(t *testing.T) {
	contract := contractNames(t)
	var served []string
	for _, f := range exporter.Families() {
		served = append(served, f.Name)
	}
	for _, name := range contract {
		if !slices.Contains(served, name) {
			t.Errorf("%s is not served", name)
		}
	}
	// In the style of the contract: what a group that makes it comes closest to, replicas by their files,
	// and the age of positions kept elsewhere.
	further := []string{"kafka_retention_group_closest_approach_seconds", "kafka_retention_segments", "kafka_retention_group_positions_timestamp_seconds"}
	for _, name := range served {
		if !slices.Contains(append(further, contract...), name) && !strings.HasPrefix(name, "kafka_retention_replica_") {
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
