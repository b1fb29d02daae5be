package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"

	"kafka-retention-exporter/model"
)

// handle is a descriptor without what package os does for pipes and sockets: it asks the system
// about each file three times more, which for ten thousands of them is most of the time.
type handle struct{ fd int }

const (
	atWorkingDirectory = -100 // AT_FDCWD
	// Without waiting, should someone have put a pipe there.
	reading = syscall.O_RDONLY | syscall.O_CLOEXEC | syscall.O_NONBLOCK
)

func openFolder(path string) (handle, error) {
	return openAt(atWorkingDirectory, path, reading|syscall.O_DIRECTORY, "", path)
}

func openIn(f *folder, name string) (handle, error) {
	if f.entered {
		return openAt(f.dir.fd, name, reading, f.path, name)
	}
	return openAt(atWorkingDirectory, filepath.Join(f.path, name), reading, f.path, name)
}

// openAt opens what is called in folder and name for people.
func openAt(dir int, path string, flags int, folder, name string) (handle, error) {
	var h handle
	err := whole(func() (err error) {
		h.fd, err = syscall.Openat(dir, path, flags, 0)
		return err
	})
	if err != nil {
		return handle{}, &fs.PathError{Op: "open", Path: filepath.Join(folder, name), Err: err}
	}
	return h, nil
}

// whole calls the system until no signal comes between.
func whole(call func() error) error {
	for {
		if err := call(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// names adds the names in a folder to those before, by way of some room.
func (h handle) names(before []string, room []byte) ([]string, error) {
	for {
		var n int
		err := whole(func() (err error) {
			n, err = syscall.ReadDirent(h.fd, room)
			return err
		})
		if err != nil || n <= 0 {
			return before, err
		}
		_, _, before = syscall.ParseDirent(room[:n], -1, before)
	}
}

func (h handle) readAt(p []byte, at int64) (n int, err error) {
	err = whole(func() (err error) {
		n, err = syscall.Pread(h.fd, p, at)
		return err
	})
	return max(0, n), err
}

func (h handle) look() (look, error) {
	var s syscall.Stat_t
	if err := syscall.Fstat(h.fd, &s); err != nil {
		return look{}, err
	}
	if s.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return look{}, fmt.Errorf("no ordinary file: %w", errDamaged)
	}
	return lookOf(&s), nil
}

func lookOf(s *syscall.Stat_t) look { return look{s.Size, model.Instant(s.Mtim.Nano() / 1_000_000)} }

func (h handle) close() { _ = syscall.Close(h.fd) }

// lookAt looks at a file by its path.
func lookAt(path string) (look, error) {
	var s syscall.Stat_t
	err := statAt(path, &s)
	return lookOf(&s), err
}

// changeOf is when something in a folder was last renamed, made or unlinked.
func changeOf(path string) (time.Time, error) {
	var s syscall.Stat_t
	err := statAt(path, &s)
	return time.Unix(s.Mtim.Unix()), err
}

func statAt(path string, s *syscall.Stat_t) error {
	if err := whole(func() error { return syscall.Stat(path, s) }); err != nil {
		return &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return nil
}
