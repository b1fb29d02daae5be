// Command medians reads the output of go test -bench -count N on standard input and prints one
// line a benchmark with the median of its N runs:
//
//	go test -run '^$' -bench . -benchmem -count 5 ./model | go run ./test/medians
//
// It exits 1 if a test failed or no benchmark ran.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"

	"kafka-retention-exporter/test/docs"
)

func main() {
	ok, err := run(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "medians:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) (ok bool, err error) {
	var s series
	ok = true
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if failed(lines.Text()) {
			fmt.Fprintln(out, lines.Text())
			ok = false
		}
		s.line(lines.Text())
	}
	if err := lines.Err(); err != nil {
		return false, fmt.Errorf("read benchmarks: %w", err)
	}
	var rows [][]string
	for _, name := range s.order {
		runs := s.runs[name]
		rows = append(rows, []string{
			name, strconv.Itoa(len(runs["ns/op"])), duration(median(runs["ns/op"])),
			number(median(runs["B/op"])), number(median(runs["allocs/op"])),
		})
	}
	fmt.Fprint(out, docs.Table([]string{"benchmark", "runs", "median time", "median bytes", "median allocations"}, rows))
	return ok && len(rows) > 0, nil
}
