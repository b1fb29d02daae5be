package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"kafka-retention-exporter/test/docs"
	"kafka-retention-exporter/test/vectors/mistakes"
)

// report is what one run of the command found. Its tables stand between the markers "logs" and
// "mistakes" of a Markdown file; a table that the run did not make is left alone.
type report struct {
	origin   string
	results  []result
	outcomes []mistakes.Outcome
}

func newReport(arguments []string) *report {
	return &report{origin: fmt.Sprintf("Made on %s with %s on %s/%s, %d cores, by\n\n    go run ./test/vectors %s\n\n",
		time.Now().UTC().Format(time.DateOnly), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), strings.Join(arguments, " "))}
}

func (r *report) String() string { return r.logs() + "\n" + r.mistakes() }

// logs is the table of comparisons and, under it, where the schedules went.
func (r *report) logs() string {
	if len(r.results) == 0 {
		return ""
	}
	head := []string{"jar", "logs", "steps", "passes", "edge passes", "differences", "seconds to record", "seconds to replay"}
	var rows, reach [][]string
	for _, x := range r.results {
		rows = append(rows, []string{
			"kafka-storage " + x.jar.version, grouped(x.compared.Logs), grouped(x.compared.Steps), grouped(x.compared.Passes),
			grouped(x.oracle.edgePasses), grouped(x.differences), seconds(x.recording), seconds(x.replaying),
		})
		reach = append(reach, []string{x.jar.version, x.oracle.edges.String(), x.oracle.rolls.String()})
	}
	return r.origin + docs.Table(head, rows) + "\n" + docs.Table([]string{"jar", "edges met by passes", "rolls by cause"}, reach)
}

// mistakes is the table of planted mistakes.
func (r *report) mistakes() string {
	if len(r.outcomes) == 0 {
		return ""
	}
	var rows [][]string
	for _, o := range r.outcomes {
		verdict := "caught"
		if !o.Caught() {
			verdict = "NOT CAUGHT"
		}
		rows = append(rows, []string{o.Rule, o.Name, "`" + o.File + "`", verdict, o.NoticedBy()})
	}
	return r.origin + fmt.Sprintf("%d mistakes, %d caught.\n\n", len(r.outcomes), len(r.outcomes)-r.unnoticed()) +
		docs.Table([]string{"rule", "planted mistake", "file", "verdict", "families whose sample differs"}, rows)
}

func (r *report) unnoticed() (n int) {
	for _, o := range r.outcomes {
		if !o.Caught() {
			n++
		}
	}
	return n
}

// write replaces the tables of a file that this run made.
func (r *report) write(path string) error {
	document, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read report: %w", err)
	}
	text := string(document)
	for name, table := range map[string]string{"logs": r.logs(), "mistakes": r.mistakes()} {
		if table == "" {
			continue
		}
		if text, err = docs.Replace(text, name, table); err != nil {
			return fmt.Errorf("write report %s: %w", path, err)
		}
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) }

// grouped prints a number with a comma between thousands.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
