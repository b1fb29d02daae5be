package main

import (
	"fmt"
	"time"

	"kafka-retention-exporter/test/docs"
)

// target is a figure that must not be exceeded.
type target struct {
	what  string
	trial trial
	get   func(f figures) float64
	most  float64
}

func targets() []target {
	at := func(every time.Duration, detail string) trial {
		return trial{cluster: kafka, size: size{10_000, 200, 50}, every: every, detail: detail}
	}
	ten, thirty, brief := at(10*time.Second, full), at(30*time.Second, full), at(10*time.Second, standard)
	return []target{
		{"requests of a poll on the fast path, every 10s", ten, func(f figures) float64 { return f.Requests }, 3},
		{"requests of a poll on average, every 10s", ten, func(f figures) float64 { return f.MeanRequests }, 5},
		{"requests of a poll on average, every 30s", thirty, func(f figures) float64 { return f.MeanRequests }, 5},
		{"ms of broker CPU a poll, every 10s", ten, func(f figures) float64 { return f.BrokerMs }, 50},
		{"ms of broker CPU a poll, every 30s", thirty, func(f figures) float64 { return f.BrokerMs }, 70},
		{"ms of own CPU a poll, full", ten, func(f figures) float64 { return f.CPUMs }, 400},
		{"ms of own CPU a poll, standard", brief, func(f figures) float64 { return f.CPUMs }, 250},
		{"ms of CPU a scrape", ten, func(f figures) float64 { return f.ScrapeCPUMs }, 20},
		{"ms until a scrape is answered", ten, func(f figures) float64 { return f.ScrapeMs }, 100},
		{"MB of memory at most, full", ten, func(f figures) float64 { return f.PeakMB }, 250},
		{"MB of memory at most, standard", brief, func(f figures) float64 { return f.PeakMB }, 150},
	}
}

// targets says of each what was measured.
func (r *results) targets() string {
	var rows [][]string
	for _, t := range targets() {
		f, ok := r.Trials[t.trial.name()]
		if !ok {
			rows = append(rows, []string{t.what, fmt.Sprint(t.most), "", "not measured"})
			continue
		}
		rows = append(rows, []string{t.what, fmt.Sprint(t.most), fmt.Sprintf("%.1f", t.get(f)), verdict(t.get(f), t.most)})
	}
	return docs.Table([]string{"at most", "target", "measured", ""}, rows)
}

func verdict(is, most float64) string {
	if is > most {
		return "missed"
	}
	return "met"
}
