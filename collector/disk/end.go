package disk

import (
	"bytes"
	"encoding/binary"

	"kafka-retention-exporter/model"
)

// check holds the last entry of the time index against the log: at its end, or with the offset index.
func (s *segment) check(f *folder, log *window, entry timeEntry, ok bool) error {
	if ok && !f.thorough {
		if agreed, err := s.agrees(log, entry); agreed || err != nil {
			return err
		}
	}
	return s.confirm(f, log, entry, ok)
}

// agrees tells whether the log's end bears the last entry of the time index out by itself: among its
// last bytes is the batch with the entry's offset and stamp, from there on batches follow each other
// up to the end of the file, and none is newer. What the offset index says adds nothing to that, and
// a third of the opening is saved.
//
// Bytes within a record that look like it would have to name an offset of this segment and the stamp,
// and give a length that leads to a batch. If nothing does, the batch is further ahead, and the offset
// index tells where.
func (s *segment) agrees(log *window, entry timeEntry) (bool, error) {
	raw, from, err := log.end()
	if err != nil {
		return false, err
	}
	stamp := binary.BigEndian.AppendUint64(nil, uint64(entry.stamp))
	for at := largestAt; ; at++ {
		if at = find(raw, at, stamp); at < 0 {
			return false, nil
		}
		if s.endsFrom(log, from+int64(at-largestAt), entry) {
			return true, nil
		}
	}
}

// find is where eight bytes are found again. The last of them is looked for: the others are much the
// same in all stamps, and zeros first.
func find(raw []byte, from int, wanted []byte) int {
	const before = 7
	for from += before; from < len(raw); from++ {
		found := bytes.IndexByte(raw[from:], wanted[before])
		if found < 0 {
			return -1
		}
		from += found
		if bytes.Equal(raw[from-before:from+1], wanted) {
			return from - before
		}
	}
	return -1
}

// endsFrom tells whether the batch of an entry begins at a position, and the log ends with those
// that follow it.
func (s *segment) endsFrom(log *window, at int64, entry timeEntry) bool {
	first, err := readBatch(log, at)
	if err != nil || !first.has(s.Base+model.Offset(entry.relative), entry.stamp) {
		return false
	}
	var end tail
	to, err := scan(log, at, s.Base, end.take)
	if err != nil || to != s.fileSize || end.newest > entry.stamp {
		return false
	}
	s.ends = end.ends
	return true
}
