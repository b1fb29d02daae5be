package disk

import (
	"errors"
	"fmt"
	"strconv"

	"kafka-retention-exporter/model"
)

// fileOf is the name of a file that belongs to a segment.
func fileOf(base model.Offset, ending string) string {
	const zeros = "00000000000000000000"
	var raw [len(zeros)]byte
	digits := strconv.AppendInt(raw[:0], int64(base), 10)
	return zeros[len(digits):] + string(digits) + ending
}

// timesOf is the last entry of a segment's time index.
func timesOf(f *folder, base model.Offset) (last timeEntry, ok bool, err error) {
	in, err := f.small(fileOf(base, timeEnding))
	if err != nil {
		return last, false, fmt.Errorf("read time index: %w", err)
	}
	defer in.close()
	return lastTimeEntry(in)
}

// index opens a segment's offset index; one that is missing is empty.
func (f *folder) index(base model.Offset) (*little, error) {
	in, err := f.smallOrNone(fileOf(base, indexEnding))
	if err != nil {
		return nil, fmt.Errorf("read offset index: %w", err)
	}
	return in, nil
}

// positionOf is where to begin to look for an offset, by the offset index; 0 without one.
func (f *folder) positionOf(base model.Offset, relative int64) (int64, error) {
	in, err := f.index(base)
	if err != nil {
		return 0, err
	}
	defer in.close()
	found, err := positionAtOrBefore(in, relative)
	return found.position, err
}

// firstStamp is the largest stamp of a segment's first batch, by which time rolls it
// (LogSegment.loadFirstBatchTimestamp).
func firstStamp(f *folder, base model.Offset) (stamp model.Maybe[model.Instant], err error) {
	log, err := f.open(fileOf(base, logEnding))
	if err != nil {
		return stamp, fmt.Errorf("read segment: %w", err)
	}
	defer log.close()
	l, err := log.look()
	if err != nil {
		return stamp, fmt.Errorf("read segment: %w", err)
	}
	b, err := readBatch(f.window(log, l.size), 0)
	if errors.Is(err, errTail) || err == nil && !b.stamped {
		return stamp, nil
	}
	return model.Known(b.largest), err
}
