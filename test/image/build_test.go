package image

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
)

const (
	built   = "/out/kafka-retention-exporter" // by the build stage
	program = "/bin/kafka-retention-exporter" // in the last
)

// TestSameSourcesGiveTheSameStaticBinary builds twice for each architecture, in different folders.
func TestSameSourcesGiveTheSameStaticBinary(t *testing.T) {
	for arch, machine := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		t.Run(arch, func(t *testing.T) {
			first, second := compile(t, arch), compile(t, arch)
			one, err := os.ReadFile(first)
			if err != nil {
				t.Fatal(err)
			}
			two, err := os.ReadFile(second)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(one, two) {
				t.Errorf("two builds differ: %d and %d bytes", len(one), len(two))
			}
			checkStatic(t, first, machine)
			checkInfo(t, first, arch)
		})
	}
}

// compile runs the commands of the build stage on a copy of what the repository holds.
func compile(t *testing.T, arch string) (binary string) {
	t.Helper()
	sources, out := t.TempDir(), t.TempDir()
	copySources(t, sources)
	stage, _ := stages(t)
	arguments := map[string]string{"VERSION": "1.2.3", "REVISION": "abc", "TARGETOS": "linux", "TARGETARCH": arch}
	environment := os.Environ()
	for _, command := range of[*instructions.ArgCommand](stage) {
		for _, a := range command.Args {
			environment = append(environment, a.Key+"="+arguments[a.Key])
			delete(arguments, a.Key)
		}
	}
	if len(arguments) > 0 {
		t.Errorf("the stage takes no %v", arguments)
	}
	for _, run := range of[*instructions.RunCommand](stage) {
		line := strings.ReplaceAll(strings.Join(run.CmdLine, " "), filepath.Dir(built)+"/", out+"/")
		cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
		cmd.Dir, cmd.Env = sources, environment
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, text)
		}
	}
	return filepath.Join(out, filepath.Base(built))
}

// copySources copies what git knows or would add, which is what COPY takes.
func copySources(t *testing.T, to string) {
	t.Helper()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Fatalf("list the sources: %v", err)
	}
	for name := range strings.SplitSeq(strings.Trim(string(names), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // deleted, not yet committed; or a link to a folder
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkStatic reads from the file itself that it needs neither a loader nor libraries: the base
// image has none.
func checkStatic(t *testing.T, path string, machine elf.Machine) {
	t.Helper()
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if file.Machine != machine {
		t.Errorf("built for %v", file.Machine)
	}
	for _, p := range file.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("not static: the file has a %v", p.Type)
		}
	}
}

func checkInfo(t *testing.T, path, arch string) {
	t.Helper()
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var settings []string
	for _, s := range info.Settings {
		settings = append(settings, s.Key+"="+s.Value)
		if strings.HasPrefix(s.Key, "vcs") {
			t.Errorf("the binary depends on the checkout: %s", s.Key)
		}
	}
	for _, want := range []string{"-trimpath=true", "CGO_ENABLED=0", "GOOS=linux", "GOARCH=" + arch} {
		if !slices.Contains(settings, want) {
			t.Errorf("built without %s: %v", want, settings)
		}
	}
}
