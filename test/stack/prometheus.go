package stack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// Prometheus is a running server.
type Prometheus struct {
	t    testing.TB
	base string
}

// Start runs Debian's prometheus with a configuration until the test ends, and returns when it
// answers. Relative paths in the configuration start at dir.
func Start(t testing.TB, dir, config string) *Prometheus {
	t.Helper()
	binary, err := exec.LookPath("prometheus")
	if err != nil {
		t.Fatalf("prometheus is missing: apt-get install --no-install-recommends prometheus (%v)", err)
	}
	file := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", kafkatest.FreePort(t))
	console, err := os.Create(filepath.Join(dir, "console"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+address, "--log.level=warn")
	cmd.Stdout, cmd.Stderr = console, console
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start prometheus: %v", err)
	}
	t.Cleanup(func() { stop(t, cmd, console) })
	p := &Prometheus{t, "http://" + address}
	p.await(30*time.Second, "prometheus to be ready", func() bool {
		res, err := http.Get(p.base + "/-/ready")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
	return p
}

func stop(t testing.TB, cmd *exec.Cmd, console *os.File) {
	_ = cmd.Process.Kill() // its data goes with the test
	_ = cmd.Wait()
	_ = console.Close()
	if text, err := os.ReadFile(console.Name()); err == nil && t.Failed() {
		t.Logf("console of prometheus:\n%s", text)
	}
}

func (p *Prometheus) await(patience time.Duration, what string, ok func() bool) {
	p.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

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
