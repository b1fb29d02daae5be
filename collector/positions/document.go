package positions

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"kafka-retention-exporter/model"
)

// Told is what a source said.
type Told struct {
	At      model.Instant // when it was true
	Offsets map[model.PartitionKey]model.Offset
}

// maxDocument is more than a quarter of a million positions take. What is larger is no document.
const maxDocument = 32 << 20

type document struct {
	At        *time.Time  `json:"at"`
	Positions *[]position `json:"positions"`
}

// position has pointers, so that what is left out is not taken for partition or offset 0.
type position struct {
	Topic     string `json:"topic"`
	Partition *int32 `json:"partition"`
	Offset    *int64 `json:"offset"`
}

// read takes in a document. written is when it was true unless it says so itself.
func read(r io.Reader, written model.Instant) (Told, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	if err == nil && len(text) > maxDocument {
		err = fmt.Errorf("more than %d bytes", maxDocument)
	}
	if err != nil {
		return Told{}, fmt.Errorf("read positions: %w", err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return Told{}, fmt.Errorf("read positions: %w", err)
	}
	if d.Positions == nil {
		return Told{}, errors.New(`read positions: want a list "positions"`)
	}
	told := Told{At: written}
	if d.At != nil {
		told.At = model.InstantOf(*d.At)
	}
	told.Offsets, err = offsets(*d.Positions)
	return told, err
}

func offsets(list []position) (map[model.PartitionKey]model.Offset, error) {
	out := make(map[model.PartitionKey]model.Offset, len(list))
	for i, p := range list {
		if p.Topic == "" || p.Partition == nil || p.Offset == nil || *p.Partition < 0 || *p.Offset < 0 {
			return nil, fmt.Errorf("read positions: entry %d: want topic, partition and offset, neither below 0", i+1)
		}
		key := model.PartitionKey{Topic: p.Topic, Partition: *p.Partition}
		if _, twice := out[key]; twice {
			return nil, fmt.Errorf("read positions: entry %d: partition %d of %s is there already", i+1, *p.Partition, p.Topic)
		}
		out[key] = model.Offset(*p.Offset)
	}
	return out, nil
}
