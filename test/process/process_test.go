package process

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// orphanage makes this test binary, run again, start a program and wait to be killed.
const orphanage = "KRE_TEST_ORPHANAGE"

func TestProgramDiesWithTheTestBinary(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("left out: only Linux kills the programs of a killed test binary")
	}
	if file := os.Getenv(orphanage); file != "" {
		p, err := Start(exec.Command("sleep", "60"), file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("pid %d\n", p.pid)
		<-p.done
		return
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestProgramDiesWithTheTestBinary$")
	parent.Env = append(os.Environ(), orphanage+"="+filepath.Join(t.TempDir(), "log"))
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	pid, atoi := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "pid ")))
	_ = parent.Process.Kill()
	_ = parent.Wait()
	if err != nil || atoi != nil {
		t.Fatalf("read the program's pid from %q: %v, %v", line, err, atoi)
	}
	for end := time.Now().Add(10 * time.Second); alive(pid); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("program %d lives 10 s after its test binary", pid)
		}
	}
}

// alive tells whether a process runs; one that waits to be reaped does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func TestStopKillsWhatIgnoresIt(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	p, err := Start(exec.Command("sh", "-c", `trap "" TERM; echo up; while :; do sleep 0.1; done`), log)
	if err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(string(must(os.ReadFile(log))), "up") && p.Running() {
		time.Sleep(10 * time.Millisecond)
	}
	p.Stop(100 * time.Millisecond)
	if p.Running() {
		t.Error("it runs after stop")
	}
	if err := p.Signal(syscall.SIGCONT); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("signal after the end: %v", err)
	}
}

func TestStopWakesWhatIsPaused(t *testing.T) {
	p, err := Start(exec.Command("sleep", "60"), filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	p.Stop(time.Minute)
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("stop took %v: SIGTERM was never delivered", took)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
