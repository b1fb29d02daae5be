package replay_test

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kafka-retention-exporter/test/vectors/replay"
)

// good is two appends of which the second rolls, and a pass that takes the first segment at
// one millisecond more than retention.ms.
const good = `{"name":"good","kafka":"4.4.0","config":{"cleanup_policy":"delete","retention_ms":1000,"retention_bytes":-1,` +
	`"segment_bytes":150,"segment_ms":9000,"segment_jitter_ms":0,"timestamp_type":"CreateTime","index_interval_bytes":4096,"segment_index_bytes":10485760},` +
	`"steps":[{"op":"append","now":10,"base":0,"last":9,"bytes":100,"max_ts":5,"hw":8},` +
	`{"op":"append","now":900,"base":10,"last":11,"bytes":100,"max_ts":890,"hw":12},` +
	`{"op":"pass","now":1006,"deleted":1}],` +
	`"after":[{"start":0,"end":10,"hw":8,"segments":[[0,100,5]]},` +
	`{"start":0,"end":12,"hw":12,"segments":[[0,100,5],[10,100,890]]},` +
	`{"start":10,"end":12,"hw":12,"segments":[[10,100,890]]}]}`

func TestLineAcceptsWhatKafkaDid(t *testing.T) {
	counts, err := replay.Line([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if want := (replay.Counts{Logs: 1, Steps: 3, Passes: 1}); counts != want {
		t.Errorf("counts %+v, want %+v", counts, want)
	}
}

func TestLineNoticesEveryDifference(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"start", `"after":[{"start":0`, `"after":[{"start":1`, "vector good, step 0 append at 10: states differ"},
		{"end", `"end":10,`, `"end":11,`, "step 0 append at 10"},
		{"high watermark", `"hw":8,"segments"`, `"hw":9,"segments"`, "step 0 append at 10"},
		{"segment base", `[0,100,5],[10,`, `[0,100,5],[11,`, "step 1 append at 900"},
		{"segment bytes", `[[10,100,`, `[[10,101,`, "step 2 pass at 1006"},
		{"segment stamp", `[[10,100,890`, `[[10,100,891`, "step 2 pass at 1006"},
		{"segment missing", `[0,100,5],[10,100,890]`, `[10,100,890]`, "step 1 append at 900"},
		{"number deleted", `"deleted":1`, `"deleted":2`, "model deleted 1 segments, kafka 2"},
		{"pass too early", `"now":1006`, `"now":1005`, "model deleted 0 segments, kafka 1"},
		{"append below the end", `"base":10,`, `"base":9,`, "offsets out of order"},
		{"state missing", `{"start":0,"end":10,"hw":8,"segments":[[0,100,5]]},`, ``, "3 steps and 2 states"},
		{"unknown step", `"op":"pass"`, `"op":"past"`, `unknown step "past"`},
		{"unknown setting", `"segment_ms"`, `"segments_ms"`, "unknown field"},
		{"unknown policy", `"delete"`, `"keep"`, `unknown policy "keep"`},
		{"unknown stamp type", `"CreateTime"`, `"Created"`, `unknown stamp type "Created"`},
		{"no release", `"4.4.0"`, `"four"`, "parse Kafka release"},
		{"no JSON", `{"name"`, `"name"`, "decode vector"},
	} {
		t.Run(c.name, func(t *testing.T) {
			line := strings.Replace(good, c.old, c.new, 1)
			if line == good {
				t.Fatalf("%q is not in the vector", c.old)
			}
			if _, err := replay.Line([]byte(line)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestFileReadsPlainAndCompressedLines(t *testing.T) {
	folder := t.TempDir()
	bad := strings.Replace(good, `"deleted":1`, `"deleted":0`, 1)
	text := strings.Join([]string{good, bad, good, bad, good}, "\n") + "\n"
	write(t, filepath.Join(folder, "a.jsonl"), text, false)
	write(t, filepath.Join(folder, "b.jsonl.gz"), text, true)
	write(t, filepath.Join(folder, "notes.txt"), "no vector", false)
	files, err := replay.Files(folder)
	if want := []string{filepath.Join(folder, "a.jsonl"), filepath.Join(folder, "b.jsonl.gz")}; err != nil || !slices.Equal(files, want) {
		t.Fatalf("files %v (%v), want %v", files, err, want)
	}
	for _, file := range files {
		for _, c := range []struct {
			stopAt, differences int
			want                replay.Counts
		}{
			{3, 2, replay.Counts{Logs: 5, Steps: 13, Passes: 3}},
			{1, 1, replay.Counts{Logs: 2, Steps: 5, Passes: 1}},
		} {
			differences := 0
			counts, err := replay.File(file, func(error) bool { differences++; return differences < c.stopAt })
			if err != nil || counts != c.want || differences != c.differences {
				t.Errorf("%s up to difference %d: %+v, %d differences (%v), want %+v and %d", file, c.stopAt, counts, differences, err, c.want, c.differences)
			}
		}
	}
}

func write(t *testing.T, path, text string, compressed bool) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if compressed {
		zip := gzip.NewWriter(file)
		defer zip.Close()
		_, err = zip.Write([]byte(text))
	} else {
		_, err = file.WriteString(text)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestATruncatedFileIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut.jsonl.gz")
	write(t, path, strings.Repeat(good+"\n", 50), true)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-10], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := replay.File(path, func(error) bool { return true }); err == nil {
		t.Error("no error")
	}
	if _, err := replay.Files(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing folder is no error")
	}
}
