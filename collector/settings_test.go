package collector

import (
	"maps"
	"math"
	"strconv"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// answered makes an answer out of a whole one and changes; an empty value takes a setting out.
func answered(whole, changes map[string]string) configs {
	values := maps.Clone(whole)
	maps.Copy(values, changes)
	var list []kmsg.DescribeConfigsResponseResourceConfig
	for name, text := range values {
		if text != "" {
			list = append(list, kmsg.DescribeConfigsResponseResourceConfig{Name: name, Value: &text, Source: kmsg.ConfigSourceDefaultConfig})
		}
	}
	return configValues(list)
}

func wholeTopic() map[string]string {
	return map[string]string{
		"cleanup.policy": "delete", "retention.ms": "604800000", "retention.bytes": "-1", "segment.bytes": "1073741824",
		"segment.ms": "604800000", "segment.jitter.ms": "7", "segment.index.bytes": "10485760", "index.interval.bytes": "4096",
		"max.compaction.lag.ms": strconv.Itoa(math.MaxInt64), "message.timestamp.type": "CreateTime", "file.delete.delay.ms": "60000",
	}
}

func TestTopicSettings(t *testing.T) {
	base := model.Settings{
		Policy: model.PolicyDelete, RetentionMs: 604_800_000, RetentionBytes: -1, SegmentBytes: 1 << 30, SegmentMs: 604_800_000,
		SegmentJitterMs: 7, SegmentIndexBytes: 10 << 20, IndexIntervalBytes: 4096, TimestampType: model.CreateTime, FileDeleteDelay: 60_000,
		LocalRetentionMs: -2, LocalRetentionBytes: -2, RetentionMsSource: model.SourceDefault, RetentionBytesSource: model.SourceDefault,
	}
	for name, test := range map[string]struct {
		changes map[string]string
		want    func(*model.Settings)
	}{
		"defaults":            {nil, func(*model.Settings) {}},
		"retention for ever":  {map[string]string{"retention.ms": "9223372036854775807"}, func(s *model.Settings) { s.RetentionMs = math.MaxInt64 }},
		"compact and delete":  {map[string]string{"cleanup.policy": "compact,delete"}, func(s *model.Settings) { s.Policy = model.PolicyCompactDelete }},
		"internal segment":    {map[string]string{"internal.segment.bytes": "20000"}, func(s *model.Settings) { s.SegmentBytes = 20_000 }},
		"append time":         {map[string]string{"message.timestamp.type": "LogAppendTime"}, func(s *model.Settings) { s.TimestampType = model.LogAppendTime }},
		"lag without compact": {map[string]string{"max.compaction.lag.ms": "100"}, func(*model.Settings) {}},
		"lag with compact": {map[string]string{"max.compaction.lag.ms": "100", "cleanup.policy": "compact"}, func(s *model.Settings) {
			s.Policy, s.MaxCompactionLagMs = model.PolicyCompact, 100
		}},
		"tiered": {map[string]string{"remote.storage.enable": "true", "local.retention.bytes": "5"}, func(s *model.Settings) {
			s.Tiered, s.LocalRetentionBytes = true, 5
		}},
	} {
		t.Run(name, func(t *testing.T) {
			expected := base
			test.want(&expected)
			if got, err := answered(wholeTopic(), test.changes).topic(); err != nil || got != expected {
				t.Errorf("have %+v and %v, want %+v", got, err, expected)
			}
		})
	}
}

func TestTopicSettingsThatDecideMustBeReadable(t *testing.T) {
	for _, name := range []string{"cleanup.policy", "retention.ms", "retention.bytes", "segment.bytes", "segment.ms", "message.timestamp.type"} {
		if _, err := answered(wholeTopic(), map[string]string{name: ""}).topic(); err == nil {
			t.Errorf("no error without %s", name)
		}
		if _, err := answered(wholeTopic(), map[string]string{name: "strange"}).topic(); err == nil {
			t.Errorf("no error with a strange %s", name)
		}
	}
}

func TestEmptyPolicyKeepsForEver(t *testing.T) {
	empty := ""
	list := []kmsg.DescribeConfigsResponseResourceConfig{{Name: "cleanup.policy", Value: &empty}}
	for name, text := range wholeTopic() {
		if name != "cleanup.policy" {
			list = append(list, kmsg.DescribeConfigsResponseResourceConfig{Name: name, Value: &text})
		}
	}
	if got, err := configValues(list).topic(); err != nil || got.Policy != model.PolicyNone {
		t.Errorf("have %v and %v", got.Policy, err)
	}
}

func TestBrokerSettings(t *testing.T) {
	whole := map[string]string{
		"log.retention.check.interval.ms": "300000", "log.cleaner.backoff.ms": "15000", "offsets.retention.minutes": "10080",
		"offsets.retention.check.interval.ms": "600000", "log.initial.task.delay.ms": "500", "remote.log.manager.task.interval.ms": "1000",
	}
	got, err := answered(whole, nil).broker()
	if want := (model.BrokerSettings{CheckInterval: 300_000, CleanerBackoff: 15_000, OffsetsRetention: 604_800_000, OffsetsCheck: 600_000, InitialTaskDelay: 500, RemoteTaskMs: 1000}); err != nil || got != want {
		t.Errorf("have %+v and %v, want %+v", got, err, want)
	}
	got, err = answered(whole, map[string]string{"log.initial.task.delay.ms": "", "remote.log.manager.task.interval.ms": ""}).broker()
	if err != nil || got.InitialTaskDelay != 30_000 || got.RemoteTaskMs != 30_000 {
		t.Errorf("have %+v and %v, want the built-in defaults of what is not shown", got, err)
	}
	if _, err := answered(whole, map[string]string{"log.retention.check.interval.ms": ""}).broker(); err == nil {
		t.Error("a check interval that is not answered is taken for one")
	}
}

func TestConfigsHideWhatHasNoValue(t *testing.T) {
	if got := configValues([]kmsg.DescribeConfigsResponseResourceConfig{{Name: "retention.ms"}}); len(got) != 0 {
		t.Errorf("have %v", got)
	}
}
