package disk

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kafka-retention-exporter/model"
)

// The checkpoints of a log dir that are of use here.
const (
	startCheckpoint     = "log-start-offset-checkpoint"
	watermarkCheckpoint = "replication-offset-checkpoint"
)

// offsets are what a checkpoint tells of partitions.
type offsets map[model.PartitionKey]model.Offset

// checkpoints are those of one log dir. Another dir's say nothing of its replicas: while a replica is
// moved, the dir it goes to notes how far the copy is.
type checkpoints struct{ starts, watermarks offsets }

// readCheckpoints reads both; one that cannot be read is empty.
func readCheckpoints(dir string) (found checkpoints, wrong []error) {
	var first, second error
	found.starts, first = checkpoint(filepath.Join(dir, startCheckpoint))
	found.watermarks, second = checkpoint(filepath.Join(dir, watermarkCheckpoint))
	return found, []error{first, second}
}

// checkpoint reads an offset checkpoint (OffsetCheckpointFile): version 0, the number of entries,
// then "topic partition offset". It is replaced as a whole, so half of one is damage, and nothing
// of it is believed. A missing one is empty, and so is one without a byte: a broker makes it before
// it first writes it.
func checkpoint(path string) (offsets, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(text) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read checkpoint: %w", err)
	}
	entries, err := parseCheckpoint(string(text))
	if err != nil {
		return nil, fmt.Errorf("read checkpoint %s: %w", path, err)
	}
	return entries, nil
}

// parseCheckpoint keeps the text for the names of topics: it is read in each poll.
func parseCheckpoint(text string) (offsets, error) {
	version, text, _ := cutLine(text)
	if version != "0" {
		return nil, errors.New("not of version 0")
	}
	line, text, _ := cutLine(text)
	count, err := strconv.Atoi(line)
	if err != nil {
		return nil, errors.New("no number of entries")
	}
	entries := make(offsets, max(0, min(count, len(text)/leastEntry)))
	for more := text != ""; more; {
		line, text, more = cutLine(text)
		key, offset, ok := parseEntry(line)
		if !ok {
			return nil, fmt.Errorf("want topic, partition and offset, have %q", line)
		}
		entries[key] = offset
	}
	if len(entries) != count {
		return nil, fmt.Errorf("%d entries, %d are announced", len(entries), count)
	}
	return entries, nil
}

// leastEntry is the bytes of the shortest one: a letter and two digits, with what is between and behind.
const leastEntry = len("t 0 0\n")

// cutLine takes a line off a text; more tells whether another one follows.
func cutLine(text string) (line, rest string, more bool) {
	line, rest, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r"), rest, rest != ""
}

func parseEntry(line string) (key model.PartitionKey, offset model.Offset, ok bool) {
	var words [3]string
	n := 0
	for word := range strings.FieldsSeq(line) {
		if n == len(words) {
			return key, 0, false
		}
		words[n] = word
		n++
	}
	partition, ok := number(words[1], 32)
	at, fine := number(words[2], 64) // those that are missing are no numbers
	return model.PartitionKey{Topic: words[0], Partition: int32(partition)}, model.Offset(at), ok && fine
}

// identity is whose log dir it is (meta.properties).
type identity struct {
	broker  model.BrokerID
	cluster string
}

func readIdentity(dir string) (identity, error) {
	var id identity
	values, err := properties(filepath.Join(dir, "meta.properties"), "=")
	if err != nil {
		return id, err
	}
	node := values["node.id"] // version 1, of KRaft
	if node == "" {
		node = values["broker.id"]
	}
	n, ok := number(node, 32)
	if !ok {
		return id, fmt.Errorf("read meta.properties of %s: no node.id", dir)
	}
	return identity{model.BrokerID(n), values["cluster.id"]}, nil
}

// topicID reads partition.metadata; zero where there is none, as before Kafka 2.8.
func topicID(f *folder) model.TopicID {
	in, err := f.small("partition.metadata")
	if err != nil {
		return model.TopicID{}
	}
	defer in.close()
	text, err := in.view(0, int(min(in.size, blockSize)))
	if err != nil {
		return model.TopicID{}
	}
	raw, err := base64.RawURLEncoding.DecodeString(valuesOf(text, ":")["topic_id"])
	if err != nil || len(raw) != len(model.TopicID{}) {
		return model.TopicID{}
	}
	return model.TopicID(raw)
}

// properties reads lines of name, separator and value.
func properties(path, separator string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read properties: %w", err)
	}
	return valuesOf(text, separator), nil
}

func valuesOf(text []byte, separator string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), separator); ok && !strings.HasPrefix(name, "#") {
			values[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return values
}
