// Command summary reads the output of go test -json on standard input and prints it for people:
// one line a package, the whole output of what failed, and every skipped test with its reason,
// so that nothing is left out in silence. The counts are appended to the file named by the
// argument as "passed failed skipped". It exits 1 if anything failed.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go test -json ... | summary COUNTS-FILE")
		os.Exit(2)
	}
	failed, err := run(os.Stdin, os.Stdout, os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "summary:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, countsFile string) (failed bool, err error) {
	t := newTally()
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			t.line(out, line)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return false, fmt.Errorf("read test output: %w", err)
		}
	}
	file, err := os.OpenFile(countsFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return false, fmt.Errorf("write counts: %w", err)
	}
	if _, err := fmt.Fprintln(file, t.passed, t.failed, t.skipped); err != nil {
		return false, fmt.Errorf("write counts: %w", err)
	}
	return t.failed > 0, file.Close()
}
