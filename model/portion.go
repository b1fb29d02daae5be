package model

import (
	"math"
	"unicode/utf16"
)

// Portion is what one exporter answers for where several divide a cluster among themselves: the
// groups and topics whose names fall on some of the partitions of __consumer_offsets. The zero
// Portion is the whole cluster. It is never changed once made.
type Portion struct {
	of   int32 // partitions of __consumer_offsets; 0 for the whole cluster
	mine map[int32]bool
}

// PortionOf is the portion that goes with the given partitions of __consumer_offsets, which has of
// in all. While that number is not known (0) nothing is in it.
func PortionOf(of int32, partitions []int32) Portion {
	p := Portion{of: max(of, 1), mine: map[int32]bool{}}
	for _, one := range partitions {
		if one >= 0 && one < of {
			p.mine[one] = true
		}
	}
	return p
}

// Whole tells whether nothing is left to others.
func (p Portion) Whole() bool { return len(p.mine) == int(p.of) }

// Owns tells whether a group or a topic of that name is in the portion.
func (p Portion) Owns(name string) bool { return p.Whole() || p.mine[OffsetsPartition(name, p.of)] }

// Keeps tells whether a partition of __consumer_offsets is in the portion.
func (p Portion) Keeps(partition int32) bool { return p.Whole() || p.mine[partition] }

// Equal tells whether two portions are the same.
func (p Portion) Equal(other Portion) bool {
	if p.of != other.of || len(p.mine) != len(other.mine) {
		return false
	}
	for one := range p.mine {
		if !other.mine[one] {
			return false
		}
	}
	return true
}

// OffsetsTopic is where coordinators keep groups and what they committed.
const OffsetsTopic = "__consumer_offsets"

// OffsetsPartition is the partition of __consumer_offsets, of the given number, that keeps a
// group: its name's Java hash as the coordinator takes it (GroupMetadataManager.partitionFor).
func OffsetsPartition(group string, of int32) int32 {
	var hash int32
	for _, unit := range utf16.Encode([]rune(group)) {
		hash = 31*hash + int32(unit)
	}
	switch {
	case hash == math.MinInt32: // has no positive counterpart; Utils.abs makes it 0
		return 0
	case hash < 0:
		hash = -hash
	}
	return hash % of
}
