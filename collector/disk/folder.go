package disk

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"kafka-retention-exporter/model"
)

// folder is the way to the files of one replica after another, with the room that takes. Most of what
// a reading costs is calls of the system, so they are few, and counted.
type folder struct {
	path    string
	dir     handle // open while many files are read, so that names are looked up from here
	entered bool
	calls   calls
	entries [2 * blockSize]byte // of a listing
	listed  []string
	little  little // the last small file
	ahead   window // the last log
	// thorough has all of a log's end read by the offset index: a test compares.
	thorough bool
}

// calls are how often the system was called since the reader was made.
type calls struct{ looks, lists, opens, reads int64 }

const blockSize = 4096

func (f *folder) enter() (err error) {
	f.calls.opens++
	f.dir, err = openFolder(f.path)
	f.entered = err == nil
	return err
}

func (f *folder) leave() {
	f.dir.close()
	f.entered = false
}

// look is what a file looks like from outside.
type look struct {
	size    int64
	changed model.Instant
}

func (f *folder) look(name string) (look, error) { return f.lookAt(filepath.Join(f.path, name)) }

func (f *folder) lookAt(path string) (look, error) {
	f.calls.looks++
	return lookAt(path)
}

// changed is when something in it was last renamed, made or unlinked.
func (f *folder) changed() (time.Time, error) {
	f.calls.looks++
	return changeOf(f.path)
}

// names are those in a folder that was entered; they are good until the next listing.
func (f *folder) names() (names []string, err error) {
	f.calls.lists++
	f.listed, err = f.dir.names(f.listed[:0], f.entries[:])
	if err != nil {
		return nil, &fs.PathError{Op: "list", Path: f.path, Err: err}
	}
	return f.listed, nil
}

func (f *folder) open(name string) (file, error) {
	f.calls.opens++
	h, err := openIn(f, name)
	return file{h, &f.calls}, err
}

// file is open for reading; it survives that its name goes.
type file struct {
	handle
	calls *calls
}

// read fills p, as far as the file goes.
func (f *file) read(p []byte, at int64) (n int, err error) {
	if at < 0 {
		return 0, fmt.Errorf("read at %d", at)
	}
	for n < len(p) {
		m, err := f.once(p[n:], at+int64(n))
		if m <= 0 || err != nil {
			return n, err
		}
		n += m
	}
	return n, nil
}

// once reads what one call of the system gives: of an ordinary file, less than was asked for is what
// there was up to its end.
func (f *file) once(p []byte, at int64) (int, error) {
	f.calls.reads++
	return f.readAt(p, at)
}

func (f *file) look() (look, error) {
	f.calls.looks++
	return f.handle.look()
}
