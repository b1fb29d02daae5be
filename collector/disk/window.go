package disk

import "fmt"

// window reads ahead in a log: headers of small batches lie close together. There is one for all
// logs that are read after each other.
type window struct {
	log  file
	size int64 // up to which the log is read
	from int64
	have int
	raw  [blockSize]byte
}

// window looks at a log of a size.
func (f *folder) window(log file, size int64) *window {
	w := &f.ahead
	w.log, w.size, w.have = log, size, 0
	return w
}

// view shows up to n bytes from a position on, until the next view: fewer only at the log's end.
func (w *window) view(at int64, n int) ([]byte, error) {
	if at < 0 || n > blockSize {
		return nil, fmt.Errorf("%d bytes at %d", n, at)
	}
	if n = int(min(int64(n), w.size-at)); n <= 0 {
		return nil, nil
	}
	if at < w.from || at+int64(n) > w.from+int64(w.have) {
		if err := w.load(at, min(blockSize, w.size-at)); err != nil {
			return nil, err
		}
	}
	there := w.raw[min(at-w.from, int64(w.have)):w.have]
	return there[:min(n, len(there))], nil
}

// end shows the last bytes of a log, and where they begin. To read more than a block costs as much as
// to open the offset index, which tells where a large batch begins.
func (w *window) end() (raw []byte, from int64, err error) {
	n := min(blockSize, w.size)
	if err := w.load(w.size-n, n); err != nil {
		return nil, 0, err
	}
	return w.raw[:w.have], w.from, nil
}

func (w *window) load(at, n int64) (err error) {
	w.from, w.have = at, 0
	got, err := w.log.read(w.raw[:n], at)
	if err != nil {
		return err
	}
	w.have = got
	return nil
}
