package disk

import (
	"bufio"
	"bytes"
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

// checkpoint reads an offset checkpoint (OffsetCheckpointFile): version 0, the number of entries,
// then "topic partition offset". It is replaced as a whole, so half of one is damage, and nothing
// of it is believed. A missing one is empty, and so is one without a byte: a broker makes it before
// it first writes it.
func checkpoint(path string) (map[model.PartitionKey]model.Offset, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(text) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read checkpoint: %w", err)
	}
	entries, err := parseCheckpoint(text)
	if err != nil {
		return nil, fmt.Errorf("read checkpoint %s: %w", path, err)
	}
	return entries, nil
}

func parseCheckpoint(text []byte) (map[model.PartitionKey]model.Offset, error) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	if !lines.Scan() || lines.Text() != "0" {
		return nil, errors.New("not of version 0")
	}
	if !lines.Scan() {
		return nil, errors.New("no number of entries")
	}
	count, err := strconv.Atoi(lines.Text())
	if err != nil {
		return nil, errors.New("no number of entries")
	}
	entries := map[model.PartitionKey]model.Offset{}
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) != 3 {
			return nil, fmt.Errorf("want topic, partition and offset, have %q", lines.Text())
		}
		partition, ok := number(words[1], 32)
		offset, fine := number(words[2], 64)
		if !ok || !fine {
			return nil, fmt.Errorf("want topic, partition and offset, have %q", lines.Text())
		}
		entries[model.PartitionKey{Topic: words[0], Partition: int32(partition)}] = model.Offset(offset)
	}
	if lines.Err() != nil || len(entries) != count {
		return nil, fmt.Errorf("%d entries, %d are announced", len(entries), count)
	}
	return entries, nil
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
