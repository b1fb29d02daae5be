package disk

import (
	"encoding/binary"
	"errors"
	"fmt"

	"kafka-retention-exporter/model"
)

// batch is what the header of a record batch tells (DefaultRecordBatch, broker.md 10.3).
type batch struct {
	base, last model.Offset
	size       int64 // header included
	largest    model.Instant
	stamped    bool // it has stamps: magic 1 and 2, and not -1
	control    bool // it is a marker that ends a transaction, and no record
}

const (
	frameSize  = 12 // base offset and length, which all formats begin with
	headerSize = 61 // of magic 2
	largestAt  = 35 // in it, the largest stamp
	oldHeader  = 26 // of magic 1, up to its stamp
	leastV2    = headerSize - frameSize
	controlBit = 1 << 5  // of the attributes
	largestOne = 1 << 30 // no broker takes a batch of that size
)

// errTail is the end of what is written: a batch that is not all there yet, zeros that were
// allocated ahead, or the leavings of an unclean stop.
var errTail = errors.New("end of what is written")

// readBatch reads the header at a position of a log.
func readBatch(log *window, at int64) (b batch, err error) {
	raw, err := log.view(at, headerSize)
	if err != nil {
		return b, fmt.Errorf("read batch at %d: %w", at, err)
	}
	if len(raw) < oldHeader {
		return b, errTail
	}
	length := int64(int32(binary.BigEndian.Uint32(raw[8:12])))
	b = batch{base: model.Offset(binary.BigEndian.Uint64(raw[:8])), size: frameSize + length}
	b.last = b.base
	if length <= 0 || b.size > largestOne || at+b.size > log.size {
		return b, errTail
	}
	switch magic := raw[16]; {
	case magic == 2 && length >= leastV2 && len(raw) == headerSize:
		b.last += model.Offset(int32(binary.BigEndian.Uint32(raw[23:27])))
		b.largest = model.Instant(binary.BigEndian.Uint64(raw[largestAt : largestAt+8]))
		b.control = raw[22]&controlBit != 0
	case magic == 1:
		b.largest = model.Instant(binary.BigEndian.Uint64(raw[18:26]))
	case magic == 0:
		b.largest = -1
	default:
		return b, errTail
	}
	b.stamped = b.largest >= 0
	return b, nil
}

// scan walks batch headers from a position and calls see for each. It returns where the first
// batch begins that is not all there: the place to go on from. Offsets that do not rise are damage.
func scan(log *window, from int64, least model.Offset, see func(batch)) (next int64, err error) {
	for next = from; next < log.size; {
		b, err := readBatch(log, next)
		if errors.Is(err, errTail) {
			return next, nil
		}
		if err != nil {
			return next, err
		}
		if b.base < least || b.last < b.base {
			return next, fmt.Errorf("batch at %d: %w", next, errDamaged)
		}
		least, next = b.last+1, next+b.size
		see(b)
	}
	return next, nil
}
