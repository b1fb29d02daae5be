package main

import (
	"io"
	"os"
	"testing"
	"time"
)

// TestMain runs what the command runs itself as, where it is asked for.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == childFake || os.Args[1] == childFloor) {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestPollOfASmallCluster is a trial that takes seconds. It holds the program, as it is built, to what
// no machine and no load changes: requests, allocations, bytes.
func TestPollOfASmallCluster(t *testing.T) {
	dir := t.TempDir()
	binary, err := build(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{dir: dir, binary: binary, out: io.Discard, given: pace{idle: 100 * time.Millisecond, floor: 2, scrapes: 3}}
	defer b.close()
	one := trial{kfake, size{100, 10, 20}, time.Second, full, 7}
	brief := one
	brief.detail = standard
	var all results
	for _, each := range []trial{one, brief} {
		if err := b.measure(t.Context(), each, &all); err != nil {
			t.Fatal(err)
		}
	}
	for _, limit := range []struct {
		what string
		is   float64
		most float64
	}{
		{"requests of a poll", all.Trials[one.name()].Requests, 3},
		{"allocations of a poll", all.Trials[one.name()].Allocations, 8000},
		{"allocated MB of a poll", all.Trials[one.name()].AllocatedMB, 3},
		{"MB of a page", all.Trials[one.name()].BodyMB, 0.3},
		{"kB of a compressed page", all.Trials[one.name()].PackedKB, 20},
		{"MB of a page at standard detail", all.Trials[brief.name()].BodyMB, 0.2},
		{"requests of the floor", all.Trials[one.floor()].Requests, 3},
	} {
		t.Logf("%s: %.3f", limit.what, limit.is)
		if limit.is <= 0 || limit.is > limit.most {
			t.Errorf("%s: %.3f, want at most %v", limit.what, limit.is, limit.most)
		}
	}
	if f := all.Trials[one.name()]; f.Polls < one.polls-1 || f.PeakMB <= 0 || f.Series == 0 || f.WallMs <= 0 {
		t.Errorf("figures are missing: %+v", f)
	}
}

// TestResultsAreWhatWasMeasured: the document is made of the figures beside it, and nothing else.
func TestResultsAreWhatWasMeasured(t *testing.T) {
	t.Chdir("../..")
	all, err := readResults()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Trials) == 0 || string(text) != all.document() {
		t.Errorf("%s is not what %s gives; go run ./test/bench -write", tableFile, resultsFile)
	}
	known := map[string]bool{}
	for _, one := range trials() {
		known[one.name()], known[one.floor()] = true, true
	}
	for name := range all.Trials {
		if !known[name] {
			t.Errorf("there is no trial %q", name)
		}
	}
	for _, target := range targets() {
		if !known[target.trial.name()] {
			t.Errorf("target %q is of no trial", target.what)
		}
	}
}

func TestPageIsReadByItsNames(t *testing.T) {
	var p page
	for _, line := range []string{
		"# HELP kafka_retention_polls_total Polls.", "kafka_retention_polls_total 7.0",
		`kafka_retention_kafka_requests_total{api="Metadata"} 2.0`, `kafka_retention_kafka_requests_total{api="ListOffsets"} 40.0`,
		"kafka_retention_poll_duration_seconds_sum 1.5", "go_memstats_mallocs_total 1.5e+06", "go_memstats_alloc_bytes_total 3e+08", "",
	} {
		p.line(line)
	}
	if p.polls != 7 || p.requests != 42 || p.pollSeconds != 1.5 || p.mallocs != 1.5e6 || p.allocated != 3e8 || p.offsetRequests != 40 || p.series != 6 {
		t.Errorf("%+v", p)
	}
}

func TestKernelCountsThisProcess(t *testing.T) {
	before, err := cpuOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for now := before; now < before+3*tick; {
		if now, err = cpuOf(os.Getpid()); err != nil {
			t.Fatal(err)
		}
	}
	if peak, err := peakOf(os.Getpid()); err != nil || peak < 1 || peak > 10_000 {
		t.Errorf("%v MB, %v", peak, err)
	}
	if got := median([]float64{3, 1, 2}); got != 2 {
		t.Errorf("the median of three is %v", got)
	}
	if got := median([]float64{4, 1, 2, 3}); got != 2.5 {
		t.Errorf("the median of four is %v", got)
	}
}

func TestStateIsReadFromTheTestsOutput(t *testing.T) {
	var s state
	err := s.read(`=== RUN   TestStateOfAPartition
    bench_test.go:125: 7113 bytes a partition
    bench_test.go:161: 1246 bytes a pair
BenchmarkForecast-2         	     222	   5324404 ns/op	      5205 cpu-ns/pair	      5324 ns/pair	 1325258 B/op
BenchmarkForecastShared-2   	       1	1007281988 ns/op	      3457 cpu-ns/pair	     10073 ns/pair	69102288 B/op
`)
	if want := (state{PartitionBytes: 7113, PairBytes: 1246, ForecastNs: 5205, SharedNs: 3457}); err != nil || s != want {
		t.Errorf("%+v, %v, want %+v", s, err, want)
	}
	if err := s.read("7113 bytes a partition\n"); err == nil {
		t.Error("no error, though figures are missing")
	}
}

// TestPairsAreThoseThatAreForecast: a group with an offset in a topic is judged on all of it.
func TestPairsAreThoseThatAreForecast(t *testing.T) {
	for _, c := range []struct {
		size
		want int
	}{
		{size{100, 10, 20}, 200}, {size{10_000, 200, 50}, 10_000}, {size{10_000, 65_000, 2}, 650_000}, {size{100_000, 2_000, 50}, 100_000},
	} {
		if got := c.pairs(); got != c.want {
			t.Errorf("%v: %d, want %d", c.size, got, c.want)
		}
	}
}
