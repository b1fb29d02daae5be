package replay

import (
	"encoding/json"
	"fmt"
	"slices"

	"kafka-retention-exporter/model"
)

// vector is one line of a file.
type vector struct {
	Name   string
	Kafka  string
	Config json.RawMessage
	Steps  []step
	After  []state // one after each step
}

type step struct {
	Op      string
	Now     model.Instant
	Base    model.Offset
	Last    model.Offset
	Bytes   model.Bytes
	MaxTs   model.Instant `json:"max_ts"` // -1 for a batch without stamps
	HW      *model.Offset
	Offset  model.Offset
	Set     json.RawMessage
	Deleted int
}

type state struct {
	Start    model.Offset
	End      model.Offset
	HW       model.Offset
	Segments [][3]int64 // base, bytes, stamp or -1
}

func (s state) equal(o state) bool {
	return s.Start == o.Start && s.End == o.End && s.HW == o.HW && slices.Equal(s.Segments, o.Segments)
}

func stateOf(log *model.Log) (state, error) {
	s := state{Start: log.Start(), End: log.End(), HW: log.HighWatermark()}
	for _, segment := range log.Segments() {
		stamp := int64(-1)
		if segment.Stamped {
			stamp = int64(segment.Largest)
		}
		s.Segments = append(s.Segments, [3]int64{int64(segment.Base), int64(segment.Size), stamp})
	}
	if sum := model.TotalSize(log.Segments()); sum != log.Size() {
		return s, fmt.Errorf("log size %d is not the sum of its segments, %d", log.Size(), sum)
	}
	return s, nil
}
