package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// figures are what a poll costs, on average unless it says median.
type figures struct {
	Polls        int
	Requests     float64 // median
	MeanRequests float64
	Fast         float64 // share of polls of no more than three requests
	WallMs       float64 // median
	CPUMs        float64 // of the program, rendering and one scrape included
	BrokerMs     float64 // of CPU of the threads that requests keep busy, less what they use by themselves
	WholeMs      float64 // of the broker's whole process, less what it uses by itself
	Allocations  float64 // median
	AllocatedMB  float64 // median
	PeakMB       float64 // resident, since the start
	ScrapeMs     float64 // median
	ScrapeCPUMs  float64
	BodyMB       float64
	PackedKB     float64 // as it goes over the wire
	Series       int
	Load         float64 // average of the machine in the last minute
	Day          string
}

func (f *figures) broker(s spent) { f.BrokerMs, f.WholeMs = s.asked, s.whole }

// results are figures by the name of their trial.
type results struct {
	Machine string
	Trials  map[string]figures
	State   state
	// Requests are those of the cluster that the targets are about.
	Requests []requestCost
}

const (
	resultsFile = "test/bench/results.json"
	tableFile   = "test/bench/RESULTS.md"
)

// keep takes in the figures of a trial.
func (r *results) keep(name string, f figures) {
	if r.Trials == nil {
		r.Trials = map[string]figures{}
	}
	r.Machine, r.Trials[name] = machine(), f
}

// readResults is what earlier runs have measured.
func readResults() (all results, err error) {
	text, err := os.ReadFile(resultsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return results{}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	return all, err
}

func (r *results) writeIf(wanted bool) error {
	if !wanted {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(resultsFile, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(tableFile, []byte(r.document()), 0o644)
}

// machine names what was measured on.
func machine() string {
	cpu := "an unknown processor"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
				cpu = strings.TrimSpace(value)
				break
			}
		}
	}
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		release = []byte("unknown")
	}
	return fmt.Sprintf("%d cores of %s, Linux %s, %s, Apache Kafka %s, franz-go and kfake of go.mod", runtime.NumCPU(), cpu,
		strings.TrimSpace(string(release)), runtime.Version(), kafkatest.DefaultVersion)
}
