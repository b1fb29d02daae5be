package positions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"kafka-retention-exporter/collector/compacted"
	"kafka-retention-exporter/model"
)

// Connect says where Kafka Connect keeps the offsets of a source connector that reads topics, as
// MirrorMaker 2 does, and how they are written. A record's key is a list of the connector's name and a
// mapping that says what is read, its value a mapping that says how far:
//
//	["MirrorSourceConnector",{"cluster":"eu","partition":0,"topic":"orders"}]  {"offset":1041}
//
// Keys of other connectors, and such as name no topic and partition, are of no concern.
type Connect struct {
	Topic     string   // offset.storage.topic of the workers, mm2-offsets.NAME.internal of MirrorMaker 2
	Connector string   // by its name
	Brokers   []string // of the cluster that has the topic; nil for the one that is watched
	// Cluster is what the field "cluster" of the mapping must say; empty for anything.
	Cluster string
	// The fields by which the mappings name topic, partition and offset.
	TopicField, PartitionField, OffsetField string
	// Next is that the offset is the next one to be read, and not the last that was.
	Next bool
}

// MirrorMaker is how MirrorMaker 2 writes its offsets: of the last record that was copied
// (MirrorSourceTask goes on behind it).
func MirrorMaker() *Connect {
	return &Connect{TopicField: "topic", PartitionField: "partition", OffsetField: "offset"}
}

// validate tells what is wrong, if anything.
func (c *Connect) validate() error {
	switch {
	case c.Topic == "":
		return errors.New("connector: needs a connect-topic")
	case c.Connector == "":
		return errors.New("connector: want the name of a source connector")
	case c.TopicField == "" || c.PartitionField == "" || c.OffsetField == "":
		return errors.New("topic-field, partition-field and offset-field: want names")
	}
	return nil
}

// mostOffsets bounds what is kept of a connector, as a document is bounded.
const mostOffsets = 250_000

// connectLog is what was read of a connector's offsets, by the mapping that says what is read.
type connectLog struct {
	*Connect
	held map[string]connectOffset
}

type connectOffset struct {
	of    int32 // partition of the offsets topic
	key   model.PartitionKey
	next  model.Offset
	stamp model.Instant
	err   error // what is wrong with the value
}

// take takes in a record.
func (l *connectLog) take(r compacted.Record) {
	id, key, ok := l.read(r.Key)
	switch {
	case !ok:
	case r.Value == nil:
		delete(l.held, id)
	case len(l.held) < mostOffsets || l.held[id].key == key:
		next, err := l.offset(r.Value)
		l.held[id] = connectOffset{r.Partition, key, next, r.Stamp, err}
	}
}

// forget lets go of what is of one partition of the topic.
func (l *connectLog) forget(partition int32) {
	for id, o := range l.held {
		if o.of == partition {
			delete(l.held, id)
		}
	}
}

// read reads a key; id is the same however the fields of its mapping are arranged. ok is false where
// it is of no concern.
func (l *connectLog) read(text []byte) (id string, key model.PartitionKey, ok bool) {
	var pair []json.RawMessage
	var connector string
	if json.Unmarshal(text, &pair) != nil || len(pair) != 2 || json.Unmarshal(pair[0], &connector) != nil || connector != l.Connector {
		return "", key, false
	}
	fields := map[string]any{}
	if decode(pair[1], &fields) != nil || l.Cluster != "" && fields["cluster"] != l.Cluster {
		return "", key, false
	}
	topic, _ := fields[l.TopicField].(string)
	partition, isWhole := whole(fields[l.PartitionField])
	if topic == "" || !isWhole || partition < 0 || partition > 1<<31-1 {
		return "", key, false
	}
	canonical, err := json.Marshal(fields) // in the order of the names
	return string(canonical), model.PartitionKey{Topic: topic, Partition: int32(partition)}, err == nil
}

// offset reads a value: the next offset to be read.
func (l *connectLog) offset(text []byte) (model.Offset, error) {
	fields := map[string]any{}
	if err := decode(text, &fields); err != nil {
		return 0, err
	}
	offset, ok := whole(fields[l.OffsetField])
	if !ok || offset < -1 || offset == 1<<63-1 {
		return 0, fmt.Errorf("want an offset in field %s", l.OffsetField)
	}
	if !l.Next {
		offset++
	}
	return model.Offset(offset), nil
}

// decode keeps numbers as they are written.
func decode(text []byte, into *map[string]any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

func whole(field any) (int64, bool) {
	number, ok := field.(json.Number)
	if !ok {
		return 0, false
	}
	n, err := number.Int64()
	return n, err == nil
}

// told is all that is held. Workers write what has moved of all partitions together, so the newest
// record is when all of it was true.
func (l *connectLog) told() (t Told, err error) {
	if len(l.held) >= mostOffsets {
		return t, fmt.Errorf("%s has more than %d offsets", l.Connector, mostOffsets)
	}
	t = Told{Offsets: map[model.PartitionKey]model.Offset{}}
	for _, o := range l.held {
		if o.err != nil {
			return Told{}, fmt.Errorf("partition %d of %s: %w", o.key.Partition, o.key.Topic, o.err)
		}
		if _, twice := t.Offsets[o.key]; twice {
			return Told{}, fmt.Errorf("partition %d of %s is there twice: say which cluster is meant", o.key.Partition, o.key.Topic)
		}
		if t.At = max(t.At, o.stamp); o.next >= 0 { // else nothing was read yet
			t.Offsets[o.key] = o.next
		}
	}
	if len(l.held) == 0 {
		return Told{}, fmt.Errorf("%s has no offsets of %s for partitions of topics", l.Topic, l.Connector)
	}
	return t, nil
}
