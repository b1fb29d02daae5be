package image

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// confine makes a root read-only, one folder in it apart, and starts a program there as the image's
// user with no way to more rights. It replaces itself by the program.
const confine = `set -e
mount --bind "$1" "$1"
mount --bind "$2" "$1/state"
mount -o remount,bind,ro "$1"
root=$1; shift 2
exec setpriv --no-new-privs chroot --userspec=65532:65532 --groups= "$root" "$@"`

// TestProgramRunsAsTheImagesUserWithAReadOnlyRoot starts the binary in a root that holds what the
// last stage holds. There are no brokers: it has to be healthy, not ready, and to end when it is told.
func TestProgramRunsAsTheImagesUserWithAReadOnlyRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("left out: running as another user with a read-only root needs root")
	}
	p := start(t, layOut(t), "--kafka.brokers=127.0.0.1:1", "--poll.interval=1s", "--web.listen-address=127.0.0.1:0", "--state.file=/state/state")
	if status, _ := p.get(t, "/-/healthy"); status != http.StatusOK {
		t.Errorf("health: %d", status)
	}
	if status, _ := p.get(t, "/-/ready"); status != http.StatusServiceUnavailable {
		t.Errorf("ready without brokers: %d", status)
	}
	if _, page := p.get(t, "/metrics"); !regexp.MustCompile(`kafka_retention_build_info\{.*version="1.2.3"`).MatchString(page) {
		t.Error("/metrics does not tell the version that the image was built with")
	}
	p.checkConfined(t)
	p.stop(t)
}

// layOut makes the root of the last stage: the binary, and nothing that its user could write.
func layOut(t *testing.T) (folder string) {
	t.Helper()
	// Not below the test's own folder, which another user cannot enter.
	folder, err := os.MkdirTemp("", "image")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	for _, dir := range []string{"bin", "state"} {
		if err := os.Mkdir(filepath.Join(folder, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(compile(t, runtime.GOARCH))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, program), text, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

// confined is the program at work.
type confined struct {
	cmd  *exec.Cmd
	base string
	done chan struct{} // closed at the end of its log
}

func start(t *testing.T, folder string, args ...string) *confined {
	t.Helper()
	state := t.TempDir()
	if err := os.Chown(state, 65532, 65532); err != nil {
		t.Fatal(err)
	}
	p := &confined{done: make(chan struct{})}
	p.cmd = exec.Command("unshare", append([]string{"--mount", "sh", "-c", confine, "sh", folder, state, program}, args...)...)
	p.cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	log, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	var seen bytes.Buffer
	lines := bufio.NewScanner(io.TeeReader(log, &seen))
	for lines.Scan() {
		if address := regexp.MustCompile(`msg="Listening on" address=(\S+)`).FindStringSubmatch(lines.Text()); address != nil {
			p.base = "http://" + address[1]
			break
		}
	}
	if p.base == "" {
		t.Fatalf("the program does not listen:\n%s", seen.String())
	}
	go func() {
		defer close(p.done)
		_, _ = io.Copy(io.Discard, log)
	}()
	return p
}

func (p *confined) get(t *testing.T, path string) (status int, body string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// checkConfined asks the kernel who the program is, what it may do and how its root is mounted.
func (p *confined) checkConfined(t *testing.T) {
	t.Helper()
	folder := fmt.Sprintf("/proc/%d", p.cmd.Process.Pid)
	status, err := os.ReadFile(folder + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Uid": "65532 65532 65532 65532", "Gid": "65532 65532 65532 65532", "Groups": "", "NoNewPrivs": "1",
		"CapEff": "0000000000000000", "CapPrm": "0000000000000000",
	} {
		line := regexp.MustCompile(`(?m)^` + name + `:(.*)$`).FindSubmatch(status)
		if got := strings.Join(strings.Fields(string(line[1])), " "); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	mounts, err := os.ReadFile(folder + "/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^\S+ \S+ \S+ \S+ / ro,`).Match(mounts) || !regexp.MustCompile(`(?m)^\S+ \S+ \S+ \S+ /state rw,`).Match(mounts) {
		t.Errorf("mounts:\n%s", mounts)
	}
}

// stop ends the program as a container's engine does.
func (p *confined) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-p.done
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}
