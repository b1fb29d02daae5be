package exporter

import (
	"math"
	"strconv"

	"kafka-retention-exporter/model"
)

var (
	topicRetention = gauge("topic_retention_seconds",
		"Effective retention.ms, the shortest that any leader of the topic applies; +Inf when off, or inert under compact-only or (unless tiered) the empty policy.", "topic")
	topicRetentionBytes = gauge("topic_retention_bytes",
		"Effective retention.bytes per partition, the smallest that any leader of the topic applies; +Inf when off or inert.", "topic")
	topicInfo = gauge("topic_info",
		"Constant 1; the labels tell the topic's cleanup policy, who stamps its records, and whether it is tiered.", "topic", "cleanup_policy", "timestamp_type", "tiered")
	topicFinding = gauge("topic_finding",
		"Constant 1 for a setting or a state that makes retention behave otherwise than it looks; /api/v1/check has evidence, consequence and cure.", "topic", "finding")
)

func topicFamilies() []*family {
	return []*family{topicRetention, topicRetentionBytes, topicInfo, topicFinding}
}

// applied are the settings that the leaders of one topic apply, put together.
type applied struct {
	seconds, bytes float64 // the tightest of them, +Inf where no leader has a limit
	info           model.Settings
	infoFrom       model.BrokerID // of the leaders that are known, the lowest id: leaders can differ
}

// topics sends the settings in force. A broker applies its own idea of them (a topic setting
// reaches it through the metadata log, a broker default never leaves it), so only leaders count.
func (v *view) topics(out samples) {
	for name, a := range ordered(v.appliedSettings()) {
		topic := labelled("topic", labelValue(name))
		out.number(topicRetention, a.seconds, topic)
		out.number(topicRetentionBytes, a.bytes, topic)
		out.number(topicInfo, 1, labelled("topic", labelValue(name), "cleanup_policy", a.info.Policy.String(),
			"timestamp_type", a.info.TimestampType.String(), "tiered", strconv.FormatBool(a.info.Tiered)))
	}
	for _, f := range v.findings {
		out.number(topicFinding, 1, labelled("topic", labelValue(f.Topic), "finding", f.Kind.String()))
	}
}

func (v *view) appliedSettings() map[string]applied {
	byTopic := map[string]applied{}
	if v.snapshot == nil {
		return byTopic
	}
	for key, p := range v.snapshot.Partitions {
		if !v.snapshot.Portion.Owns(key.Topic) {
			continue
		}
		if s, ok := v.leaderSettings(p); ok {
			before, known := byTopic[key.Topic]
			byTopic[key.Topic] = before.with(s, p.Leader, known)
		}
	}
	return byTopic
}

func (v *view) leaderSettings(p model.Partition) (none model.Settings, ok bool) {
	topic, ok := v.snapshot.Topics[p.Key.Topic]
	if !ok || !p.LeaderKnown {
		return none, false
	}
	broker := v.snapshot.Brokers[p.Leader]
	return v.fresh.settings(topic.Settings[p.Leader], topic.Unreadable, broker.LastAnswer)
}

// with adds the settings of one more leader; known is false for the first one.
func (a applied) with(s model.Settings, from model.BrokerID, known bool) applied {
	if !known {
		a = applied{seconds: math.Inf(1), bytes: math.Inf(1), info: s, infoFrom: from}
	}
	if ms, ok := s.TimeLimit(); ok {
		a.seconds = min(a.seconds, float64(ms)/1000)
	}
	if limit, ok := s.SizeLimit(); ok {
		a.bytes = min(a.bytes, float64(limit))
	}
	if from < a.infoFrom {
		a.info, a.infoFrom = s, from
	}
	return a
}
