package disk_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"kafka-retention-exporter/model"
)

// twin is a log read in the slowest and simplest way: every batch from the front, no index.
type twin struct {
	size    int64 // up to where batches follow each other
	whole   bool  // nothing is behind that
	rises   bool  // so do the offsets
	stamps  map[model.Offset]model.Instant
	last    model.Instant // of the last batch
	largest model.Instant
	stamped bool
}

func twinOf(log []byte, base model.Offset) twin {
	t := twin{rises: true, stamps: map[model.Offset]model.Instant{}, last: -1}
	for rest := log; len(rest) >= 26; rest = log[t.size:] {
		length := int32(binary.BigEndian.Uint32(rest[8:]))
		if length <= 0 || int64(length)+12 > int64(len(rest)) {
			break
		}
		first, stamp := model.Offset(binary.BigEndian.Uint64(rest)), model.Instant(-1)
		to := first
		switch {
		case rest[16] == 2 && length >= 49:
			to += model.Offset(int32(binary.BigEndian.Uint32(rest[23:])))
			stamp = model.Instant(binary.BigEndian.Uint64(rest[35:]))
		case rest[16] == 1:
			stamp = model.Instant(binary.BigEndian.Uint64(rest[18:]))
		case rest[16] != 0:
			t.whole = false
			return t
		}
		if first < base || to < first {
			t.rises = false
			return t
		}
		t.size, base, t.last = t.size+12+int64(length), to+1, stamp
		if stamp >= 0 {
			t.stamps[to] = stamp
			t.largest, t.stamped = max(t.largest, stamp), true
		}
	}
	t.whole = t.size == int64(len(log))
	return t
}

// entries are the time index up to the first that is nothing but zeros.
func entries(index []byte) (out []record) {
	for ; len(index) >= 12 && !bytes.Equal(index[:12], make([]byte, 12)); index = index[12:] {
		out = append(out, record{model.Offset(int32(binary.BigEndian.Uint32(index[8:]))), model.Instant(binary.BigEndian.Uint64(index))})
	}
	return out
}

// cut tells whether what was read is what a broker itself would read from an index of which the end
// is gone: rising entries of which the last one is right, and nothing newer at the log's end.
func (t *twin) cut(index []byte, base model.Offset, got model.Segment) bool {
	newest := model.Instant(-1)
	for _, e := range entries(index) {
		if e.stamp <= newest {
			return false
		}
		newest = e.stamp
		if got.Stamped && e.stamp == got.Largest {
			return t.has(base+e.offset, e.stamp) && t.last <= e.stamp
		}
	}
	return false
}

// has tells whether a batch with that stamp ends at or behind an offset.
func (t *twin) has(offset model.Offset, stamp model.Instant) bool {
	for last, s := range t.stamps {
		if s == stamp && last >= offset {
			return true
		}
	}
	return false
}

// check holds what was read of a segment against the twin.
func (t *twin) check(log, index []byte, got model.Segment, active bool) error {
	switch {
	case !active && got.Size != model.Bytes(len(log)):
		return fmt.Errorf("size %d of %d", got.Size, len(log))
	case got.Stamped && !written(log, got.Largest):
		return fmt.Errorf("stamp %d is nowhere in the log", got.Largest)
	case !t.rises || !t.whole && !active:
		return nil // the twin cannot tell either: it stops at the damage
	case active && t.size < int64(got.Size):
		return nil // begun behind the damage, at a batch that the indexes agree on
	case active && got.Size != model.Bytes(t.size):
		return fmt.Errorf("read up to %d of %d", got.Size, t.size)
	case got.Stamped == t.stamped && (!t.stamped || got.Largest == t.largest), t.cut(index, got.Base, got):
		return nil
	}
	return fmt.Errorf("stamp %d (%t), by its batches %d (%t)", got.Largest, got.Stamped, t.largest, t.stamped)
}

// written tells whether a stamp is in the header of anything that may be a batch.
func written(log []byte, stamp model.Instant) bool {
	return bytes.Contains(log, binary.BigEndian.AppendUint64(nil, uint64(stamp)))
}

// checkpointTwin is what a checkpoint says of one partition: the words of its lines, one by one.
func checkpointTwin(text []byte) (offset model.Offset, ok bool) {
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	seen := map[string]bool{}
	if len(lines) < 2 || strings.TrimSuffix(lines[0], "\r") != "0" {
		return 0, false
	}
	for _, line := range lines[2:] {
		words := strings.Fields(line)
		if len(words) != 3 {
			return 0, false
		}
		n, err := strconv.ParseUint(words[1], 10, 31)
		at, wrong := strconv.ParseUint(words[2], 10, 63)
		if err != nil || wrong != nil {
			return 0, false
		}
		seen[fmt.Sprint(words[0], " ", n)] = true
		if words[0] == key.Topic && int32(n) == key.Partition {
			offset, ok = model.Offset(at), true
		}
	}
	if count, err := strconv.Atoi(strings.TrimSuffix(lines[1], "\r")); err != nil || count != len(seen) || len(lines)-2 != count {
		return 0, false
	}
	return offset, ok
}

func TestTwin(t *testing.T) {
	log := batches(record{5, 100}, record{6, 300}, record{7, 200})
	if got := twinOf(log, 5); got.size != 300 || !got.whole || got.largest != 300 || got.last != 200 {
		t.Errorf("%+v", got)
	}
	if got := twinOf(log[:250], 5); got.whole || got.size != 200 {
		t.Errorf("%+v", got)
	}
	wrong := twinOf(log, 5)
	if wrong.check(log, nil, model.Segment{Base: 5, Size: 300, Largest: 200, Stamped: true}, false) == nil {
		t.Error("a stamp that is too old passes")
	}
	if offset, ok := checkpointTwin([]byte("0\n1\nor-ders 3 77\n")); offset != 77 || !ok {
		t.Error(offset, ok)
	}
}
