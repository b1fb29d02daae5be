package kafka

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// process is a started program that cannot outlive the test binary: it leads a process group of its
// own, which is killed as a whole, and the kernel kills it should the test binary die (where that
// exists: procattr_linux.go).
type process struct {
	pid  int
	done chan struct{} // closed when it has ended
	err  error         // why it ended; to be read after done
}

// startProcess runs a command with its output appended to a file. The goroutine that starts it keeps its
// thread until the program ends: the parent-death signal is bound to the thread, not to the process.
func startProcess(cmd *exec.Cmd, logFile string) (*process, error) {
	out, err := os.OpenFile(logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open console log: %w", err)
	}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = procAttr()
	p := &process{done: make(chan struct{})}
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

// running tells whether the program has not ended yet.
func (p *process) running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// signal sends a signal to the process group; a program that has ended gets none.
func (p *process) signal(sig syscall.Signal) error {
	if !p.running() {
		return os.ErrProcessDone
	}
	return syscall.Kill(-p.pid, sig)
}

// stop asks the program to end, gives it the time for that, then kills it, and returns when it is gone.
func (p *process) stop(patience time.Duration) {
	_ = p.signal(syscall.SIGCONT) // a stopped process would keep SIGTERM pending
	_ = p.signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(patience):
		p.kill()
	}
}

// kill ends the program at once and returns when it is gone.
func (p *process) kill() {
	_ = p.signal(syscall.SIGKILL)
	<-p.done
}
