package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kafka-retention-exporter/model"
)

// segment is one of a log, with what its files looked like when it was read.
type segment struct {
	model.Segment
	fileSize int64
	// active is set for the one that takes records, as far as was known. read is up to where an active segment's batches were read, and least the offset that the next
	// one has at least.
	active bool
	read   int64
	least  model.Offset
}

// same tells whether a .log file looks as it did when the segment was read.
func (s *segment) same(info fs.FileInfo) bool {
	return s.fileSize == info.Size() && s.ModTime == model.InstantOf(info.ModTime())
}

func fileOf(folder string, base model.Offset, ending string) string {
	return filepath.Join(folder, fmt.Sprintf("%020d%s", int64(base), ending))
}

// readClosed reads a segment that takes no more records. Its newest stamp is the last entry of its
// time index, which the broker wrote when it rolled and goes by after a restart (LogSegment.
// onBecomeInactiveSegment, readLargestTimestamp); where that says nothing sensible, it is in the
// headers of its batches.
func readClosed(folder string, base model.Offset, info fs.FileInfo) (segment, error) {
	s := segment{fileSize: info.Size()}
	s.Base, s.Size, s.ModTime = base, model.Bytes(info.Size()), model.InstantOf(info.ModTime())
	last, ok, err := timesOf(folder, base)
	if err == nil && ok {
		_, err = confirm(folder, base, info.Size(), last)
	}
	switch {
	case err == nil:
		s.Largest, s.Stamped = last.stamp, ok
		return s, nil
	case !errors.Is(err, errDamaged) && !errors.Is(err, fs.ErrNotExist):
		return s, err
	}
	s.least = base
	if err := s.readOn(folder); err != nil {
		return s, err
	}
	if s.read != s.fileSize {
		return s, fmt.Errorf("segment %d of %s: batches end at %d of %d bytes: %w", base, folder, s.read, s.fileSize, errDamaged)
	}
	return s, nil
}

// readActive reads the segment that takes records, or goes on reading it where before is what it
// was. The largest stamp is that of the last entry of the time index, and of all batches since.
func readActive(folder string, base model.Offset, info fs.FileInfo, before *segment) (segment, error) {
	s := segment{active: true, least: base}
	s.Base = base
	if before != nil && before.active && before.read <= info.Size() {
		s = *before
	} else if err := s.start(folder, info.Size()); err != nil {
		return s, err
	}
	s.fileSize, s.ModTime = info.Size(), model.InstantOf(info.ModTime())
	if err := s.readOn(folder); err != nil {
		return s, err
	}
	// With log.preallocate the file is as long as the segment may become.
	s.Size = model.Bytes(s.read)
	return s, nil
}

// start finds where to begin, so that a large segment is not read from its front.
func (s *segment) start(folder string, size int64) error {
	last, ok, err := timesOf(folder, s.Base)
	var near int64
	if err == nil && ok {
		near, err = confirm(folder, s.Base, size, last)
	}
	if errors.Is(err, errDamaged) || errors.Is(err, fs.ErrNotExist) || err == nil && !ok {
		return nil // from the front
	}
	if err != nil {
		return err
	}
	if s.read = near; near > 0 {
		s.Largest, s.Stamped = last.stamp, true
	}
	return nil
}

// confirm looks at the batch that an entry of the time index is about: it must have the entry's stamp.
// The offset is its last one, or in some releases that of the record. near is where the offset index
// says to begin to look for it.
func confirm(folder string, base model.Offset, size int64, entry timeEntry) (near int64, err error) {
	near, err = positionOf(folder, base, entry.relative)
	if err != nil {
		return 0, err
	}
	f, err := os.Open(fileOf(folder, base, logEnding))
	if err != nil {
		return 0, fmt.Errorf("read segment: %w", err)
	}
	defer func() { _ = f.Close() }()
	wanted := base + model.Offset(entry.relative)
	for at := near; ; {
		b, err := readBatch(f, at, size)
		switch {
		case err != nil && !errors.Is(err, errTail):
			return 0, err
		case err == nil && b.last < wanted && b.last >= base:
			at += b.size
			continue
		case err == nil && b.base <= wanted && b.last >= wanted && b.stamped && b.largest == entry.stamp:
			return near, nil
		}
		return 0, fmt.Errorf("time index of segment %d of %s: the batch with offset %d has not stamp %d: %w", base, folder, wanted, entry.stamp, errDamaged)
	}
}

// positionOf is where to begin to look for an offset, by the offset index; 0 without one.
func positionOf(folder string, base model.Offset, relative int64) (int64, error) {
	index, err := os.Open(fileOf(folder, base, indexEnding))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read offset index: %w", err)
	}
	defer func() { _ = index.Close() }()
	info, err := index.Stat()
	if err != nil {
		return 0, fmt.Errorf("read offset index: %w", err)
	}
	return positionAtOrBefore(index, info.Size(), relative)
}

// readOn reads the headers of batches from where the last reading ended.
func (s *segment) readOn(folder string) error {
	f, err := os.Open(fileOf(folder, s.Base, logEnding))
	if err != nil {
		return fmt.Errorf("read segment: %w", err)
	}
	defer func() { _ = f.Close() }()
	s.read, err = scan(f, s.read, s.fileSize, s.least, func(b batch) {
		if b.stamped && (!s.Stamped || b.largest > s.Largest) {
			s.Largest, s.Stamped = b.largest, true
		}
		s.least = b.last + 1
	})
	if err != nil {
		return fmt.Errorf("segment %d of %s: %w", s.Base, folder, err)
	}
	return nil
}

func timesOf(folder string, base model.Offset) (last timeEntry, ok bool, err error) {
	f, err := os.Open(fileOf(folder, base, timeEnding))
	if err != nil {
		return last, false, fmt.Errorf("read time index: %w", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return last, false, fmt.Errorf("read time index: %w", err)
	}
	return lastTimeEntry(f, info.Size())
}

// firstStamp is the largest stamp of a segment's first batch, by which time rolls it
// (LogSegment.loadFirstBatchTimestamp).
func firstStamp(folder string, base model.Offset) (stamp model.Maybe[model.Instant], err error) {
	f, err := os.Open(fileOf(folder, base, logEnding))
	if err != nil {
		return stamp, fmt.Errorf("read segment: %w", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return stamp, fmt.Errorf("read segment: %w", err)
	}
	b, err := readBatch(f, 0, info.Size())
	if errors.Is(err, errTail) || err == nil && !b.stamped {
		return stamp, nil
	}
	return model.Known(b.largest), err
}
