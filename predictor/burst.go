package predictor

import "kafka-retention-exporter/model"

// burst is the most that came from one reading to the next: no batch is larger.
type burst struct {
	offsets model.Offset
	bytes   model.Bytes
	// short is by how much segments that filled up were short of segment.bytes at most.
	short  model.Bytes
	filled int // how many such segments were seen
	// back is how far before the record that rolled it a segment began at most: that record's batch.
	back model.Offset
	aged int // how many such segments were seen
	// lack is by how much so many segments were short of segment.bytes in all.
	lack    model.Bytes
	lacking int
	// pace is the most offsets a second that came so far. Segments that end before an offset do not
	// tell how large the batches are that came since it is so much.
	pace float64
	from model.Offset
}

// toldBy is how many segments it takes to tell how large batches are.
const toldBy = 6

// come takes in how many offsets came since the reading before, up to an end. Where they come faster
// by far than ever before, in a burst or by day after a night, batches may be larger by as much than
// those that were told of.
func (b *burst) come(offsets, end model.Offset, gap model.Millis) {
	b.offsets = max(b.offsets, offsets)
	if pace := float64(offsets) * 1000 / float64(max(1, gap)); pace > 2*b.pace {
		b.pace, b.from = pace, end-offsets
		b.short, b.filled, b.back, b.aged = 0, 0, 0, 0
	}
}

// age takes in where a segment began that some record rolled by time.
func (b *burst) age(base, by model.Offset) {
	if back := by - base; base >= b.from && back >= 0 && back <= b.offsets {
		b.back, b.aged = max(b.back, back), b.aged+1
	}
}

// records is how many no batch has, as far as was seen.
func (b *burst) records() model.Offset {
	if b.aged < toldBy {
		return b.offsets
	}
	return min(b.offsets, max(2*b.back+1, b.offsets/4))
}

// fill takes in the bytes of segments that retention deleted together, up to a base.
func (b *burst) fill(base model.Offset, deleted, limit model.Bytes) {
	if limit <= 0 || deleted <= 0 {
		return
	}
	n := (deleted + limit - 1) / limit
	if short := n*limit - deleted; base >= b.from && short <= b.bytes {
		b.short, b.filled = max(b.short, short), b.filled+1
	}
	b.miss(deleted, limit)
}

// miss takes in by how much they were short in all. As sizes are read, that may be less than nothing.
func (b *burst) miss(deleted, limit model.Bytes) {
	n := max(1, (deleted+limit/2)/limit)
	short := n*limit - deleted
	if max(short, -short) > min(n*b.bytes, limit/4) {
		return
	}
	b.lack, b.lacking = b.lack+short, b.lacking+int(n)
	if b.lacking > mostLacking {
		b.lack, b.lacking = b.lack/2, b.lacking/2
	}
}

// mostLacking is how many segments the mean is taken of at most before old ones count less.
const mostLacking = 64

// usualLack is by how much a segment that fills up is short of segment.bytes: the batch that does
// not fit is the first of the next one.
func (b *burst) usualLack() model.Bytes {
	if b.lacking == 0 {
		return 0
	}
	return max(0, b.lack/model.Bytes(b.lacking))
}

// batch is the size of no batch, as far as was seen.
func (b *burst) batch(limit model.Bytes) model.Bytes {
	if b.filled < toldBy {
		return b.bytes
	}
	return min(b.bytes, max(2*b.short+limit/256, b.bytes/4))
}
