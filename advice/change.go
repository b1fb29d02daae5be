package advice

import (
	"fmt"
	"strconv"
	"strings"

	"kafka-retention-exporter/model"
)

// Change is one setting that is to be tried, as kafka-configs.sh would take it.
type Change struct {
	Name, Value string
	apply       func(*model.Settings)
}

// ParseChange reads "name=value". Names are the topic settings that decide what is kept.
func ParseChange(text string) (Change, error) {
	name, value, found := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !found {
		return Change{}, fmt.Errorf("read change %q: want name=value", text)
	}
	apply, err := applying(name, value)
	if err != nil {
		return Change{}, fmt.Errorf("read change %q: %w", text, err)
	}
	return Change{name, value, apply}, nil
}

// String is the change as it was given.
func (c Change) String() string { return c.Name + "=" + c.Value }

func applying(name, value string) (func(*model.Settings), error) {
	if name == "cleanup.policy" {
		policy, ok := model.ParsePolicy(strings.Trim(value, "[]"))
		if !ok {
			return nil, fmt.Errorf("unknown policy %s", value)
		}
		return func(s *model.Settings) { s.Policy = policy }, nil
	}
	limits := map[string]struct {
		least int64
		apply func(*model.Settings, int64)
	}{
		"retention.ms": {-1, func(s *model.Settings, n int64) {
			s.RetentionMs, s.RetentionMsSource = model.Millis(n), model.SourceTopic
		}},
		"retention.bytes": {-1 << 63, func(s *model.Settings, n int64) {
			s.RetentionBytes, s.RetentionBytesSource = model.Bytes(n), model.SourceTopic
		}},
		"segment.bytes":        {14, func(s *model.Settings, n int64) { s.SegmentBytes = model.Bytes(n) }},
		"segment.ms":           {1, func(s *model.Settings, n int64) { s.SegmentMs = model.Millis(n) }},
		"file.delete.delay.ms": {0, func(s *model.Settings, n int64) { s.FileDeleteDelay = model.Millis(n) }},
	}
	limit, ok := limits[name]
	if !ok {
		return nil, fmt.Errorf("%s is not a setting that is looked at", name)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("want a whole number: %w", err)
	}
	if n < limit.least {
		return nil, fmt.Errorf("a broker takes no less than %d", limit.least)
	}
	return func(s *model.Settings) { limit.apply(s, n) }, nil
}

// changed is the settings after the changes.
func changed(s model.Settings, changes []Change) model.Settings {
	for _, c := range changes {
		c.apply(&s)
	}
	return s
}
