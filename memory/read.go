package memory

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"kafka-retention-exporter/predictor"
)

// ErrForeign is of a file that is no memory, or one that only a later version of this program can
// read.
var ErrForeign = errors.New("not a memory that this version can read")

// Damage is what could not be read of a file.
type Damage struct {
	Header bool // of what cluster it is cannot be told: nothing of it is used
	Lines  int  // that are not as they were written
	Torn   bool // the end is missing
}

// Any tells whether there is some.
func (d Damage) Any() bool { return d.Header || d.Lines > 0 || d.Torn }

// maxLine is longer than any line that is written.
const maxLine = 1 << 20

// Decode reads a memory. What is damaged is left out. The error is ErrForeign, or one of reading.
func Decode(from io.Reader) (m predictor.Memory, d Damage, err error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	d.Torn = true
	first, err := readHeader(lines)
	switch {
	case errors.Is(err, errDamaged):
		d.Header = true
		return m, d, nil
	case err != nil:
		return m, d, err
	}
	m.Cluster, m.At = first.Cluster, first.At
	n := 0
	for lines.Scan() {
		l, ok := readLine(lines.Bytes())
		if !ok {
			d.Lines++
			continue
		}
		if l.Kind == kindEnd {
			d.Torn = string(bytes.TrimSpace(l.Value)) != fmt.Sprint(n+d.Lines)
			break
		}
		n++
		if !take(&m, l) {
			d.Lines++
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) { // no line of ours: what follows cannot be told apart
		d.Lines++
		return m, d, nil
	}
	return m, d, lines.Err()
}

// errDamaged is of a file of ours whose first line is none.
var errDamaged = errors.New("the first line is damaged")

// readHeader reads the first line. Where that is damaged, the next one tells whose file it is.
func readHeader(lines *bufio.Scanner) (first header, err error) {
	if !lines.Scan() { // an empty file holds nothing of anyone's
		return first, errors.Join(errDamaged, lines.Err())
	}
	if json.Unmarshal(lines.Bytes(), &first) == nil && first.Format == format {
		if first.Version < 1 || first.Version > version {
			return first, fmt.Errorf("%w: version %d", ErrForeign, first.Version)
		}
		return first, nil
	}
	if !lines.Scan() {
		return first, ErrForeign
	}
	if l, ok := readLine(lines.Bytes()); !ok || l.Kind == "" {
		return first, ErrForeign
	}
	return first, errDamaged
}

// readLine reads any other line; ok is false where it is not as it was written.
func readLine(b []byte) (l line, ok bool) {
	ok = json.Unmarshal(b, &l) == nil && checksum(l.Kind, l.Value) == l.Sum
	return l, ok
}

// take adds what a line holds; ok is false where that is not what it says it is.
func take(m *predictor.Memory, l line) bool {
	switch l.Kind {
	case kindPhase:
		return grow(&m.Phases, l.Value)
	case kindWidth:
		return grow(&m.Widths, l.Value)
	case kindGroup:
		return grow(&m.Groups, l.Value)
	case kindPartition:
		return grow(&m.Partitions, l.Value)
	case kindPair:
		return grow(&m.Pairs, l.Value)
	}
	return true
}

func grow[T any](to *[]T, value json.RawMessage) bool {
	var v T
	if json.Unmarshal(value, &v) != nil {
		return false
	}
	*to = append(*to, v)
	return true
}

// Load reads a file. The error wraps fs.ErrNotExist where there is none.
func Load(path string) (predictor.Memory, Damage, error) {
	file, err := os.Open(path)
	if err != nil {
		return predictor.Memory{}, Damage{}, fmt.Errorf("read memory: %w", err)
	}
	defer func() { _ = file.Close() }()
	m, d, err := Decode(file)
	if err != nil {
		return predictor.Memory{}, d, fmt.Errorf("read memory %s: %w", path, err)
	}
	return m, d, nil
}
