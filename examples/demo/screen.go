package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"kafka-retention-exporter/examples/world"
)

// How much is shown: the events that fit below the table, and how often a table is written where
// lines can only be appended.
const (
	shownEvents = 8
	appendEvery = 10 * time.Second
)

// screen is the terminal: a table that is drawn anew, or lines that are appended where the
// output is no terminal.
type screen struct {
	out      *os.File
	terminal bool
	events   []string
	appended time.Time
}

func newScreen(out *os.File) *screen {
	info, err := out.Stat()
	return &screen{out: out, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"}
}

// begin says where to look before there is a table.
func (s *screen) begin(where string) { fmt.Fprintln(s.out, pointer(where)) }

// event adds a line that stays.
func (s *screen) event(line string) {
	if !s.terminal {
		fmt.Fprintln(s.out, line)
		return
	}
	s.events = append(s.events, line)
	s.events = s.events[max(0, len(s.events)-shownEvents):]
}

// show draws the table of the moment; its last line says where to look.
func (s *screen) show(now time.Time, pairs []pair, where string) {
	if !s.terminal {
		if len(pairs) == 0 || now.Sub(s.appended) < appendEvery {
			return
		}
		s.appended = now
		fmt.Fprintln(s.out, table(now, pairs)+pointer(where))
		return
	}
	const home, clear = "\x1b[H", "\x1b[2J"
	var events strings.Builder
	for _, e := range s.events {
		events.WriteString(e + "\n")
	}
	fmt.Fprint(s.out, home+clear+table(now, pairs)+"\n"+events.String()+"\n"+pointer(where)+"\n")
}

// table is a line for each group.
func table(now time.Time, pairs []pair) string {
	var b strings.Builder
	const row = "%-10s  %-13s  %-13s  %-55s  %s\n"
	fmt.Fprintf(&b, "%s  topic %s: records are kept for %s, checked every %s\n", now.Format("15:04:05"), world.Topic, world.Retention, world.CheckInterval)
	fmt.Fprintf(&b, row, "GROUP", "STATE", "TIME LEFT", "WHAT WILL HAPPEN", "LOST SO FAR")
	for _, p := range pairs {
		fmt.Fprintf(&b, row, p.Group, p.state(), p.left(now), p.future(), fmt.Sprint(p.Lost))
	}
	return b.String()
}

func pointer(where string) string {
	return fmt.Sprintf("Look at %[1]s (status page), %[1]s/metrics and %[1]s/api/v1/forecasts", where)
}
