package disk

import (
	"errors"
	"fmt"
	"io/fs"

	"kafka-retention-exporter/model"
)

// readActive reads the segment that takes records, or goes on reading it where before is what it
// was. The largest stamp is that of the last entry of the time index, and of all batches since.
func readActive(f *folder, base model.Offset, before *segment) (segment, error) {
	s := segment{active: true, least: base}
	s.Base = base
	log, err := f.open(fileOf(base, logEnding))
	if err != nil {
		return s, fmt.Errorf("read segment: %w", err)
	}
	defer log.close()
	l, err := log.look()
	if err != nil {
		return s, fmt.Errorf("read segment: %w", err)
	}
	if before != nil && before.active && before.read <= l.size {
		s = *before
	}
	s.fileSize, s.ModTime = l.size, l.changed
	if s.read == 0 && l.size > blockSize {
		if err := s.start(f, log); err != nil {
			return s, err
		}
	}
	if err := s.readOn(f.window(log, s.fileSize)); err != nil {
		return s, s.failed(f, err)
	}
	// With log.preallocate the file is as long as the segment may become.
	s.Size = model.Bytes(s.read)
	return s, nil
}

// start finds where to begin, so that a large segment is not read from its front.
func (s *segment) start(f *folder, log file) error {
	last, ok, err := timesOf(f, s.Base)
	var near int64
	if err == nil && ok {
		near, err = f.positionOf(s.Base, last.relative)
	}
	if err == nil && near > 0 {
		err = s.find(f, f.window(log, s.fileSize), near, last)
	}
	if errors.Is(err, errDamaged) || errors.Is(err, fs.ErrNotExist) {
		return nil // from the front
	}
	if err == nil && near > 0 {
		s.read, s.Largest, s.Stamped = near, last.stamp, true
	}
	return err
}
