package image

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

const root = "../.."

// stages parses the Dockerfile. What the parser warns of is an error too.
func stages(t *testing.T) (build, final instructions.Stage) {
	t.Helper()
	file, err := os.Open(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	parsed, err := parser.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range parsed.Warnings {
		t.Errorf("the parser warns: %s", w.Short)
	}
	all, _, err := instructions.Parse(parsed.AST, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 {
		t.Fatalf("%d stages, want 2", len(all))
	}
	return all[0], all[1]
}

// of gives the instructions of one kind.
func of[T instructions.Command](s instructions.Stage) (all []T) {
	for _, c := range s.Commands {
		if one, ok := c.(T); ok {
			all = append(all, one)
		}
	}
	return all
}

func TestBuildStageCompilesOnItsOwnArchitecture(t *testing.T) {
	build, _ := stages(t)
	if build.Platform != "$BUILDPLATFORM" {
		t.Errorf("the compiler's platform is %q", build.Platform)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	minor := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(text)[1]
	if pinned := regexp.MustCompile(`^golang:` + regexp.QuoteMeta(string(minor)) + `\.\d+$`); !pinned.MatchString(build.BaseName) {
		t.Errorf("compiler %s is not a release of the Go %s that go.mod asks for", build.BaseName, minor)
	}
}

func TestFinalStageHoldsTheProgramAndRunsItConfined(t *testing.T) {
	_, final := stages(t)
	if !regexp.MustCompile(`^gcr\.io/distroless/static[\w-]*:nonroot$`).MatchString(final.BaseName) {
		t.Errorf("base %s", final.BaseName)
	}
	if n := len(of[*instructions.RunCommand](final)); n != 0 {
		t.Errorf("%d commands to run, and there is no shell", n)
	}
	if users := of[*instructions.UserCommand](final); len(users) != 1 || users[0].User != "65532:65532" {
		t.Errorf("users %+v", users)
	}
	if ports := of[*instructions.ExposeCommand](final); len(ports) != 1 || !slices.Equal(ports[0].Ports, []string{"10059"}) {
		t.Errorf("ports %+v", ports)
	}
	entry := of[*instructions.EntrypointCommand](final)
	if len(entry) != 1 || entry[0].PrependShell || !slices.Equal(entry[0].CmdLine, []string{program}) {
		t.Errorf("entry point %+v", entry)
	}
	var copies []string
	for _, c := range of[*instructions.CopyCommand](final) {
		copies = append(copies, c.From+":"+strings.Join(c.SourcePaths, ",")+" "+c.DestPath)
	}
	if want := []string{":LICENSE /LICENSE", "build:" + built + " " + program}; !slices.Equal(copies, want) {
		t.Errorf("copies %q, want %q", copies, want)
	}
}

func TestLabelsAreOCIs(t *testing.T) {
	_, final := stages(t)
	labels := map[string]string{}
	for _, l := range of[*instructions.LabelCommand](final) {
		for _, pair := range l.Labels {
			labels[strings.TrimPrefix(pair.Key, "org.opencontainers.image.")] = strings.Trim(pair.Value, `"`)
		}
	}
	for name, want := range map[string]string{
		"title": "kafka-retention-exporter", "licenses": "Apache-2.0", "version": "${VERSION}", "revision": "${REVISION}",
		"base.name": final.BaseName,
	} {
		if labels[name] != want {
			t.Errorf("label %s is %q, want %q", name, labels[name], want)
		}
	}
	names := slices.Sorted(maps.Keys(labels))
	if want := []string{"base.name", "description", "documentation", "licenses", "revision", "source", "title", "version"}; !slices.Equal(names, want) {
		t.Errorf("labels %v, want %v", names, want)
	}
}

// TestContextLeavesOutWhatChanges: with .git and the tools' cache in it, no two checkouts would
// give the build stage the same files.
func TestContextLeavesOutWhatChanges(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{".git", ".cache"} {
		if !slices.Contains(strings.Fields(string(text)), path) {
			t.Errorf("%s is part of the build", path)
		}
	}
}
