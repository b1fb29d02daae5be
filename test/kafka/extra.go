package kafka

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// extraJars returns the folders of single jars that a broker needs beyond its own, each named as
// Maven names an artifact: group:artifact:version:jar[:classifier]. They come without what they
// depend on: a plug-in's test jar names libraries that the broker has or does not use.
func extraJars(ctx context.Context, names []string) (dirs []string, err error) {
	for _, name := range names {
		dir, err := extraJar(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("resolve %s: %w", name, err)
		}
		dirs = append(dirs, dir)
	}
	return dirs, nil
}

// extraJar lets Maven fetch one jar the first time; like jars, it waits for other test binaries
// and lets the folder appear by a rename.
func extraJar(ctx context.Context, name string) (dir string, err error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	cache = filepath.Join(cache, "extra")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	dir = filepath.Join(cache, strings.ReplaceAll(name, ":", "_"))
	unlock, err := lockFile(ctx, dir+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	tmp, err := os.MkdirTemp(cache, "partial-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(tmp) }() // gone already after the rename
	if err := copyArtifact(ctx, name, tmp); err != nil {
		return "", err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return "", err
	}
	return dir, os.Rename(tmp, dir)
}

// copyArtifact runs Maven with the pom that pins the plugin's version.
func copyArtifact(ctx context.Context, name, dir string) error {
	file := filepath.Join(dir, "pom.xml")
	if err := os.WriteFile(file, pom, 0o644); err != nil {
		return err
	}
	mvn := exec.CommandContext(ctx, "mvn", "-q", "-B", "-f", file, "dependency:copy", "-Dartifact="+name, "-DoutputDirectory="+dir)
	if out, err := mvn.CombinedOutput(); err != nil {
		return fmt.Errorf("run mvn dependency:copy: %w\n%s", err, bytes.TrimSpace(out))
	}
	return nil
}
