package fakebroker

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// Record is one record to produce.
type Record struct {
	Stamp      model.Instant
	Key, Value []byte
}

// Where things are in a record batch of version 2.
const (
	batchPrefix = 12 // base offset and length, which the length does not count
	crcAt       = 17
	crcFrom     = 21 // the checksum covers all from here on
)

// encode makes one uncompressed batch. It is made by hand because a client decides for itself
// where one batch ends and the next begins, and segments roll between batches only.
func encode(records []Record) []byte {
	first, newest := records[0].Stamp, records[0].Stamp
	var body []byte
	for i, r := range records {
		newest = max(newest, r.Stamp)
		one := kmsg.NewRecord()
		one.OffsetDelta, one.TimestampDelta64 = int32(i), int64(r.Stamp-first)
		one.Key, one.Value = r.Key, r.Value
		one.Length = int32(len(one.AppendTo(nil)) - 1) // the length itself, 0 so far, is one byte
		body = one.AppendTo(body)
	}
	b := kmsg.NewRecordBatch()
	b.PartitionLeaderEpoch, b.Magic = -1, 2
	b.ProducerID, b.ProducerEpoch, b.FirstSequence = -1, -1, -1
	b.FirstTimestamp, b.MaxTimestamp = int64(first), int64(newest)
	b.NumRecords, b.LastOffsetDelta, b.Records = int32(len(records)), int32(len(records)-1), body
	b.Length = int32(len(b.AppendTo(nil)) - batchPrefix)
	raw := b.AppendTo(nil)
	sum := crc32.Checksum(raw[crcFrom:], crc32.MakeTable(crc32.Castagnoli))
	binary.BigEndian.PutUint32(raw[crcAt:], sum)
	return raw
}

// decode reads what the model needs of the batches in a fetch answer; one that the answer cuts
// off is left to the next.
func decode(raw []byte) (batches []model.Batch) {
	for len(raw) >= batchPrefix {
		var b kmsg.RecordBatch
		if err := b.ReadFrom(raw); err != nil {
			return batches
		}
		size := batchPrefix + int(b.Length)
		batches = append(batches, model.Batch{
			Base: model.Offset(b.FirstOffset), Last: model.Offset(b.FirstOffset + int64(b.LastOffsetDelta)),
			Size: model.Bytes(size), MaxStamp: model.Instant(b.MaxTimestamp), Stamped: b.MaxTimestamp >= 0,
		})
		raw = raw[size:]
	}
	return batches
}
