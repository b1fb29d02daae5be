package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"kafka-retention-exporter/model"
)

// timeEntry is one of a time index (TimeIndex): the largest stamp so far, and the last offset of
// the batch that first reached it, from the segment's base.
type timeEntry struct {
	stamp    model.Instant
	relative int64
}

const (
	timeEntrySize = 12
	entriesAtOnce = 4096
)

// errDamaged is a file that does not say what such files say.
var errDamaged = errors.New("damaged")

// lastTimeEntry is the last valid entry. The file of a closed segment ends with it; that of an
// active one is filled up with zeros, and where they begin only the broker's memory knows: entries
// rise, so it is searched for. ok is false without any entry.
func lastTimeEntry(f *little) (last timeEntry, ok bool, err error) {
	n := f.size / timeEntrySize // a half-written one at the end is none
	// Entries [0, lo) are valid, those from hi on are not.
	lo, hi := int64(0), n
	if n > 0 { // the usual cases first: a trimmed file, and an empty one
		if e, err := readTimeEntry(f, n-1); err != nil {
			return last, false, err
		} else if e != (timeEntry{}) {
			lo = n
		}
	}
	for lo < hi {
		mid := lo + (hi-lo)/2
		e, err := readTimeEntry(f, mid)
		if err != nil {
			return last, false, err
		}
		if e == (timeEntry{}) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	if lo == 0 {
		return last, false, nil
	}
	return risingEntry(f, lo-1)
}

// latestBelieved is a stamp (the year 9999) beyond which an entry is looked up in the batches: it
// may be one, but bytes that are no index read like that.
const latestBelieved = model.Instant(253_402_300_800_000)

// risingEntry reads up to the last entry and checks that each is one: above the one before it in
// both. It is done once for a closed segment, and once for the part of an active one that is skipped.
func risingEntry(f *little, last int64) (e timeEntry, ok bool, err error) {
	for i := int64(0); i <= last; {
		chunk, err := f.view(i*timeEntrySize, int(min(last+1-i, entriesAtOnce)*timeEntrySize))
		if err != nil {
			return e, false, fmt.Errorf("time index: entry %d: %w", i, err)
		}
		for ; len(chunk) > 0; i, chunk = i+1, chunk[timeEntrySize:] {
			next := timeEntryOf(chunk)
			if next.stamp < 0 || next.stamp > latestBelieved || next.relative < 0 || i > 0 && (next.stamp <= e.stamp || next.relative <= e.relative) {
				return e, false, fmt.Errorf("time index: entry %d: %w", i, errDamaged)
			}
			e = next
		}
	}
	return e, true, nil
}

func readTimeEntry(f *little, i int64) (e timeEntry, err error) {
	raw, err := f.view(i*timeEntrySize, timeEntrySize)
	if err != nil {
		return e, fmt.Errorf("time index: entry %d: %w", i, err)
	}
	return timeEntryOf(raw), nil
}

func timeEntryOf(raw []byte) timeEntry {
	return timeEntry{
		stamp:    model.Instant(binary.BigEndian.Uint64(raw[:8])),
		relative: int64(int32(binary.BigEndian.Uint32(raw[8:]))),
	}
}

const indexEntrySize = 8

// place is an entry of an offset index: an offset from the segment's base, and where in the .log the
// batch begins that it is in. Zero is the first batch, which no entry names.
type place struct{ relative, position int64 }

// positionAtOrBefore is where the batch begins that the offset index names last at or before an
// offset (OffsetIndex.lookup).
func positionAtOrBefore(f *little, relative int64) (found place, err error) {
	lo, hi := int64(0), f.size/indexEntrySize
	for lo < hi {
		mid := lo + (hi-lo)/2
		raw, err := f.view(mid*indexEntrySize, indexEntrySize)
		if err != nil {
			return found, fmt.Errorf("offset index: entry %d: %w", mid, err)
		}
		at := place{int64(int32(binary.BigEndian.Uint32(raw[:4]))), int64(int32(binary.BigEndian.Uint32(raw[4:])))}
		if at.relative > relative || at.position <= 0 { // beyond it, or the zeros after the last
			hi = mid
			continue
		}
		lo, found = mid+1, at
	}
	return found, nil
}

// lastPosition is what the offset index names last.
func lastPosition(f *little) (place, error) {
	return positionAtOrBefore(f, math.MaxInt32)
}
