package mistakes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Mistake is one text of a file of package model that is replaced by a wrong one.
type Mistake struct {
	Rule string // of the broker, as the table groups them
	Name string // what the broker would do if the mistake were right
	File string // below model
	Old  string // stands in the file exactly once
	New  string
}

// Outcome is what the committed sample says to a mistake.
type Outcome struct {
	Mistake
	families []string // whose logs differ
	broke    string   // how the replay ended if not with differences: a panic or endless work
}

// Caught reports whether the sample noticed the mistake.
func (o Outcome) Caught() bool { return len(o.families) > 0 || o.broke != "" }

// NoticedBy lists the families of logs that differ.
func (o Outcome) NoticedBy() string {
	if o.broke != "" {
		return o.broke
	}
	return strings.Join(o.families, ", ")
}

// Plant makes one mistake and replays the sample, without touching the tree: the compiler is
// given an overlay. root is the root of the repository. It fails if the mistake does not fit the
// source any more or does not compile.
func Plant(ctx context.Context, root string, m Mistake) (Outcome, error) {
	folder, err := os.MkdirTemp("", "mistake-")
	if err != nil {
		return Outcome{}, fmt.Errorf("make a folder for a mistake: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	program, err := build(ctx, root, folder, m)
	if err != nil {
		return Outcome{}, fmt.Errorf("plant %q: %w", m.Name, err)
	}
	out, err := runSample(ctx, root, program)
	if err != nil {
		return Outcome{}, fmt.Errorf("replay with %q: %w", m.Name, err)
	}
	return read(m, out), nil
}

// build compiles the tests of package model with the mistake in it.
func build(ctx context.Context, root, folder string, m Mistake) (program string, err error) {
	source, err := filepath.Abs(filepath.Join(root, "model", m.File))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	if n := bytes.Count(text, []byte(m.Old)); n != 1 {
		return "", fmt.Errorf("%q stands %d times in model/%s, want once", m.Old, n, m.File)
	}
	wrong := filepath.Join(folder, m.File)
	if err := os.WriteFile(wrong, bytes.Replace(text, []byte(m.Old), []byte(m.New), 1), 0o644); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: wrong}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		return "", err
	}
	program = filepath.Join(folder, "model.test")
	compile := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", list, "-o", program, "./model")
	compile.Dir = root
	if out, err := compile.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compile: %w\n%s", err, out)
	}
	return program, nil
}

// runSample replays the committed sample, and nothing else: what the environment adds is left
// out. That it fails is what is hoped for and no error.
func runSample(ctx context.Context, root, program string) (output string, err error) {
	replay := exec.CommandContext(ctx, program, "-test.run=^TestVectors$", "-test.timeout=60s")
	replay.Dir = filepath.Join(root, "model")
	replay.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "RETENTION_VECTORS=") })
	out, err := replay.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && (!exited || ctx.Err() != nil) {
		return "", err
	}
	return string(out), nil
}

// read tells from a test's output what differed.
func read(m Mistake, output string) Outcome {
	o := Outcome{Mistake: m}
	for _, found := range regexp.MustCompile(`(?m)^\s+--- FAIL: TestVectors/([a-z]+)-`).FindAllStringSubmatch(output, -1) {
		o.families = append(o.families, found[1])
	}
	switch {
	case strings.Contains(output, "panic: test timed out"):
		o.broke = "does not end"
	case strings.Contains(output, "panic:"):
		o.broke = "panics"
	}
	return o
}
