package fakebroker

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// Broker settings that this package acts on.
const (
	keyCheckInterval  = "log.retention.check.interval.ms"
	keyCleanerBackoff = "log.cleaner.backoff.ms"
	defaultBackoff    = 15 * time.Second
)

// brokerDefaults are the settings of a broker that no topic setting takes its default from.
// log.initial.task.delay.ms is not among them: a broker shows it only where it is set.
func brokerDefaults() map[string]string {
	return map[string]string{
		keyCheckInterval:                          "300000",
		keyCleanerBackoff:                         strconv.FormatInt(defaultBackoff.Milliseconds(), 10),
		"offsets.retention.minutes":               "10080",
		"offsets.retention.check.interval.ms":     "600000",
		"remote.log.manager.task.interval.ms":     "30000",
		"group.initial.rebalance.delay.ms":        "3000",
		"log.message.timestamp.after.max.ms":      "3600000",
		"log.message.timestamp.before.max.ms":     strconv.FormatInt(math.MaxInt64, 10),
		"remote.log.storage.system.enable":        "false",
		"unclean.leader.election.enable":          "false",
		"auto.leader.rebalance.enable":            "true",
		"leader.imbalance.check.interval.seconds": "300",
	}
}

// setting is a topic setting: its name, the broker setting that is its default (LogConfig's
// server default names), Kafka's own default, and what it means to the model.
type setting struct {
	name, broker, byDefault string
	set                     func(s *model.Settings, v value) error
}

// value is a setting's value and where it comes from.
type value struct {
	name, text string
	source     kmsg.ConfigSource
}

// topicSettings are the topic settings of Kafka that concern retention. internal.segment.bytes
// has no default: a broker shows it only where it is set.
func topicSettings() []setting {
	forever := strconv.FormatInt(math.MaxInt64, 10)
	ignored := func(*model.Settings, value) error { return nil }
	return []setting{
		{"cleanup.policy", "log.cleanup.policy", "delete", setPolicy},
		{"retention.ms", "log.retention.ms", "604800000", func(s *model.Settings, v value) error {
			s.RetentionMsSource = model.ConfigSource(v.source)
			return number(v, &s.RetentionMs)
		}},
		{"retention.bytes", "log.retention.bytes", "-1", func(s *model.Settings, v value) error {
			s.RetentionBytesSource = model.ConfigSource(v.source)
			return number(v, &s.RetentionBytes)
		}},
		{"segment.bytes", "log.segment.bytes", "1073741824", func(s *model.Settings, v value) error { return number(v, &s.SegmentBytes) }},
		{"internal.segment.bytes", "", "", func(s *model.Settings, v value) error { return number(v, &s.SegmentBytes) }},
		{"segment.ms", "log.roll.ms", "604800000", func(s *model.Settings, v value) error { return number(v, &s.SegmentMs) }},
		{"segment.jitter.ms", "log.roll.jitter.ms", "0", func(s *model.Settings, v value) error { return number(v, &s.SegmentJitterMs) }},
		{"segment.index.bytes", "log.index.size.max.bytes", "10485760", func(s *model.Settings, v value) error { return number(v, &s.SegmentIndexBytes) }},
		{"index.interval.bytes", "log.index.interval.bytes", "4096", func(s *model.Settings, v value) error { return number(v, &s.IndexIntervalBytes) }},
		{"max.compaction.lag.ms", "log.cleaner.max.compaction.lag.ms", forever, setCompactionLag},
		{"message.timestamp.type", "log.message.timestamp.type", "CreateTime", setTimestampType},
		{"file.delete.delay.ms", "log.segment.delete.delay.ms", "60000", func(s *model.Settings, v value) error { return number(v, &s.FileDeleteDelay) }},
		{"remote.storage.enable", "", "false", ignored}, // model.Log has no tiers
		{"local.retention.ms", "log.local.retention.ms", "-2", ignored},
		{"local.retention.bytes", "log.local.retention.bytes", "-2", ignored},
		{"remote.log.copy.disable", "", "false", ignored},
	}
}

func number[T ~int64](v value, to *T) error {
	n, err := strconv.ParseInt(v.text, 10, 64)
	if err != nil {
		return fmt.Errorf("%s: %w", v.name, err)
	}
	*to = T(n)
	return nil
}

func setPolicy(s *model.Settings, v value) error {
	policy, ok := model.ParsePolicy(v.text)
	if !ok {
		return fmt.Errorf("%s: unknown policy %q", v.name, v.text)
	}
	s.Policy = policy
	return nil
}

// setCompactionLag leaves 0, the model's word for no bound, where it is Kafka's: for ever.
func setCompactionLag(s *model.Settings, v value) error {
	err := number(v, &s.MaxCompactionLagMs)
	if s.MaxCompactionLagMs == math.MaxInt64 {
		s.MaxCompactionLagMs = 0
	}
	return err
}

func setTimestampType(s *model.Settings, v value) error {
	for _, t := range []model.TimestampType{model.CreateTime, model.LogAppendTime} {
		if v.text == t.String() {
			s.TimestampType = t
			return nil
		}
	}
	return fmt.Errorf("%s: unknown type %q", v.name, v.text)
}

// resolve is what a broker shows of a topic: its own settings, else the broker's, else Kafka's.
func (c *Cluster) resolve(own map[string]*string) []value {
	var out []value
	known := map[string]bool{}
	for _, s := range topicSettings() {
		known[s.name] = true
		mine, set := own[s.name]
		brokers, configured := c.broker[s.broker]
		switch {
		case set && mine != nil:
			out = append(out, value{s.name, *mine, kmsg.ConfigSourceDynamicTopicConfig})
		case configured:
			out = append(out, value{s.name, brokers, kmsg.ConfigSourceStaticBrokerConfig})
		case s.byDefault != "":
			out = append(out, value{s.name, s.byDefault, kmsg.ConfigSourceDefaultConfig})
		}
	}
	for name, v := range own {
		if !known[name] && v != nil {
			out = append(out, value{name, *v, kmsg.ConfigSourceDynamicTopicConfig})
		}
	}
	return out
}

// settingsOf is what the model makes of them.
func settingsOf(values []value) (model.Settings, error) {
	s := model.DefaultSettings()
	for _, one := range topicSettings() {
		for _, v := range values {
			if v.name != one.name {
				continue
			}
			if err := one.set(&s, v); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}
