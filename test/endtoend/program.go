package endtoend

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kafka-retention-exporter/test/invariants"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/locked"
)

// Program is a running exporter.
type Program struct {
	t     testing.TB
	base  string
	check *invariants.Checker
	log   *locked.Buffer
	cmd   *exec.Cmd
	dead  bool // by Kill
}

// Start builds the program and runs it against the given brokers, polling every second, until
// the test ends. Further flags are added to these.
func Start(t testing.TB, brokers []string, flags ...string) *Program {
	t.Helper()
	return Run(t, Build(t), brokers, nil, flags...)
}

// Run is Start with a binary that is there already, and with variables (NAME=value) added to its
// environment.
func Run(t testing.TB, binary string, brokers, environment []string, flags ...string) *Program {
	t.Helper()
	listen := fmt.Sprintf("127.0.0.1:%d", kafkatest.FreePort(t))
	p := &Program{t: t, base: "http://" + listen, check: invariants.New(), log: &locked.Buffer{}}
	args := append([]string{
		"--kafka.brokers=" + strings.Join(brokers, ","), "--poll.interval=1s", "--web.listen-address=" + listen,
	}, flags...)
	cmd := exec.Command(binary, args...)
	cmd.Env = append(cmd.Environ(), environment...)
	cmd.Stdout, cmd.Stderr = p.log, p.log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start the program: %v", err)
	}
	p.cmd = cmd
	t.Cleanup(p.stop)
	return p
}

// Kill ends the program at once, as a node that dies does.
func (p *Program) Kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // with the error that it was killed
	p.dead = true
}

// PID is the process that runs the program.
func (p *Program) PID() int { return p.cmd.Process.Pid }

// ProcessorTime is what the program took in all; it must have been killed.
func (p *Program) ProcessorTime() time.Duration {
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// Build makes the program's binary, which is gone with the test.
func Build(t testing.TB) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "kafka-retention-exporter")
	cmd := exec.Command("go", "build", "-o", binary, "kafka-retention-exporter")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return binary
}

// stop ends the program as an operator does and expects it to go within five seconds.
func (p *Program) stop() {
	if p.dead {
		return
	}
	cmd := p.cmd
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	_ = cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-done:
		if err != nil {
			p.t.Errorf("the program ended with %v", err)
		}
	case <-time.After(15 * time.Second):
		_ = cmd.Process.Kill()
		p.t.Error("the program did not end on SIGTERM")
	}
	if p.t.Failed() {
		p.t.Logf("the program's log:\n%s", p.log.Tail(4000))
	}
}

// Get reads a page. ok is false while nobody answers, and for all answers but 200.
func (p *Program) Get(path string) (body []byte, ok bool) {
	body, status := p.Fetch(path)
	return body, status == http.StatusOK
}

// Status is the HTTP status of a page, 0 while nobody answers.
func (p *Program) Status(path string) int {
	_, status := p.Fetch(path)
	return status
}

// Fetch reads a page whatever its HTTP status is, 0 while nobody answers.
func (p *Program) Fetch(path string) (body []byte, status int) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, 0
	}
	defer func() { _ = res.Body.Close() }()
	if body, err = io.ReadAll(res.Body); err != nil {
		return nil, 0
	}
	return body, res.StatusCode
}

// Log is what the program has written so far.
func (p *Program) Log() string { return p.log.String() }
