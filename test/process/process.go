// Package process runs the programs that tests and examples need beside them. None outlives who
// started it: each leads a process group of its own, which is ended as a whole, and the kernel kills
// it should its starter die (where that exists: procattr_linux.go).
package process

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Process is a started program.
type Process struct {
	pid  int
	done chan struct{} // closed when it has ended
	err  error         // why it ended; to be read after done
}

// Start runs a command with its output appended to a file. The goroutine that starts it keeps its
// thread until the program ends: the parent-death signal is bound to the thread, not to the process.
func Start(cmd *exec.Cmd, logFile string) (*Process, error) {
	out, err := os.OpenFile(logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open console log: %w", err)
	}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = procAttr()
	p := &Process{done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer func() { _ = out.Close() }()
		err := cmd.Start()
		if err == nil {
			p.pid = cmd.Process.Pid
		}
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return p, nil
}

// PID is its process id.
func (p *Process) PID() int { return p.pid }

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err is why it ended; nil is success. It is to be asked after Done.
func (p *Process) Err() error { return p.err }

// Running tells whether the program has not ended yet.
func (p *Process) Running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// Signal sends a signal to the process group; a program that has ended gets none.
func (p *Process) Signal(sig syscall.Signal) error {
	if !p.Running() {
		return os.ErrProcessDone
	}
	return syscall.Kill(-p.pid, sig)
}

// Stop asks the program to end, gives it the time for that, then kills it, and returns when it is gone.
func (p *Process) Stop(patience time.Duration) {
	_ = p.Signal(syscall.SIGCONT) // a stopped process would keep SIGTERM pending
	_ = p.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(patience):
		p.Kill()
	}
}

// Kill ends the program at once and returns when it is gone.
func (p *Process) Kill() {
	_ = p.Signal(syscall.SIGKILL)
	<-p.done
}
