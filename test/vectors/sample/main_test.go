package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheCommittedSampleDoesNotDiffer(t *testing.T) {
	var out strings.Builder
	if differs, err := run("../../../model/testdata/vectors", &out); differs || err != nil {
		t.Errorf("%t, %v: %s", differs, err, out.String())
	}
}

func TestAFileThatDiffersIsNamedOnce(t *testing.T) {
	folder := t.TempDir()
	const noVector = "{\"name\":\"cut\",\"kafka\":\"4.4.0\",\"steps\":[],\"after\":[]}\n"
	if err := os.WriteFile(filepath.Join(folder, "time-1.jsonl"), []byte(noVector+noVector), 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if differs, err := run(folder, &out); !differs || err != nil || out.String() != "time-1.jsonl\n" {
		t.Errorf("%t, %v: %q", differs, err, out.String())
	}
}

func TestAFolderWithoutVectorsIsAnError(t *testing.T) {
	if _, err := run(t.TempDir(), new(strings.Builder)); err == nil {
		t.Error("no error")
	}
}
