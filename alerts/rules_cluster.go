package alerts

import "time"

// clusterRules are about topics and volumes.
func clusterRules() []rule {
	return []rule{
		diskFilling(Critical, 5*time.Minute, func(t term) string { return t.soon(t.Page) }),
		diskFilling(Warning, 10*time.Minute, func(t term) string { return t.soon(t.Warn) }),
		{
			alert: "KafkaRetentionTopicFinding", severity: Info, scope: scopeOther,
			base: "max without (instance, pod) (kafka_retention_topic_finding{})",
			expr: func(t term) string { return t.x + " == 1" },
			wait: 15 * time.Minute, linger: 15 * time.Minute,
			summary: "Retention of a topic behaves otherwise than it looks.",
			description: topicQueries + "Topic {{ $labels.topic }}" + clusterText + " has the finding {{ $labels.finding }}.{{ if or $age $size }} What deletes its records is " + ruleText +
				".{{ end }} The runbook says what the finding means and how to put it right.",
		},
	}
}

func diskFilling(s Severity, wait time.Duration, expr func(term) string) rule {
	return rule{
		alert: "KafkaRetentionDiskFilling", severity: s, scope: scopeOther,
		base: "clamp_min(min without (instance, pod) (kafka_retention_volume_full_timestamp_seconds{}) - time(), 0)",
		expr: expr, wait: wait, linger: 15 * time.Minute,
		summary: "A volume of a broker fills before retention frees it.",
		description: "Broker {{ $labels.broker }}" + clusterText + ", directory {{ $labels.dir }}: the volume is full " +
			"{{ if lt $value 1.0 }}now{{ else }}in " + leftText + "{{ end }}, before retention frees enough. The broker then takes the directory offline, with every replica in it. " +
			"To buy time, give the largest topics a lower retention, after looking at who has not read them yet (the runbook has the commands).",
	}
}
