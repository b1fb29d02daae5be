package disk

import (
	"errors"
	"fmt"

	"kafka-retention-exporter/model"
)

// mostHeaders bounds the search for one batch. An offset index names one every few kilobytes.
const mostHeaders = 10_000

// readBelow looks at what is right below the log start, once for each: at the end of the segment
// that went, as it was read while it was there, or, after DeleteRecords, within the first segment.
//
// A group that has read everything before a marker that ends a transaction stands on that, and loses
// nothing when it goes.
func (r *replica) readBelow(f *folder, served model.Offset, before []segment) error {
	if len(r.bases) == 0 {
		return nil
	}
	start := max(served, r.bases[0])
	if old, seen := r.below.Get(); seen && old.Start == start {
		return nil
	}
	found := model.Below{Start: start}
	if start > r.bases[0] {
		marker, err := r.markerAt(f, start-1)
		if err != nil {
			return err
		}
		found.Marker = marker
	}
	for i := range before {
		if e := before[i].ends; start == r.bases[0] && e.seen && e.last == start-1 {
			found.Marker = model.Known(e.control)
		}
	}
	r.below = model.Known(found)
	return nil
}

// markerAt reads the header of the batch that has an offset.
func (r *replica) markerAt(f *folder, offset model.Offset) (marker model.Maybe[bool], err error) {
	in := len(r.bases) - 1
	for r.bases[in] > offset {
		in--
	}
	s := &r.segments[in]
	at, err := f.positionOf(s.Base, int64(offset-s.Base))
	if err != nil {
		return marker, err
	}
	log, err := f.open(fileOf(s.Base, logEnding))
	if err != nil {
		return marker, fmt.Errorf("read segment: %w", err)
	}
	defer log.close()
	ahead := f.window(log, s.fileSize)
	for range mostHeaders {
		b, err := readBatch(ahead, at)
		switch {
		case errors.Is(err, errTail) || err == nil && b.base > offset:
			return marker, nil // it is not there: compacted away, or damaged
		case err != nil:
			return marker, err
		case b.last >= offset:
			return model.Known(b.control), nil
		case b.last < b.base:
			return marker, fmt.Errorf("batch at %d of segment %d of %s: %w", at, s.Base, f.path, errDamaged)
		}
		at += b.size
	}
	return marker, nil
}
