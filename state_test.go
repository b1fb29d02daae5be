package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/test/endtoend"
	"kafka-retention-exporter/test/fakebroker"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/process"
)

// TestLossesSurviveAKill kills the real program twice without warning. What a group lost before,
// while nobody watched and after adds up, and the instant of the first loss stays.
func TestLossesSurviveAKill(t *testing.T) {
	ctx := t.Context()
	// Log starts may be one check interval old where no group is near.
	c, err := fakebroker.Start(ctx, fakebroker.Options{CheckInterval: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.CreateTopic(ctx, "orders", 1, nil))
	for range 10 {
		records := make([]fakebroker.Record, 10)
		for i := range records {
			records[i] = fakebroker.Record{Stamp: model.InstantOf(time.Now()), Value: []byte("x")}
		}
		_, err := c.Produce(ctx, "orders", 0, records...)
		must(err)
	}
	must(c.Commit(ctx, "billing", "orders", 0, 10))

	binary, file := endtoend.Build(t), filepath.Join(t.TempDir(), "state")
	kill, page := runKeeping(t, binary, file, c.Addresses())
	page("lost_records_total", "0")
	must(c.DeleteRecords(ctx, "orders", 0, 30))
	page("lost_records_total", "20")
	since := page("loss_timestamp_seconds", `1\.\d+e\+09`)
	waitFor(t, file, `"l":20,`)
	kill()

	must(c.DeleteRecords(ctx, "orders", 0, 50))
	kill, page = runKeeping(t, binary, file, c.Addresses())
	page("lost_records_total", "40")
	if got := page("loss_timestamp_seconds", `1\.\d+e\+09`); got != since {
		t.Errorf("lost since %s after the kill, %s before it", got, since)
	}
	waitFor(t, file, `"l":40,`)
	kill()

	_, page = runKeeping(t, binary, file, c.Addresses())
	page("lost_records_total", "40")
	must(c.DeleteRecords(ctx, "orders", 0, 60))
	page("lost_records_total", "50")
	if got := page("loss_timestamp_seconds", `1\.\d+e\+09`); got != since {
		t.Errorf("lost since %s after two kills, %s before them", got, since)
	}
}

// runKeeping runs the program. page waits until a series of the group has a value that matches, and
// returns it.
func runKeeping(t *testing.T, binary, file string, brokers []string) (kill func(), page func(metric, value string) string) {
	t.Helper()
	listen := fmt.Sprintf("127.0.0.1:%d", kafkatest.FreePort(t))
	log := filepath.Join(t.TempDir(), "log")
	p, err := process.Start(exec.Command(binary, "--kafka.brokers="+strings.Join(brokers, ","), "--poll.interval=200ms",
		"--web.listen-address="+listen, "--state.file="+file), log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(10 * time.Second) })
	page = func(metric, value string) string {
		t.Helper()
		series := regexp.MustCompile(`(?m)^kafka_retention_group_` + metric + `\{.*\} (` + value + `)$`)
		var text string
		for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			text = fetch("http://" + listen + "/metrics")
			if m := series.FindStringSubmatch(text); m != nil {
				return m[1]
			}
		}
		t.Fatalf("no %s of %s; the page is\n%s", metric, value, text)
		return ""
	}
	return func() { _ = p.Signal(syscall.SIGKILL); <-p.Done() }, page
}

func fetch(url string) string {
	res, err := http.Get(url)
	if err != nil {
		return ""
	}
	defer func() { _ = res.Body.Close() }()
	body, _ := io.ReadAll(res.Body)
	return string(body)
}

// waitFor waits until a file contains something.
func waitFor(t *testing.T, path, what string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), what) {
			return
		}
	}
	t.Fatalf("%s does not come to contain %s", path, what)
}
