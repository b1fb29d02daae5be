package replay

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Files lists the vector files of a folder, *.jsonl and *.jsonl.gz, by name.
func Files(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("list vector files: %w", err)
	}
	var files []string
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.gz") {
			files = append(files, filepath.Join(folder, name))
		}
	}
	return files, nil
}

// longestLine bounds one vector; the longest seen have a few hundred kilobytes.
const longestLine = 64 << 20

// File replays the vectors of a file. Each difference is handed to differs, which returns false
// to stop there. The error is about reading the file only.
func File(path string, differs func(error) (goOn bool)) (Counts, error) {
	var counts Counts
	file, err := os.Open(path)
	if err != nil {
		return counts, fmt.Errorf("open vectors: %w", err)
	}
	defer func() { _ = file.Close() }()
	var text io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		if text, err = gzip.NewReader(file); err != nil {
			return counts, fmt.Errorf("read vectors %s: %w", path, err)
		}
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		got, err := Line(lines.Bytes())
		counts.Add(got)
		if err != nil && !differs(err) {
			return counts, nil
		}
	}
	if err := lines.Err(); err != nil {
		return counts, fmt.Errorf("read vectors %s: %w", path, err)
	}
	return counts, nil
}
