package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"kafka-retention-exporter/model"
)

// folder is that of one replica, and the way to all files in it. Most of what a reading costs is
// calls of the system, so they are few, and counted.
type folder struct {
	path  string
	dir   *os.File // open while many files are read, so that names are looked up from here
	fd    int      // of dir: to ask for it takes two calls
	calls *calls
	block []byte  // what was last read of a small file
	ahead *window // the last one that was made
}

// calls are how often the system was called since the reader was made.
type calls struct{ looks, lists, opens, reads atomic.Int64 }

const blockSize = 4096

func (f *folder) enter() (err error) {
	f.calls.opens.Add(1)
	if f.dir, err = os.Open(f.path); err == nil {
		f.fd = int(f.dir.Fd())
	}
	return err
}

func (f *folder) leave() {
	if f.dir != nil {
		_ = f.dir.Close()
		f.dir = nil
	}
}

// look is what a file looks like from outside.
type look struct {
	size    int64
	changed model.Instant
}

func lookOf(info fs.FileInfo) look { return look{info.Size(), model.InstantOf(info.ModTime())} }

func (f *folder) look(name string) (look, error) {
	f.calls.looks.Add(1)
	info, err := os.Stat(filepath.Join(f.path, name))
	if err != nil {
		return look{}, err
	}
	return lookOf(info), nil
}

func (f *folder) names() ([]string, error) {
	f.calls.lists.Add(1)
	return f.dir.Readdirnames(-1)
}

func (f *folder) open(name string) (*file, error) {
	f.calls.opens.Add(1)
	h, err := openIn(f, name)
	if err != nil {
		return nil, err
	}
	return &file{h, f.calls}, nil
}

// small opens a file that mostly fits in one block, and reads it. Which it is tells what remains to
// be read from; that is good until the next small file, and closed with done.
func (f *folder) small(name string) (in io.ReaderAt, size int64, done func(), err error) {
	h, err := f.open(name)
	if err != nil {
		return nil, 0, nil, err
	}
	if f.block == nil {
		f.block = make([]byte, blockSize)
	}
	n, err := h.ReadAt(f.block, 0)
	if errors.Is(err, io.EOF) {
		h.close()
		return block(f.block[:n]), int64(n), func() {}, nil
	}
	var l look
	if err == nil {
		l, err = h.look()
	}
	if err != nil {
		h.close()
		return nil, 0, nil, err
	}
	return h, l.size, h.close, nil
}

// block is a file that was read as a whole.
type block []byte

func (b block) ReadAt(p []byte, at int64) (n int, err error) {
	if at < int64(len(b)) {
		n = copy(p, b[at:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// file is open for reading; it survives that its name goes.
type file struct {
	handle
	calls *calls
}

func (f *file) ReadAt(p []byte, at int64) (int, error) {
	f.calls.reads.Add(1)
	return f.readAt(p, at)
}

func (f *file) look() (look, error) {
	f.calls.looks.Add(1)
	return f.handle.look()
}

// window reads ahead: headers of small batches lie close together.
type window struct {
	in   io.ReaderAt
	from int64
	have int
	raw  [blockSize]byte
}

// window reads ahead in a log. There is one at a time: a new one for each segment would be most of the
// garbage of a first reading.
func (f *folder) window(log io.ReaderAt) *window {
	if f.ahead == nil {
		f.ahead = &window{}
	}
	f.ahead.in, f.ahead.have = log, 0
	return f.ahead
}

func (w *window) ReadAt(p []byte, at int64) (int, error) {
	if len(p) > len(w.raw) {
		return 0, fmt.Errorf("%d bytes at once", len(p))
	}
	if at < w.from || at+int64(len(p)) > w.from+int64(w.have) {
		n, err := w.in.ReadAt(w.raw[:], at)
		if w.from, w.have = at, n; err != nil && !errors.Is(err, io.EOF) {
			w.have = 0
			return 0, err
		}
	}
	return block(w.raw[:w.have]).ReadAt(p, at-w.from)
}
