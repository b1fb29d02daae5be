package main

import (
	"strings"
	"testing"
)

const output = `goos: linux
pkg: kafka-retention-exporter/model
BenchmarkPass/keeps_all-2         	  36010	     33000 ns/op	       0 B/op	       0 allocs/op
BenchmarkPass/keeps_all-2         	  36010	     31000 ns/op	       0 B/op	       0 allocs/op
BenchmarkPass/keeps_all-2         	  36010	     99000 ns/op	       8 B/op	       3 allocs/op
BenchmarkMillionAppends-2         	      5	 210456789 ns/op
BenchmarkMillionAppends-2         	      5	 230456789 ns/op
PASS
ok  	kafka-retention-exporter/model	12.3s
pkg: kafka-retention-exporter/predictor
BenchmarkObserve 	 100000	      12.5 ns/op
`

const table = `| benchmark | runs | median time | median bytes | median allocations |
|---|---|---|---|---|
| model Pass/keeps_all | 3 | 33µs | 0 | 0 |
| model MillionAppends | 2 | 220.46ms | not measured | not measured |
| predictor Observe | 1 | 12ns | not measured | not measured |
`

func TestMedians(t *testing.T) {
	var out strings.Builder
	ok, err := run(strings.NewReader(output), &out)
	if err != nil || !ok || out.String() != table {
		t.Errorf("%t, %v,\n%s want\n%s", ok, err, out.String(), table)
	}
}

func TestFailuresAreShownAndFail(t *testing.T) {
	for name, text := range map[string]string{
		"failed package":   output + "FAIL\tkafka-retention-exporter/exporter [build failed]\n",
		"failed benchmark": output + "--- FAIL: BenchmarkPage\n",
		"nothing ran":      "PASS\nok  \tkafka-retention-exporter/model\t0.1s\n",
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if ok, err := run(strings.NewReader(text), &out); ok || err != nil {
				t.Errorf("%t, %v, want false", ok, err)
			}
			if strings.Contains(text, "FAIL") && !strings.Contains(out.String(), "FAIL") {
				t.Errorf("the failure is not shown in\n%s", out.String())
			}
		})
	}
}
