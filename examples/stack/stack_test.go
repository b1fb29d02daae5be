package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/locked"
	"kafka-retention-exporter/test/monitoring"
)

// The world runs against the clock, so these tests want the machine for themselves: KRE_ALONE.

// promise is the time in which the stack has to have told somebody.
const promise = 3 * time.Minute

// stack is the program under test, built and started as a user would have it.
type stack struct {
	t       *testing.T
	command *exec.Cmd
	out     locked.Buffer
	dir     string // its folder for temporary files
	listens []string
}

func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "stack")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v: %s", err, out)
	}
	return binary
}

func begin(t *testing.T) *stack {
	t.Helper()
	s := &stack{t: t, dir: t.TempDir()}
	s.command = exec.Command(build(t))
	for _, flag := range []string{"web.listen-address", "prometheus", "alertmanager"} {
		address := fmt.Sprintf("127.0.0.1:%d", kafkatest.FreePort(t))
		s.command.Args = append(s.command.Args, "--"+flag+"="+address)
		s.listens = append(s.listens, address)
	}
	s.command.Env = append(os.Environ(), "TMPDIR="+s.dir)
	s.command.Stdout, s.command.Stderr = &s.out, &s.out
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.command.Process.Kill() // it has ended, if the test got that far
		if t.Failed() {
			t.Logf("the terminal:\n%s", s.out.String())
		}
	})
	return s
}

// await waits for words in the terminal.
func (s *stack) await(words string) {
	s.t.Helper()
	for end := time.Now().Add(promise); !strings.Contains(alike(s.out.String()), alike(words)); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("not in %v:\n%s", promise, words)
		}
	}
}

// alike writes texts that differ in their numbers, and in where they break lines, the same way.
func alike(text string) string {
	text = regexp.MustCompile(`\d+(\.\d+)?`).ReplaceAllString(text, "0")
	return strings.Join(strings.Fields(text), " ")
}

// TestAnAlertAboutTheLosingGroupArrives as README shows it.
func TestAnAlertAboutTheLosingGroupArrives(t *testing.T) {
	if missing := monitoring.Missing(); len(missing) > 0 {
		if os.Getenv("KRE_BROKER") == "1" {
			t.Fatalf("programs are missing: apt-get install --no-install-recommends %v", missing)
		}
		t.Skipf("left out: the stack needs Debian's packages %v", missing)
	}
	began := time.Now()
	s := begin(t)
	for _, message := range shown(t) {
		s.await(message)
		t.Logf("%.0f s after the start: %.100s", time.Since(began).Seconds(), message)
	}
	if !strings.Contains(s.out.String(), "[page]") {
		t.Error("nobody was paged")
	}
	s.interrupt()
	s.nothingIsLeft()
}

// shown are the messages that README shows below the command, without the time before them.
func shown(t *testing.T) (messages []string) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "$ go run ./examples/stack\n")
	if !found {
		t.Fatal("README does not show the command")
	}
	output, _, _ := strings.Cut(after, "```")
	for _, message := range regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d  `).Split(output, -1)[1:] {
		messages = append(messages, strings.TrimSpace(message))
	}
	if len(messages) < 2 {
		t.Fatalf("README shows %d messages", len(messages))
	}
	return messages
}

// interrupt ends it as Ctrl-C does.
func (s *stack) interrupt() {
	s.t.Helper()
	if err := s.command.Process.Signal(os.Interrupt); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.command.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			s.t.Errorf("ended with %v", err)
		}
	case <-time.After(30 * time.Second):
		s.t.Fatal("still runs 30 s after the signal")
	}
}

// nothingIsLeft: no file, no process that was told of such a file, no port.
func (s *stack) nothingIsLeft() {
	s.t.Helper()
	if files, err := os.ReadDir(s.dir); err != nil || len(files) > 0 {
		s.t.Errorf("files are left: %v (%v)", files, err)
	}
	processes, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		s.t.Fatal(err)
	}
	for _, p := range processes {
		if line, err := os.ReadFile(p); err == nil && strings.Contains(string(line), s.dir) {
			s.t.Errorf("runs on: %s", strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	for _, address := range s.listens {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			s.t.Errorf("somebody listens on %s", address)
		}
	}
}

// TestSaysWhatToInstall where the programs are missing.
func TestSaysWhatToInstall(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, build(t), "--web.listen-address=127.0.0.1:0")
	command.Env = []string{"PATH=" + t.TempDir()}
	out, err := command.CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("ends with %v", err)
	}
	if want := "apt-get install --no-install-recommends prometheus prometheus-alertmanager\n"; !strings.HasSuffix(string(out), want) {
		t.Errorf("says %q", out)
	}
}
