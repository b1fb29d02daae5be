package page

import (
	"bufio"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPictureOfTheStack takes the picture of Prometheus that README shows. That the stack works is
// tested where it is, in examples/stack, so this runs only for the picture.
func TestPictureOfTheStack(t *testing.T) {
	if !*update {
		t.Skip("left out: the picture of examples/stack, a minute. To take it: go test -run Stack -update")
	}
	b := openTab(t)
	b.size(1280, 1000)
	// Debian's package has its pages under /classic.
	b.open(paged(t) + "/classic/graph?" + url.Values{
		"g0.expr": {`sum by (consumergroup, alertname, severity) (ALERTS{alertstate="firing", consumergroup!=""})`}, "g0.tab": {"1"},
		"g1.expr": {`pair:kafka_retention_group_time_to_loss_seconds:min < Inf`}, "g1.tab": {"0"}, "g1.range_input": {"1m"}, "g1.step_input": {"1"},
	}.Encode())
	b.await(`document.querySelectorAll("svg path").length > 0 && document.body.innerText.includes("KafkaRetentionLossCertain")`)
	write(t, "../../examples/stack/prometheus.png", b.picture(true))
}

// paged starts the stack and returns the address of its Prometheus once somebody was paged.
func paged(t *testing.T) (prometheus string) {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "stack")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "kafka-retention-exporter/examples/stack")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v: %s", err, out)
	}
	const listen = "127.0.0.1:10090"
	stack := exec.Command(binary, "--prometheus="+listen)
	out, err := stack.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := stack.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stack.Process.Signal(os.Interrupt)
		_ = stack.Wait()
	})
	late := time.AfterFunc(3*time.Minute, func() { _ = stack.Process.Signal(os.Interrupt) })
	defer late.Stop()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(lines.Text(), "[page]") {
			return "http://" + listen
		}
	}
	t.Fatal("nobody was paged")
	return ""
}
