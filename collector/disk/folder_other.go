//go:build !linux

package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kafka-retention-exporter/model"
)

// handle is a file of package os. Brokers run on Linux; elsewhere it may cost more.
type handle struct{ f *os.File }

func openFolder(path string) (handle, error) {
	opened, err := os.Open(path)
	return handle{opened}, err
}

func openIn(f *folder, name string) (handle, error) { return openFolder(filepath.Join(f.path, name)) }

func (h handle) names(before []string, _ []byte) ([]string, error) {
	found, err := h.f.Readdirnames(-1)
	return append(before, found...), err
}

// readAt is as a call of the system: less than asked for, and no error, at a file's end.
func (h handle) readAt(p []byte, at int64) (int, error) {
	n, err := h.f.ReadAt(p, at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (h handle) look() (look, error) {
	info, err := h.f.Stat()
	if err != nil {
		return look{}, err
	}
	return lookOf(info), nil
}

func lookOf(info fs.FileInfo) look { return look{info.Size(), model.InstantOf(info.ModTime())} }

func (h handle) close() { _ = h.f.Close() }

func lookAt(path string) (look, error) {
	info, err := os.Stat(path)
	if err != nil {
		return look{}, err
	}
	return lookOf(info), nil
}

// changeOf is when something in a folder was last renamed, made or unlinked.
func changeOf(path string) (time.Time, error) {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}
