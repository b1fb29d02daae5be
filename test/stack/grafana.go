package stack

import (
	"context"
	"fmt"
	"strings"
	"time"

	"kafka-retention-exporter/dashboards"
)

// View is a dashboard as somebody looks at it: its time range and what is chosen in its variables.
type View struct {
	From, To  time.Time
	Now       time.Time
	Step      time.Duration     // $__interval
	Scrape    time.Duration     // scrape interval, as the data source knows it
	Variables map[string]string // the text that Grafana puts in for each
}

// put puts values in the place of variables, those of Grafana's own included. A variable without
// a value stays, and Prometheus refuses it.
func (v View) put(expr string) string {
	seconds := func(d time.Duration) string { return fmt.Sprintf("%.0fs", d.Seconds()) }
	pairs := []string{
		"$__rate_interval", seconds(max(v.Step+v.Scrape, 4*v.Scrape)),
		"$__interval_ms", fmt.Sprint(v.Step.Milliseconds()),
		"$__interval", seconds(v.Step),
		"$__range", seconds(v.To.Sub(v.From)),
	}
	for name, value := range v.Variables {
		pairs = append(pairs, "$"+name, value)
	}
	return strings.NewReplacer(pairs...).Replace(expr)
}

// Ask asks one query of a panel as Grafana would: an instant one at the end of the panel's range,
// another at every step.
func (v View) Ask(ctx context.Context, p *Prometheus, panel dashboards.Panel, q dashboards.Query) ([]Series, error) {
	expr := v.put(q.Expr)
	if strings.Contains(expr, "$") {
		return nil, fmt.Errorf("no value for a variable of %s", expr)
	}
	switch {
	case q.Instant && panel.TimeFrom != "": // a range of the panel's own ends now
		return p.Instant(ctx, expr, v.Now)
	case q.Instant:
		return p.Instant(ctx, expr, v.To)
	}
	return p.Range(ctx, expr, v.From, v.To, v.Step)
}
