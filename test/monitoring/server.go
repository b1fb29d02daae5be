package monitoring

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/test/process"
)

const (
	startPatience = 60 * time.Second // a loaded machine included
	stopPatience  = 10 * time.Second
)

// Server is a running Prometheus or Alertmanager.
type Server struct {
	URL     string
	name    string
	console string
	proc    *process.Process
}

// Missing names the Debian packages that would bring the programs which are not there.
func Missing() (packages []string) {
	for _, name := range []string{"prometheus", "prometheus-alertmanager"} {
		if _, err := exec.LookPath(name); err != nil {
			packages = append(packages, name)
		}
	}
	return packages
}

// StartPrometheus runs prometheus with a configuration and returns when it answers. It keeps
// everything in dir, where relative paths of the configuration start.
func StartPrometheus(ctx context.Context, dir, listen, config string) (*Server, error) {
	return start(ctx, "prometheus", dir, listen, config, "--storage.tsdb.path="+filepath.Join(dir, "prometheus"))
}

// StartAlertmanager is the same with prometheus-alertmanager. The message template of the example
// is beside the configuration.
func StartAlertmanager(ctx context.Context, dir, listen, config string) (*Server, error) {
	if err := write(dir, "alertmanager.example.tmpl", alerts.ExampleTemplate); err != nil {
		return nil, err
	}
	return start(ctx, "prometheus-alertmanager", dir, listen, config,
		"--storage.path="+filepath.Join(dir, "prometheus-alertmanager"), "--cluster.listen-address=")
}

func start(ctx context.Context, name, dir, listen, config string, flags ...string) (*Server, error) {
	binary, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%s is missing: apt-get install --no-install-recommends %[1]s (%w)", name, err)
	}
	if err := write(dir, name+".yml", config); err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + listen, name: name, console: filepath.Join(dir, name+".log")}
	args := append([]string{"--config.file=" + filepath.Join(dir, name+".yml"), "--web.listen-address=" + listen, "--log.level=warn"}, flags...)
	if s.proc, err = process.Start(exec.Command(binary, args...), s.console); err != nil {
		return nil, err
	}
	if err := s.await(ctx); err != nil {
		s.Stop()
		return nil, fmt.Errorf("%w; its console:\n%s", err, s.Console())
	}
	return s, nil
}

// await polls until the server is ready. One that ends before is not waited for.
func (s *Server) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startPatience, fmt.Errorf("%s is not ready after %v", s.name, startPatience))
	defer cancel()
	for !s.ready(ctx) {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-s.Done():
			return fmt.Errorf("%s has ended: %w", s.name, s.proc.Err())
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (s *Server) ready(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/-/ready", nil)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// Done is closed when the server has ended, by Stop or by itself.
func (s *Server) Done() <-chan struct{} { return s.proc.Done() }

// Stop ends the server and returns when it is gone.
func (s *Server) Stop() { s.proc.Stop(stopPatience) }

// Console is what the server has written there: warnings and errors.
func (s *Server) Console() string {
	text, err := os.ReadFile(s.console)
	if err != nil {
		return fmt.Sprintf("(no console: %v)", err)
	}
	return strings.TrimSpace(string(text))
}

func write(dir, name, text string) error {
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		return fmt.Errorf("write configuration: %w", err)
	}
	return nil
}
