package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// FuzzConfiguration reads any text as a configuration file: it is refused with a reason or gives
// settings that each part accepts or refuses with a reason, and nothing else happens.
func FuzzConfiguration(f *testing.F) {
	files, err := filepath.Glob("testdata/*.yml")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "config.yml")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s, done, err := load([]string{"--config.file=" + path}, io.Discard)
		if err != nil || done {
			return
		}
		if _, err := s.wire(func(string) (string, bool) { return "", false }); err == nil && len(s.brokers) == 0 {
			t.Error("accepted without a broker")
		}
	})
}
