package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/collector/login"
	"kafka-retention-exporter/test/locked"
)

// patience bounds the waits of these tests; only a program that hangs comes near it.
const patience = time.Minute

// TestClusterThatIsNotThere starts the program against a port where nobody listens: it serves,
// says that it reaches nobody, and ends cleanly when it is told to.
func TestClusterThatIsNotThere(t *testing.T) {
	const secret = "do-not-print-me"
	address := freeAddress(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var log locked.Buffer
	exit := make(chan int, 1)
	env := func(name string) (string, bool) { return secret, name == login.PasswordVariable }
	go func() {
		exit <- run(ctx, []string{
			"--kafka.brokers=" + freeAddress(t), "--web.listen-address=" + address, "--poll.interval=200ms",
			"--kafka.sasl.mechanism=PLAIN", "--kafka.sasl.username=monitor",
		}, env, io.Discard, &log)
	}()
	page := await(t, "http://"+address+"/metrics", func(page string) bool {
		return strings.Contains(page, `kafka_retention_poll_failures_total{stage="metadata"}`) && !strings.Contains(page, "kafka_retention_polls_total 0\n")
	})
	for _, want := range []string{"kafka_retention_up 0\n", "kafka_retention_build_info{", "go_goroutines ", "process_start_time_seconds "} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	stop()
	select {
	case code := <-exit:
		if code != 0 {
			t.Errorf("exit %d: %s", code, log.String())
		}
	case <-time.After(patience):
		t.Fatal("the program does not end")
	}
	if n := strings.Count(log.String(), "Could not read everything"); n != 1 {
		t.Errorf("%d lines about the one cause:\n%s", n, log.String())
	}
	if strings.Contains(log.String()+page, secret) {
		t.Error("the password is shown")
	}
}

func TestAddressInUseEndsTheProgram(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	var log locked.Buffer
	none := func(string) (string, bool) { return "", false }
	address := taken.Addr().String()
	code := run(t.Context(), []string{"--kafka.brokers=" + freeAddress(t), "--web.listen-address=" + address, "--log.level=error"}, none, io.Discard, &log)
	if want := fmt.Sprintf("%s: listen tcp %s: bind: address already in use\n", program, address); code != 1 || !strings.HasSuffix(log.String(), want) {
		t.Errorf("exit %d, %q; want 1, %q", code, log.String(), want)
	}
}

func TestVersionAndHelpEndWithZero(t *testing.T) {
	for _, flag := range []string{"--version", "--help", "-h"} {
		var out strings.Builder
		none := func(string) (string, bool) { return "", false }
		if code := run(t.Context(), []string{flag}, none, &out, io.Discard); code != 0 || !strings.Contains(out.String(), program) {
			t.Errorf("%s: exit %d, %q", flag, code, out.String())
		}
	}
}

// await reads a page until it is as wanted.
func await(t *testing.T, url string, wanted func(string) bool) (page string) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		answer, err := http.Get(url)
		if err != nil {
			continue // not listening yet
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if page = string(body); err == nil && wanted(page) {
			return page
		}
	}
	t.Fatalf("%s is not as wanted after %s:\n%s", url, patience, page)
	return ""
}

// freeAddress is a loopback address on which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
