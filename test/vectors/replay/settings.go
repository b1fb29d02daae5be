package replay

import (
	"bytes"
	"encoding/json"
	"fmt"

	"kafka-retention-exporter/model"
)

// settings are a vector's settings by their names in the file. A change is decoded on top of
// the settings in force, which leaves alone what it does not name.
type settings struct {
	CleanupPolicy      string       `json:"cleanup_policy"`
	RetentionMs        model.Millis `json:"retention_ms"`
	RetentionBytes     model.Bytes  `json:"retention_bytes"`
	SegmentBytes       model.Bytes  `json:"segment_bytes"`
	SegmentMs          model.Millis `json:"segment_ms"`
	SegmentJitterMs    model.Millis `json:"segment_jitter_ms"`
	TimestampType      string       `json:"timestamp_type"`
	IndexIntervalBytes model.Bytes  `json:"index_interval_bytes"`
	SegmentIndexBytes  model.Bytes  `json:"segment_index_bytes"`
}

// apply decodes a JSON object of settings over s; an unknown key, policy or stamp type is an
// error.
func (s *settings) apply(object json.RawMessage) (model.Settings, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(s); err != nil {
		return model.Settings{}, fmt.Errorf("decode settings %s: %w", object, err)
	}
	policy, ok := model.ParsePolicy(s.CleanupPolicy)
	if !ok {
		return model.Settings{}, fmt.Errorf("decode settings: unknown policy %q", s.CleanupPolicy)
	}
	out := model.DefaultSettings()
	out.Policy = policy
	out.RetentionMs, out.RetentionBytes = s.RetentionMs, s.RetentionBytes
	out.SegmentBytes, out.SegmentMs = s.SegmentBytes, s.SegmentMs
	out.SegmentJitterMs = s.SegmentJitterMs
	out.IndexIntervalBytes, out.SegmentIndexBytes = s.IndexIntervalBytes, s.SegmentIndexBytes
	switch s.TimestampType {
	case "CreateTime":
		out.TimestampType = model.CreateTime
	case "LogAppendTime":
		out.TimestampType = model.LogAppendTime
	default:
		return model.Settings{}, fmt.Errorf("decode settings: unknown stamp type %q", s.TimestampType)
	}
	return out, nil
}
