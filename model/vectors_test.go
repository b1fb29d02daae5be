package model_test

import (
	"os"
	"path/filepath"
	"testing"

	"kafka-retention-exporter/test/vectors/replay"
)

// TestVectors replays every log that was recorded from Kafka's own class and compares every
// state: the committed sample, and the folder that RETENTION_VECTORS names if it is set.
func TestVectors(t *testing.T) {
	files := vectorFiles(t, filepath.Join("testdata", "vectors"))
	if folder := os.Getenv("RETENTION_VECTORS"); folder != "" {
		files = append(files, vectorFiles(t, folder)...)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { replayFile(t, file) })
	}
}

// vectorFiles lists the vector files of a folder, which must hold some.
func vectorFiles(t *testing.T, folder string) []string {
	t.Helper()
	files, err := replay.Files(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("%s holds no *.jsonl or *.jsonl.gz", folder)
	}
	return files
}

// replayFile replays all logs of a file up to the third that differs.
func replayFile(t *testing.T, file string) {
	t.Helper()
	failed := 0
	counts, err := replay.File(file, func(difference error) bool {
		t.Error(difference)
		failed++
		return failed < 3
	})
	if err != nil {
		t.Fatal(err)
	}
	if counts.Passes == 0 {
		t.Error("no pass in the file")
	}
	t.Logf("%d logs, %d steps, %d passes", counts.Logs, counts.Steps, counts.Passes)
}
