package committed

import (
	"encoding/binary"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector/compacted"
	"kafka-retention-exporter/model"
)

// Topic is where coordinators keep commits.
const Topic = model.OffsetsTopic

// Log is what was read of it. It is used by one goroutine at a time.
type Log struct {
	watches func(group, topic string) bool
	pairs   map[model.PairKey]*history
}

// NewLog keeps commits of the groups on topics that are watched.
func NewLog(watches func(group, topic string) bool) *Log {
	return &Log{watches: watches, pairs: map[model.PairKey]*history{}}
}

// The newest versions that are known: a key of a higher one is of something else than a commit, and
// a value of a higher one cannot be read.
const (
	lastKey   = 1
	lastValue = 4
)

// Take takes in one record.
func (l *Log) Take(r compacted.Record) {
	if len(r.Key) < 2 || binary.BigEndian.Uint16(r.Key) > lastKey {
		return
	}
	var key kmsg.OffsetCommitKey
	if err := key.ReadFrom(r.Key); err != nil || !l.watches(key.Group, key.Topic) {
		return
	}
	pair := model.PairKey{Group: key.Group, PartitionKey: model.PartitionKey{Topic: key.Topic, Partition: key.Partition}}
	c, ok := commitOf(r.Value)
	if !ok { // expired, deleted, or not to be understood
		delete(l.pairs, pair)
		return
	}
	h := l.pairs[pair]
	if h == nil {
		h = &history{partition: r.Partition}
		l.pairs[pair] = h
	}
	h.add(c)
}

// commitOf decodes a value; ok is false where there is none.
func commitOf(value []byte) (c commit, ok bool) {
	if len(value) < 2 || binary.BigEndian.Uint16(value) > lastValue {
		return c, false
	}
	var v kmsg.OffsetCommitValue
	if err := v.ReadFrom(value); err != nil || v.Offset < 0 || v.CommitTimestamp < 0 {
		return c, false
	}
	c = commit{offset: model.Offset(v.Offset), at: model.Instant(v.CommitTimestamp)}
	// What a client before Kafka 2.1 wished for; -1 where it left that to the broker.
	if v.Version == 1 && v.ExpireTimestamp >= 0 {
		c.expires = model.Known(model.Instant(v.ExpireTimestamp))
	}
	return c, true
}

// Forget lets go of what was read of one partition of the topic.
func (l *Log) Forget(partition int32) {
	for pair, h := range l.pairs {
		if h.partition == partition {
			delete(l.pairs, pair)
		}
	}
}

// Times adds to a commit when it was made, where it is among the newest that are kept. current
// tells of which partitions of the topic all was read.
func (l *Log) Times(pair model.PairKey, c model.Commit, current func(partition int32) bool) model.Commit {
	h := l.pairs[pair]
	if h == nil || !current(h.partition) {
		return c
	}
	if known, ok := h.find(c.Offset); ok {
		c.At, c.Expires = model.Known(known.at), known.expires
	}
	return c
}

// Earlier is how the pair came to where it is, oldest first and that included; it is told once. current is
// as with Times.
func (l *Log) Earlier(pair model.PairKey, current func(partition int32) bool) []model.Passed {
	h := l.pairs[pair]
	if h == nil || h.told || !current(h.partition) {
		return nil
	}
	return h.tell()
}
