package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/process"
)

// program is a running exporter.
type program struct {
	proc    *process.Process
	base    string
	console string
	started time.Time
	free    func()
}

func startProgram(binary, dir, address string, t trial) (*program, error) {
	port, free, err := kafkatest.ReservePort()
	if err != nil {
		return nil, err
	}
	listen := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	p := &program{base: "http://" + listen, console: filepath.Join(dir, "exporter.log"), started: time.Now(), free: free}
	p.proc, err = process.Start(exec.Command(binary, "--kafka.brokers="+address, "--web.listen-address="+listen,
		"--poll.interval="+t.every.String(), "--metrics.detail="+t.detail), p.console)
	return p, err
}

func (p *program) stop() {
	p.proc.Stop(10 * time.Second)
	p.free()
}

// awaitReady waits for the first poll.
func (p *program) awaitReady(ctx context.Context) error {
	for {
		if body, _, err := p.get(ctx, "/-/ready"); err == nil && len(body) > 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.proc.Done():
			text, _ := os.ReadFile(p.console)
			return fmt.Errorf("the exporter has ended: %w\n%s", p.proc.Err(), text)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// accepted is what Prometheus 3 asks for.
const accepted = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"

// get reads a page as Prometheus does, compressed, and how long that took.
func (p *program) get(ctx context.Context, path string) (packed []byte, took time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	if err != nil {
		return nil, 0, err
	}
	req.Header.Set("Accept", accepted)
	req.Header.Set("Accept-Encoding", "gzip")
	start := time.Now()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = res.Body.Close() }()
	packed, err = io.ReadAll(res.Body)
	took = time.Since(start)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("get %s: %s", path, res.Status)
	}
	return packed, took, err
}

// page is what a scrape says of the exporter itself, and how large it is.
type page struct {
	polls, pollSeconds, requests, mallocs, allocated float64
	offsetRequests                                   float64 // ListOffsets among the requests
	series, bytes                                    int
}

func readPage(packed []byte) (p page, err error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return p, fmt.Errorf("unpack page: %w", err)
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		p.line(lines.Text())
	}
	return p, lines.Err()
}

func (p *page) line(text string) {
	p.bytes += len(text) + 1
	if text == "" || text[0] == '#' {
		return
	}
	p.series++
	name, _, _ := strings.Cut(text, " ")
	name, _, _ = strings.Cut(name, "{")
	to := map[string]*float64{
		"kafka_retention_polls_total":               &p.polls,
		"kafka_retention_poll_duration_seconds_sum": &p.pollSeconds,
		"kafka_retention_kafka_requests_total":      &p.requests,
		"go_memstats_mallocs_total":                 &p.mallocs,
		"go_memstats_alloc_bytes_total":             &p.allocated,
	}[name]
	if to == nil {
		return
	}
	value, _ := strconv.ParseFloat(text[strings.LastIndexByte(text, ' ')+1:], 64)
	*to += value
	if to == &p.requests && strings.Contains(text, `"ListOffsets"`) {
		p.offsetRequests += value
	}
}
