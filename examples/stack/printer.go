package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"kafka-retention-exporter/examples/world"
	"kafka-retention-exporter/test/monitoring"
)

// printer writes for people. Messages come in at any time.
type printer struct {
	mu  sync.Mutex
	out io.Writer
}

func (p *printer) addresses(s servers, rules string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, `exporter      http://%s
Prometheus    http://%s
Alertmanager  amtool alert query --alertmanager.url=http://%s
rules         %s, made by: kafka-retention-exporter rules --scale=%.6f

Topic %s keeps records for %s. One of its groups hangs, and loses records in the first minute.
What people are told about it stands below. Ctrl-C ends everything.

`, s.exporter, s.prometheus, s.alertmanager, rules, scale, world.Topic, world.Retention)
}

// message prints one under the name of its receiver, which is the path in the example.
func (p *printer) message(m monitoring.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, "%s  [%s]\n", time.Now().Format("15:04:05"), strings.TrimPrefix(m.Path, "/"))
	for line := range strings.Lines(m.Title + "\n" + m.Text) {
		fmt.Fprintln(p.out, "  "+strings.TrimRight(line, "\n"))
	}
	fmt.Fprintln(p.out)
}
