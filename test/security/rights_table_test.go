package security

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestRightsTableIsWhatIsTakenAway: each right of the tables in docs whose test is TestSecuredBroker is
// taken away by it, and each that it takes away is there. That the other tests are there is for package
// docs to tell.
func TestRightsTableIsWhatIsTakenAway(t *testing.T) {
	text, err := os.ReadFile("../../docs/rights.md")
	if err != nil {
		t.Fatal(err)
	}
	one, more, _ := strings.Cut(string(text), "\n## ")
	var names []string
	for _, d := range degradations() {
		names = append(names, d.name)
	}
	for _, c := range []struct {
		table string
		want  []string
	}{{one, names}, {more, []string{withoutGroups, withoutRights, withoutConfigs}}} {
		if got := firstCells(c.table); !slices.Equal(got, c.want) {
			t.Errorf("the table has %q, and %q are taken away", got, c.want)
		}
	}
}

// firstCells are those of a table's rows that name the test.
func firstCells(text string) (cells []string) {
	for line := range strings.Lines(text) {
		if cell, ok := strings.CutPrefix(line, "| "); ok && strings.Contains(line, "`test/security.TestSecuredBroker`") {
			cell, _, _ = strings.Cut(cell, " | ")
			cells = append(cells, strings.ReplaceAll(cell, "`", ""))
		}
	}
	return cells
}
