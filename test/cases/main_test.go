package cases_test

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain lets all cases of one broker run side by side, however few cores there are: they wait
// for the broker's clocks and compute nothing.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "40"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
