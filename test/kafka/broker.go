package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"kafka-retention-exporter/test/process"
)

// stopPatience is how long a broker may take to end on SIGTERM. In a set of three the last one may
// wait for a quorum that is gone, so it has to be bounded.
const stopPatience = 10 * time.Second

// clusterID is what StorageTool formats every log directory with: any 16 bytes in base 64.
const clusterID = "a3JlLXRlc3QtY2x1c3Rlcg"

// Broker is one Kafka broker of a Cluster: a Java process, its folder and its console log. Its methods may be
// called at any time from any goroutine.
type Broker struct {
	id    int
	port  int
	dir   string
	java  []string // arguments before the main class
	mu    sync.Mutex
	proc  *process.Process // nil before the first start
	ready func(context.Context, *Broker) error
}

// ID is node.id, counted from 1.
func (b *Broker) ID() int32 { return int32(b.id) }

// Address is its client listener, host:port.
func (b *Broker) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(b.port)) }

// LogDir is its log.dirs, one folder with a subfolder a partition.
func (b *Broker) LogDir() string { return filepath.Join(b.dir, "data") }

// Log is all it has written to its console since the test began, all starts together.
func (b *Broker) Log() string {
	text, err := os.ReadFile(b.console())
	if err != nil {
		return fmt.Sprintf("(no console log: %v)", err)
	}
	return string(text)
}

// Running tells whether its process exists; a paused broker is running.
func (b *Broker) Running() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.proc != nil && b.proc.Running()
}

// Start runs the broker and waits until it is registered and answers. A running one stays as it is.
func (b *Broker) Start(ctx context.Context) error {
	if err := b.launch(); err != nil {
		return err
	}
	return b.ready(ctx, b)
}

// Stop ends it as an operator would: SIGTERM, and SIGKILL if it is not gone after ten seconds.
func (b *Broker) Stop() {
	if p := b.started(); p != nil {
		p.Stop(stopPatience)
	}
}

// Kill ends it without warning, as a power cut would for the process (not for the disk).
func (b *Broker) Kill() {
	if p := b.started(); p != nil {
		p.Kill()
	}
}

// Pause freezes it (SIGSTOP): its connections stay open and nothing is answered.
func (b *Broker) Pause() error { return b.signal("pause", syscall.SIGSTOP) }

// Resume lets a paused broker go on.
func (b *Broker) Resume() error { return b.signal("resume", syscall.SIGCONT) }

func (b *Broker) signal(verb string, sig syscall.Signal) error {
	p := b.started()
	if p == nil {
		return fmt.Errorf("%s broker %d: never started", verb, b.id)
	}
	if err := p.Signal(sig); err != nil {
		return fmt.Errorf("%s broker %d: %w", verb, b.id, err)
	}
	return nil
}

func (b *Broker) started() *process.Process {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.proc
}

// launch starts the process if it does not run, and waits for nothing.
func (b *Broker) launch() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.proc != nil && b.proc.Running() {
		return nil
	}
	p, err := process.Start(b.command("kafka.Kafka", b.properties()), b.console())
	if err != nil {
		return fmt.Errorf("start broker %d: %w", b.id, err)
	}
	b.proc = p
	return nil
}

// format writes the meta data a log directory needs before the first start.
func (b *Broker) format() error {
	p, err := process.Start(b.command("kafka.tools.StorageTool", "format", "-t", clusterID, "-c", b.properties()), b.console())
	if err != nil {
		return fmt.Errorf("format broker %d: %w", b.id, err)
	}
	select {
	case <-p.Done():
	case <-time.After(time.Minute):
		p.Kill()
	}
	if p.Err() != nil {
		return fmt.Errorf("format broker %d: %w\n%s", b.id, p.Err(), b.tail(20))
	}
	return nil
}

func (b *Broker) command(main string, args ...string) *exec.Cmd {
	cmd := exec.Command("java", append(append([]string{}, b.java...), append([]string{main}, args...)...)...)
	cmd.Dir = b.dir
	return cmd
}

func (b *Broker) properties() string { return filepath.Join(b.dir, "server.properties") }
func (b *Broker) console() string    { return filepath.Join(b.dir, "console.log") }

// exited is the reason for waiting no longer: the process has ended by itself.
func (b *Broker) exited() error {
	if p := b.started(); p == nil || p.Running() {
		return nil
	}
	return errors.New("broker " + strconv.Itoa(b.id) + " has ended; its console:\n" + b.tail(30))
}

// tail is the end of the console log, in lines.
func (b *Broker) tail(lines int) string {
	all := strings.Split(strings.TrimRight(b.Log(), "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
