package disk

import (
	"errors"
	"io"
	"io/fs"
)

// little is a file that mostly fits in one block, and is then read as a whole and closed at once.
type little struct {
	size  int64
	head  []byte // all of a file that is not open
	file  file
	open  bool
	block [blockSize]byte
	part  []byte // of a file that does not fit, what was last looked at
}

// small opens a file and reads it, if it fits. It is good until the next small file, and to be closed.
func (f *folder) small(name string) (*little, error) {
	l := &f.little
	l.size, l.head, l.open = 0, nil, false
	h, err := f.open(name)
	if err != nil {
		return nil, err
	}
	n, err := h.once(l.block[:], 0)
	if err == nil && n < blockSize {
		l.size, l.head = int64(n), l.block[:n]
		h.close()
		return l, nil
	}
	var now look
	if err == nil {
		now, err = h.look()
	}
	if err != nil {
		h.close()
		return nil, err
	}
	l.size, l.file, l.open = now.size, h, true
	return l, nil
}

// smallOrNone is small; a file that is missing is empty.
func (f *folder) smallOrNone(name string) (*little, error) {
	l, err := f.small(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &f.little, nil
	}
	return l, err
}

func (l *little) close() {
	if l.open {
		l.file.close()
		l.open = false
	}
}

// view shows so many bytes from a position on, until the next view.
func (l *little) view(at int64, n int) ([]byte, error) {
	if !l.open {
		if at < 0 || at+int64(n) > int64(len(l.head)) {
			return nil, io.ErrUnexpectedEOF
		}
		return l.head[at:][:n], nil
	}
	if n > len(l.part) {
		l.part = make([]byte, n)
	}
	switch got, err := l.file.read(l.part[:n], at); {
	case err != nil:
		return nil, err
	case got < n:
		return nil, io.ErrUnexpectedEOF
	}
	return l.part[:n], nil
}
