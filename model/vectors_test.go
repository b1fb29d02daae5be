package model_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kafka-retention-exporter/model"
)

// A vector is what Kafka's own UnifiedLog did with one log under a mock clock.
type vector struct {
	Name   string
	Kafka  string
	Config json.RawMessage
	Steps  []step
	After  []state
}

type step struct {
	Op      string
	Now     model.Instant
	Base    model.Offset
	Last    model.Offset
	Bytes   model.Bytes
	MaxTs   model.Instant `json:"max_ts"`
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

// vectorSettings are a vector's settings by their names in the file. Decoding a change on top
// of the settings in force leaves what it does not name alone.
type vectorSettings struct {
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

// apply decodes a JSON object of settings over s; an unknown key or policy is an error.
func (s *vectorSettings) apply(object json.RawMessage) (model.Settings, error) {
	decoder := json.NewDecoder(strings.NewReader(string(object)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(s); err != nil {
		return model.Settings{}, fmt.Errorf("decode settings %s: %w", object, err)
	}
	policy, ok := model.ParsePolicy(s.CleanupPolicy)
	if !ok {
		return model.Settings{}, fmt.Errorf("decode settings: unknown policy %q", s.CleanupPolicy)
	}
	settings := model.DefaultSettings()
	settings.Policy = policy
	settings.RetentionMs, settings.RetentionBytes = s.RetentionMs, s.RetentionBytes
	settings.SegmentBytes, settings.SegmentMs = s.SegmentBytes, s.SegmentMs
	settings.SegmentJitterMs = s.SegmentJitterMs
	settings.IndexIntervalBytes, settings.SegmentIndexBytes = s.IndexIntervalBytes, s.SegmentIndexBytes
	if s.TimestampType == "LogAppendTime" {
		settings.TimestampType = model.LogAppendTime
	}
	return settings, nil
}

// TestVectors replays every recorded log and compares every state with Kafka's.
func TestVectors(t *testing.T) {
	files := vectorFiles(t)
	if len(files) == 0 {
		t.Skip("left out: the comparison with Kafka's own log class; no *.jsonl or *.jsonl.gz under testdata/vectors, and RETENTION_VECTORS is not set")
	}
	logs := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			logs += replayFile(t, file)
		})
	}
	if logs == 0 {
		t.Errorf("no vector in %v", files)
	}
	t.Logf("%d logs replayed", logs)
}

// vectorFiles lists the vector files of both folders. A folder named by the environment must
// hold some.
func vectorFiles(t *testing.T) []string {
	t.Helper()
	files := vectorFilesIn(t, filepath.Join("testdata", "vectors"))
	if folder := os.Getenv("RETENTION_VECTORS"); folder != "" {
		more := vectorFilesIn(t, folder)
		if len(more) == 0 {
			t.Fatalf("RETENTION_VECTORS=%s holds no *.jsonl or *.jsonl.gz", folder)
		}
		files = append(files, more...)
	}
	return files
}

func vectorFilesIn(t *testing.T, folder string) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*.jsonl", "*.jsonl.gz"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

// replayFile replays all logs of a file, stops at the third that differs, and returns how many
// there were.
func replayFile(t *testing.T, path string) (logs int) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var reader io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		if reader, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(reader)
	lines.Buffer(nil, 64<<20)
	for failed := 0; failed < 3 && lines.Scan(); logs++ {
		if err := replay(lines.Bytes()); err != nil {
			t.Error(err)
			failed++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return logs
}

// replay runs one vector; the error names it, the step, and both states.
func replay(line []byte) error {
	var v vector
	if err := json.Unmarshal(line, &v); err != nil {
		return fmt.Errorf("decode vector: %w", err)
	}
	if len(v.Steps) == 0 || len(v.Steps) != len(v.After) {
		return fmt.Errorf("%s: %d steps and %d states", v.Name, len(v.Steps), len(v.After))
	}
	release, err := model.ParseRelease(v.Kafka)
	if err != nil {
		return fmt.Errorf("%s: %w", v.Name, err)
	}
	var current vectorSettings
	settings, err := current.apply(v.Config)
	if err != nil {
		return fmt.Errorf("%s: %w", v.Name, err)
	}
	log := model.NewLog(settings, v.Steps[0].Now)
	log.SetRelease(release)
	before := stateOf(log)
	for i, s := range v.Steps {
		if err := run(log, s, &current); err != nil {
			return fmt.Errorf("%s, step %d %s at %d: %w\nbefore %+v\nkafka  %+v", v.Name, i, s.Op, s.Now, err, before, v.After[i])
		}
		got := stateOf(log)
		if !got.equal(v.After[i]) {
			return fmt.Errorf("%s, step %d %s at %d\nbefore %+v\nmodel  %+v\nkafka  %+v", v.Name, i, s.Op, s.Now, before, got, v.After[i])
		}
		before = got
	}
	return nil
}

// run performs one step; an error also where a pass deleted another number of segments.
func run(log *model.Log, s step, current *vectorSettings) error {
	switch s.Op {
	case "append":
		if err := log.Append(s.Now, model.Batch{Base: s.Base, Last: s.Last, Size: s.Bytes, MaxStamp: s.MaxTs, Stamped: s.MaxTs >= 0}); err != nil {
			return err
		}
		if s.HW != nil {
			log.SetHighWatermark(*s.HW)
		}
	case "hw":
		log.SetHighWatermark(*s.HW)
	case "delete_records":
		return log.DeleteRecords(s.Offset)
	case "config":
		settings, err := current.apply(s.Set)
		if err != nil {
			return err
		}
		log.Configure(settings)
	case "reload":
		log.Reload(s.Now)
	case "pass":
		if result := log.Pass(s.Now); result.Deleted != s.Deleted {
			return fmt.Errorf("model deleted %d segments, kafka %d", result.Deleted, s.Deleted)
		}
	default:
		return fmt.Errorf("unknown step %q", s.Op)
	}
	return nil
}

func stateOf(log *model.Log) state {
	s := state{Start: log.Start(), End: log.End(), HW: log.HighWatermark()}
	var sum model.Bytes
	for _, segment := range log.Segments() {
		stamp := int64(-1)
		if segment.Stamped {
			stamp = int64(segment.Largest)
		}
		sum += segment.Size
		s.Segments = append(s.Segments, [3]int64{int64(segment.Base), int64(segment.Size), stamp})
	}
	if sum != log.Size() {
		panic(fmt.Sprintf("log size %d is not the sum of its segments %d", log.Size(), sum))
	}
	return s
}

func (s state) equal(o state) bool {
	return s.Start == o.Start && s.End == o.End && s.HW == o.HW && slices.Equal(s.Segments, o.Segments)
}
