package disk

import (
	"errors"
	"fmt"
	"io/fs"

	"kafka-retention-exporter/model"
)

// segment is one of a log, with what its files looked like when it was read.
type segment struct {
	model.Segment
	fileSize int64
	// active is set for the one that takes records, as far as was known. read is up to where its
	// batches were read, and least the offset that the next one has at least.
	active bool
	read   int64
	least  model.Offset
	ends   ending
}

// ending is the last batch of a segment; seen is false where there is none.
type ending struct {
	last    model.Offset
	control bool
	seen    bool
}

func endingOf(b batch) ending { return ending{b.last, b.control, true} }

// same tells whether a .log file looks as it did when the segment was read.
func (s *segment) same(l look) bool { return s.fileSize == l.size && s.ModTime == l.changed }

// readClosed reads a segment that takes no more records. Its newest stamp is the last entry of its
// time index, which the broker wrote when it rolled and goes by after a restart (LogSegment.
// onBecomeInactiveSegment, readMaxTimestampAndOffsetSoFar); where the log's end says otherwise, it
// is in the headers of its batches.
func readClosed(f *folder, base model.Offset) (segment, error) {
	s := segment{least: base}
	log, err := f.open(fileOf(base, logEnding))
	if err != nil {
		return s, fmt.Errorf("read segment: %w", err)
	}
	defer log.close()
	l, err := log.look()
	if err != nil {
		return s, fmt.Errorf("read segment: %w", err)
	}
	s.fileSize = l.size
	s.Base, s.Size, s.ModTime = base, model.Bytes(l.size), l.changed
	ahead := f.window(log, l.size)
	last, ok, err := timesOf(f, base)
	if err == nil {
		err = s.check(f, ahead, last, ok)
	}
	switch {
	case err == nil:
		s.Largest, s.Stamped = last.stamp, ok
		return s, nil
	case !errors.Is(err, errDamaged) && !errors.Is(err, fs.ErrNotExist):
		return s, err
	}
	if err := s.readOn(ahead); err != nil {
		return s, s.failed(f, err)
	}
	if s.read != s.fileSize {
		return s, s.failed(f, fmt.Errorf("batches end at %d of %d bytes: %w", s.read, s.fileSize, errDamaged))
	}
	return s, nil
}

func (s *segment) failed(f *folder, err error) error {
	return fmt.Errorf("segment %d of %s: %w", s.Base, f.path, err)
}

// confirm holds the last entry of the time index against the log. Nothing at the log's end, from
// where the offset index last names a batch, may be newer, as it is where the time index was cut
// short; and the batch of the entry must have its stamp.
func (s *segment) confirm(f *folder, log *window, entry timeEntry, ok bool) error {
	index, err := f.index(s.Base)
	if err != nil {
		return err
	}
	defer index.close()
	named, err := lastPosition(index)
	if err != nil {
		return err
	}
	wanted, found := s.Base+model.Offset(entry.relative), !ok
	var end tail
	end.from = named.position
	end.to, err = scan(log, named.position, s.Base, func(b batch) {
		end.take(b)
		found = found || b.has(wanted, entry.stamp)
	})
	if err != nil {
		return err
	}
	if why := end.doubt(s, named, entry, ok); why != "" {
		return fmt.Errorf("time index of segment %d of %s: %s: %w", s.Base, f.path, why, errDamaged)
	}
	s.ends = end.ends
	if found {
		return nil
	}
	near, err := positionAtOrBefore(index, entry.relative)
	if err != nil {
		return err
	}
	return s.find(f, log, near.position, entry)
}

// tail is the end of a log, from the batch that its offset index names last.
type tail struct {
	from, to int64
	first    model.Offset
	ends     ending
	newest   model.Instant
	stamped  bool
}

func (t *tail) take(b batch) {
	if !t.ends.seen {
		t.first = b.base
	}
	t.ends = endingOf(b)
	if b.stamped && (!t.stamped || b.largest > t.newest) {
		t.newest, t.stamped = b.largest, true
	}
}

// doubt is what speaks against the indexes.
func (t *tail) doubt(s *segment, named place, entry timeEntry, ok bool) string {
	offset := s.Base + model.Offset(named.relative)
	switch {
	case t.to != s.fileSize:
		return fmt.Sprintf("the log ends at %d of %d bytes", t.to, s.fileSize)
	case named.position > 0 && (!t.ends.seen || t.first > offset || t.ends.last < offset):
		return fmt.Sprintf("offset %d is not at %d", offset, named.position)
	case t.stamped && (!ok || t.newest > entry.stamp):
		return fmt.Sprintf("a batch from %d on has stamp %d", t.from, t.newest)
	}
	return ""
}

// has tells whether a batch is the one that an entry of the time index is about. The entry's offset
// is its last one, or in some releases that of the record.
func (b batch) has(offset model.Offset, stamp model.Instant) bool {
	return b.base <= offset && offset <= b.last && b.stamped && b.largest == stamp
}

// find looks for the batch of an entry from a position on: it must have the entry's stamp.
func (s *segment) find(f *folder, log *window, at int64, entry timeEntry) error {
	wanted := s.Base + model.Offset(entry.relative)
	for {
		b, err := readBatch(log, at)
		switch {
		case err != nil && !errors.Is(err, errTail):
			return err
		case err == nil && b.last < wanted && b.last >= s.Base:
			at += b.size
			continue
		case err == nil && b.has(wanted, entry.stamp):
			return nil
		}
		return fmt.Errorf("time index of segment %d of %s: the batch with offset %d has not stamp %d: %w", s.Base, f.path, wanted, entry.stamp, errDamaged)
	}
}

// readOn reads the headers of batches from where the last reading ended.
func (s *segment) readOn(log *window) (err error) {
	s.read, err = scan(log, s.read, s.least, func(b batch) {
		if b.stamped && (!s.Stamped || b.largest > s.Largest) {
			s.Largest, s.Stamped = b.largest, true
		}
		s.least, s.ends = b.last+1, endingOf(b)
	})
	return err
}
