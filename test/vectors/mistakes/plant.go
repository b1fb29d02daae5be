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
	"strings"
	"time"
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
	outcome, err := runSample(ctx, root, program)
	if err != nil {
		return Outcome{}, fmt.Errorf("replay with %q: %w", m.Name, err)
	}
	outcome.Mistake = m
	return outcome, nil
}

// build compiles the replay of the sample with the mistake in it.
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
	program = filepath.Join(folder, "sample")
	compile := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-overlay", list, "-o", program, "./test/vectors/sample")
	compile.Dir = root
	if out, err := compile.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compile: %w\n%s", err, out)
	}
	return program, nil
}

// longest is how long a replay may take: it needs a tenth of a second on an idle machine, and a
// mistake can keep it from ending.
const longest = 2 * time.Minute

// runSample replays the committed sample. That logs differ is what is hoped for and no error.
func runSample(ctx context.Context, root, program string) (Outcome, error) {
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	replay := exec.CommandContext(limited, program, filepath.Join(root, "model", "testdata", "vectors"))
	var said bytes.Buffer
	replay.Stderr = &said
	out, err := replay.Output()
	exit, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return Outcome{}, nil
	case ctx.Err() != nil:
		return Outcome{}, ctx.Err()
	case limited.Err() != nil:
		return Outcome{broke: "does not end"}, nil
	case exited && exit.ExitCode() == 1:
		return Outcome{families: families(string(out))}, nil
	case exited && bytes.Contains(said.Bytes(), []byte("panic: ")):
		return Outcome{broke: "panics"}, nil
	}
	return Outcome{}, fmt.Errorf("%w\n%s", err, said.Bytes())
}

// families takes them from the names of files, like "time" from "time-2026.jsonl.gz".
func families(files string) []string {
	var all []string
	for file := range strings.FieldsSeq(files) {
		family, _, _ := strings.Cut(file, "-")
		all = append(all, family)
	}
	return all
}
