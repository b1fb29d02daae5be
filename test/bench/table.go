package main

import (
	"fmt"
	"strings"

	"kafka-retention-exporter/test/docs"
)

// document is RESULTS.md.
func (r *results) document() string {
	return `# What a poll costs

Written by ` + "`go run ./test/bench -write`" + ` (what is measured and how: doc.go). Measured on ` + r.Machine + `; every
row has its day and the load average of the machine at its end: more than one or two says that the machine did other things as
well, which makes every time of the row longer, those of the processor too, and lets polls miss their deadline. Processor times are the kernel's, on average over the polls of the
row: the exporter's with all forecasts, the page rendered and scraped once a poll; the broker's without what it uses between the polls, in the same
minutes, when nobody asks. The broker's are those of the threads that take requests, answer them and collect garbage; in parentheses those of its whole
process, where its compiler, controller and other work of its own add more, and less, in a minute than a poll costs: a figure below zero says how sure that one is.
Requests, wall times and allocations are medians of single polls, in parentheses the mean. Wall times are those of a machine with two
cores for broker and exporter together. Memory is the peak since the start. The floor sends the three requests that cannot be avoided,
decodes the answers and drops them.

## Targets

On the real broker, 10,000 partitions, 200 groups on 50 partitions each, one broker, steady state.

` + r.targets() + `
What the predictor holds of each partition and pair, and what a forecast costs:

` + r.State.table() + `
What one request for everything costs that broker, in ms of its processors: the first that it gets after its start, and one of those
after a hundred. Every trial on a real broker begins with the hundred, which stand for the day that a broker in use has behind it; one
that has just been started pays the first column for a while.

` + requestTable(r.Requests) + `
## All trials

The programs of other authors were measured on the same kind of machine with the same load, at other times; their figures are
processor seconds and requests of one collection.

` + r.table() + `
## Growth

Processor time and memory of the exporter by what it watches; where cost is linear, the last column stays level or falls.

` + r.growth()
}

func head() []string {
	return []string{
		"broker", "partitions", "groups x each", "program", "polls", "requests", "polls of 3 requests", "poll ms", "own CPU ms", "broker CPU ms (whole process)",
		"allocations k (MB)", "peak MB", "scrape ms", "scrape CPU ms", "page MB (gzip kB)", "series", "day, load",
	}
}

func (r *results) table() string {
	var rows [][]string
	last := ""
	for _, t := range trials() {
		place := []string{t.broker(), fmt.Sprint(t.size.Partitions), fmt.Sprintf("%d x %d", t.size.Groups, t.size.Each)}
		if at := strings.Join(place, " "); at != last {
			last = at
			if f, ok := r.Trials[t.floor()]; ok {
				rows = append(rows, append(place, f.row("the floor")...))
			}
			for _, o := range others() {
				if t.cluster == kafka && t.size == o.size {
					rows = append(rows, append(place, o.row()...))
				}
			}
		}
		if f, ok := r.Trials[t.name()]; ok {
			rows = append(rows, append(place, f.row(fmt.Sprintf("this one, every %v, %s", t.every, t.detail))...))
		}
	}
	return docs.Table(head(), rows)
}

func (t trial) broker() string {
	if t.cluster == kafka {
		return "Kafka"
	}
	return t.cluster
}

func (f figures) row(program string) []string {
	cells := []string{
		program, fmt.Sprint(f.Polls), fmt.Sprintf("%.0f (%.1f)", f.Requests, f.MeanRequests), fmt.Sprintf("%.0f %%", 100*f.Fast), fmt.Sprintf("%.0f", f.WallMs),
		fmt.Sprintf("%.0f", f.CPUMs), fmt.Sprintf("%.0f (%.0f)", f.BrokerMs, f.WholeMs),
		fmt.Sprintf("%.1f (%.1f)", f.Allocations/1e3, f.AllocatedMB), fmt.Sprintf("%.0f", f.PeakMB),
	}
	if f.Series == 0 {
		cells[3] = ""
		cells = append(cells, "", "", "", "")
	} else {
		cells = append(cells, fmt.Sprintf("%.1f", f.ScrapeMs), fmt.Sprintf("%.1f", f.ScrapeCPUMs),
			fmt.Sprintf("%.2f (%.0f)", f.BodyMB, f.PackedKB), fmt.Sprint(f.Series))
	}
	return append(cells, fmt.Sprintf("%s, %.1f", f.Day, f.Load))
}

// growth is what a thing watched costs, a thing being a partition or a pair, at full detail.
func (r *results) growth() string {
	var rows [][]string
	for _, t := range trials() {
		f, ok := r.Trials[t.name()]
		if !ok || t.detail != full {
			continue
		}
		things := float64(t.size.Partitions + t.size.pairs())
		rows = append(rows, []string{t.name(), fmt.Sprint(t.size.Partitions), fmt.Sprint(t.size.pairs()),
			fmt.Sprintf("%.0f", f.CPUMs), fmt.Sprintf("%.0f", f.PeakMB), fmt.Sprintf("%.1f", 1000*f.PeakMB/things), fmt.Sprintf("%.1f", 1000*f.CPUMs/things)})
	}
	return docs.Table([]string{"trial", "partitions", "pairs", "own CPU ms", "peak MB", "peak kB a partition or pair", "own CPU us a partition or pair"}, rows)
}
