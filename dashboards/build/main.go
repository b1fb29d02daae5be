package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := write(".."); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// write puts every dashboard into a folder.
func write(dir string) error {
	files, err := files()
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return fmt.Errorf("write dashboard: %w", err)
		}
	}
	return nil
}

// files are the dashboards as JSON by file name.
func files() (map[string][]byte, error) {
	out := map[string][]byte{}
	for name, make := range map[string]func() (classic, error){
		"retention-overview.json":  overview,
		"group-and-partition.json": groupAndPartition,
		"exporter-health.json":     exporterHealth,
	} {
		made, err := make()
		if err != nil {
			return nil, fmt.Errorf("build %s: %w", name, err)
		}
		if out[name], err = text(made); err != nil {
			return nil, fmt.Errorf("encode %s: %w", name, err)
		}
	}
	return out, nil
}

// text is JSON as people read it: indented, with < and > as they are.
func text(d classic) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(d)
	return out.Bytes(), err
}
