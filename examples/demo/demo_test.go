package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"kafka-retention-exporter/examples/world"
	"kafka-retention-exporter/model"
)

// The demo runs against the clock, so it wants the machine for itself: KRE_ALONE.

// demo is the program under test, built and started as a user would have it.
type demo struct {
	t       *testing.T
	url     string
	started time.Time
	command *exec.Cmd
	ended   chan error

	mu    sync.Mutex
	lines []string
}

func startDemo(t *testing.T) *demo {
	binary := filepath.Join(t.TempDir(), "demo")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v: %s", err, out)
	}
	d := &demo{t: t, started: time.Now(), command: exec.Command(binary, "--web.listen-address=127.0.0.1:0"), ended: make(chan error, 1)}
	d.command.Stderr = os.Stderr
	out, err := d.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.command.Process.Kill() })
	go d.read(out)
	d.url = d.await(10*time.Second, regexp.MustCompile(`(http://\S+) \(status page\)`))[1]
	return d
}

func (d *demo) read(out io.Reader) {
	scanner := bufio.NewScanner(out)
	for scanner.Scan() {
		d.mu.Lock()
		d.lines = append(d.lines, scanner.Text())
		d.mu.Unlock()
	}
	d.ended <- d.command.Wait()
}

// await waits for a line of output.
func (d *demo) await(patience time.Duration, pattern *regexp.Regexp) []string {
	d.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		d.mu.Lock()
		for _, line := range d.lines {
			if found := pattern.FindStringSubmatch(line); found != nil {
				d.mu.Unlock()
				return found
			}
		}
		d.mu.Unlock()
	}
	d.t.Fatalf("no line like %q in %v", pattern, patience)
	return nil
}

func (d *demo) get(path string) (status int, body string) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url+path, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		d.t.Fatal(err)
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return response.StatusCode, string(all)
}

// awaitForecasts waits for the first finite loss instant on /metrics.
func (d *demo) awaitForecasts() {
	d.t.Helper()
	finite := regexp.MustCompile(`(?m)^kafka_retention_group_loss_timestamp_seconds\{.*\} [0-9]`)
	for time.Since(d.started) < time.Minute {
		if _, page := d.get("/metrics"); finite.MatchString(page) {
			d.t.Logf("first forecast %.1f s after the start", time.Since(d.started).Seconds())
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	d.t.Fatal("no forecast on /metrics a minute after the start")
}

// awaitLoss follows a group until it is lost; it returns what was forecast half a minute earlier
// and the instant at which the loss was first seen.
func (d *demo) awaitLoss(group string) (forecast, seen model.Instant) {
	d.t.Helper()
	var said []saying
	for time.Since(d.started) < 2*time.Minute {
		pairs, err := ask(d.t.Context(), d.url+"/api/v1/forecasts")
		if err != nil {
			d.t.Fatal(err)
		}
		for _, p := range pairs {
			if p.Group != group || p.Loss == nil {
				continue
			}
			if !p.lost() {
				said = append(said, saying{model.InstantOf(time.Now()), p.Loss})
				continue
			}
			for _, s := range said {
				if s.at <= p.Loss.Add(-model.MillisOf(ahead)) {
					forecast = s.loss.Instant
				}
			}
			return forecast, p.Loss.Instant
		}
		time.Sleep(200 * time.Millisecond)
	}
	d.t.Fatalf("group %s lost nothing in two minutes", group)
	return 0, 0
}

func TestLossComesWhenItWasForecast(t *testing.T) {
	d := startDemo(t)
	d.awaitForecasts()
	for _, path := range []string{"/-/ready", "/-/healthy", "/", "/metrics", "/api/v1/forecasts"} {
		if status, _ := d.get(path); status != http.StatusOK {
			t.Errorf("%s: status %d", path, status)
		}
	}
	forecast, seen := d.awaitLoss("exports")
	if forecast == 0 {
		t.Fatal("no forecast half a minute before the loss")
	}
	// The deletion happened before it was seen, and not before the poll that came just before.
	check := model.MillisOf(world.CheckInterval)
	earliest, latest := seen.Add(-model.MillisOf(world.PollInterval)).Add(-check), seen.Add(check)
	t.Logf("loss seen at %v, forecast half a minute earlier: %v", seen, forecast)
	if forecast < earliest || forecast > latest {
		t.Errorf("forecast %v is more than one check interval from the loss seen at %v", forecast, seen)
	}
	line := d.await(5*time.Second, regexp.MustCompile(`^exports lost at .* said .* \(off by (\S+) s\)$`))
	if off, err := strconv.ParseFloat(line[1], 64); err != nil || off > world.CheckInterval.Seconds() {
		t.Errorf("the terminal says %q (%v)", line[0], err)
	}
	d.stop()
}

// stop ends the demo as Ctrl-C does.
func (d *demo) stop() {
	d.t.Helper()
	if err := d.command.Process.Signal(os.Interrupt); err != nil {
		d.t.Fatal(err)
	}
	select {
	case err := <-d.ended:
		if err != nil {
			d.t.Errorf("ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		d.t.Error("still runs 10 s after the signal")
	}
}
