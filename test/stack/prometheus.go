package stack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/monitoring"
)

// Prometheus is a running server that is asked.
type Prometheus struct{ base string }

// Start runs Prometheus until the test ends, scraping an exporter (host:port) every second, with
// rules, and with an Alertmanager (host:port) to be told.
func Start(t testing.TB, exporter string, rules []byte, alertmanager string) *Prometheus {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "rules.yml")
	if err := os.WriteFile(file, rules, 0o644); err != nil {
		t.Fatal(err)
	}
	config, err := monitoring.PrometheusConfig(exporter, file, alertmanager)
	if err != nil {
		t.Fatal(err)
	}
	server, err := monitoring.StartPrometheus(t.Context(), dir, loopback(t), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, server) })
	return &Prometheus{server.URL}
}

// stop ends a server and shows what it complained of if the test has failed.
func stop(t testing.TB, server *monitoring.Server) {
	server.Stop()
	if t.Failed() {
		t.Logf("console of %s:\n%s", server.URL, server.Console())
	}
}

func loopback(t testing.TB) string { return fmt.Sprintf("127.0.0.1:%d", kafkatest.FreePort(t)) }

// Series is one result of a query.
type Series struct {
	Labels map[string]string
	Points []Point
}

// Point is one value at an instant.
type Point struct {
	At    time.Time
	Value float64
}

// UnmarshalJSON reads [seconds, "value"].
func (p *Point) UnmarshalJSON(text []byte) error {
	var seconds float64
	var value string
	if err := json.Unmarshal(text, &[]any{&seconds, &value}); err != nil {
		return err
	}
	p.At = time.UnixMilli(int64(seconds * 1000))
	var err error
	p.Value, err = strconv.ParseFloat(value, 64)
	return err
}

// Instant asks a query at an instant.
func (p *Prometheus) Instant(ctx context.Context, expr string, at time.Time) ([]Series, error) {
	return p.ask(ctx, "query", url.Values{"query": {expr}, "time": {unix(at)}})
}

// Range asks a query at every step of a range.
func (p *Prometheus) Range(ctx context.Context, expr string, from, to time.Time, step time.Duration) ([]Series, error) {
	return p.ask(ctx, "query_range", url.Values{
		"query": {expr}, "start": {unix(from)}, "end": {unix(to)}, "step": {strconv.FormatFloat(step.Seconds(), 'f', -1, 64)},
	})
}

func unix(t time.Time) string { return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64) }

// ask puts a question to the API. Errors of PromQL are errors.
func (p *Prometheus) ask(ctx context.Context, what string, question url.Values) ([]Series, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+"/api/v1/"+what+"?"+question.Encode(), nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var answer struct {
		Error string
		Data  struct {
			Result []struct {
				Metric map[string]string
				Value  *Point
				Values []Point
			}
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return nil, fmt.Errorf("decode the answer: %w", err)
	}
	if answer.Error != "" {
		return nil, fmt.Errorf("ask prometheus: %s", answer.Error)
	}
	var all []Series
	for _, r := range answer.Data.Result {
		if r.Value != nil {
			r.Values = []Point{*r.Value}
		}
		all = append(all, Series{r.Metric, r.Values})
	}
	return all, nil
}
