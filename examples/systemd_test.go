package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coreos/go-systemd/v22/unit"
)

const unitFile = "systemd/kafka-retention-exporter.service"

// options reads the unit file, by section and name joined with a dot.
func options(t *testing.T) map[string][]string {
	t.Helper()
	file, err := os.Open(unitFile)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	list, err := unit.DeserializeOptions(file)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, o := range list {
		all[o.Section+"."+o.Name] = append(all[o.Section+"."+o.Name], o.Value)
	}
	return all
}

func TestServiceIsConfined(t *testing.T) {
	have := options(t)
	for name, want := range map[string]string{
		"DynamicUser": "yes", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "CapabilityBoundingSet": "", "PrivateDevices": "yes",
		"MemoryDenyWriteExecute": "yes", "StateDirectory": "kafka-retention-exporter", "Restart": "on-failure",
	} {
		if got := have["Service."+name]; !slices.Equal(got, []string{want}) {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := have["Install.WantedBy"]; !slices.Equal(got, []string{"multi-user.target"}) {
		t.Errorf("wanted by %q", got)
	}
}

// command is what the unit starts, with the paths of this computer.
func command(t *testing.T) []string {
	t.Helper()
	start := options(t)["Service.ExecStart"]
	if len(start) != 1 {
		t.Fatalf("starts %q", start)
	}
	return strings.Fields(strings.NewReplacer("${STATE_DIRECTORY}", t.TempDir(), "/etc/kafka-retention-exporter/", "systemd/").Replace(start[0]))
}

// TestSystemdAcceptsTheService lets systemd itself read the unit, with a program that is there in
// the place of ours: it says what it does not know and how exposed the service is, 0 being not at all.
func TestSystemdAcceptsTheService(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("left out: systemd's own check needs systemd-analyze, Debian package systemd")
	}
	text, err := os.ReadFile(unitFile)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(unitFile))
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), command(t)[0], "/bin/true", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", path).CombinedOutput()
	if complaint := regexp.MustCompile(`(?m)^.*` + regexp.QuoteMeta(filepath.Base(unitFile)) + `.*$`).Find(out); complaint != nil || err != nil {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
	out, err = exec.CommandContext(t.Context(), analyze, "security", "--no-pager", "--offline=true", "--threshold=20", path).CombinedOutput()
	if err != nil {
		t.Errorf("systemd-analyze security: %v\n%s", err, out)
	}
}
