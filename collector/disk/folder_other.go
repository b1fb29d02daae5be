//go:build !linux

package disk

import (
	"os"
	"path/filepath"
)

// handle is a file of package os. Brokers run on Linux; elsewhere it may cost more.
type handle struct{ f *os.File }

func openIn(f *folder, name string) (handle, error) {
	opened, err := os.Open(filepath.Join(f.path, name))
	return handle{opened}, err
}

func (h handle) readAt(p []byte, at int64) (int, error) { return h.f.ReadAt(p, at) }

func (h handle) look() (look, error) {
	info, err := h.f.Stat()
	if err != nil {
		return look{}, err
	}
	return lookOf(info), nil
}

func (h handle) close() { _ = h.f.Close() }
