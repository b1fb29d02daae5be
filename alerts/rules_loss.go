package alerts

import "time"

// pairRules are about unread records and the retention that is coming for them.
func pairRules() []rule {
	return []rule{
		recordsLost(),
		{
			alert: "KafkaRetentionLossCertain", severity: Critical, scope: scopePair, base: pairLeftLatest + "{}",
			expr: func(t term) string { return t.within(t.Page, pagePart) },
			wait: 2 * time.Minute, linger: 15 * time.Minute,
			summary:     "Consumer group is about to lose records to retention, even by the latest estimate.",
			description: predicted + " Even the late edge of the 90 % band is inside the horizon." + buyTime,
		},
		lossPredicted(Critical, 2*time.Minute, func(t term) string { return t.within(t.Page, pagePart) }),
		lossPredicted(Warning, 10*time.Minute, func(t term) string { return t.within(t.Warn, warnPart) }),
		{
			alert: "KafkaRetentionGroupStopped", severity: Warning, scope: scopePair, base: pairLeftIdle + "{}",
			expr: func(t term) string { return t.within(t.Warn, warnPart) },
			wait: 10 * time.Minute, linger: 15 * time.Minute,
			summary:     "Consumer group has stopped, and retention is coming for its unread records.",
			description: who + " reads nothing. " + lossWhen + buyTime,
		},
		{
			alert: "KafkaRetentionHalfUsed", severity: Warning, scope: scopePair, base: pairUsed + "{}",
			// Not only once firing: a ratio that wobbles about the threshold is one alert, not none.
			// A group that works in runs and is on time lets its records get old, and that is no news.
			expr: func(t term) string {
				over, late := t.x+" > "+number(t.Used), "\n  unless "+pairBatch
				return over + late + "\nor\n" + over + usedMargin + late + "\n  " + t.itself("")
			},
			wait: 5 * time.Minute, linger: 5 * time.Minute,
			summary: "Consumer group has used more than its share of the retention.",
			description: topicQueries + pairQueries + whoText +
				" has used {{ $value | humanizePercentage }} of the retention: " + pairRuleText + " is what deletes here, and " + unreadText + " are in front of it." + buyTime,
		},
		{
			alert: "KafkaRetentionFailoverExposed", severity: Warning, scope: scopePair,
			base: "max without (instance, pod) (kafka_retention_group_failover_exposed_records{})",
			expr: func(t term) string { return t.x + " > 0" },
			wait: 10 * time.Minute, linger: 10 * time.Minute,
			summary: "A change of leader would lose unread records.",
			description: topicQueries + whoText + " would lose {{ printf \"%.0f\" $value }} unread records if the in-sync replica that is furthest ahead became leader: " +
				ruleText + " has deleted them there already. Do not move leaders or restart the leader until the group has read past them." + buyTime,
		},
		forecastUnknown(),
	}
}

// lossPredicted is one alert at two severities, so that one page tells all about it and the
// critical one mutes the warning.
func lossPredicted(s Severity, wait time.Duration, expr func(term) string) rule {
	return rule{
		alert: "KafkaRetentionLossPredicted", severity: s, scope: scopePair, base: pairLeft + "{}",
		expr: expr, wait: wait, linger: 15 * time.Minute,
		summary:     "Consumer group is predicted to lose records to retention.",
		description: predicted + buyTime,
	}
}

// recordsLost fires when a counter rises, and stays for as long as the group stands below the log
// start. A pair that is lost when it is first seen is an old story and does not fire.
func recordsLost() rule {
	const counter = "kafka_retention_group_lost_records_total"
	return rule{
		alert: "KafkaRetentionRecordsLost", severity: Critical, scope: scopePair, base: pairLostCount + "{}",
		expr: func(t term) string {
			window := promDuration(t.window(memory))
			risen := "max without (instance, pod) (increase(" + counter + "[" + window + "])) > 0"
			// A series whose first sample is not 0 has risen between two scrapes, if the exporter
			// had polled before. After a restart it had not, or the pair was known.
			born := pairLostCount + " > 0\n" +
				"  unless max without (instance, pod) (present_over_time(" + counter + "[" + window + "] offset " + window + "))\n" +
				"  and ignoring (consumergroup, topic, partition) max without (instance, pod) (kafka_retention_last_poll_timestamp_seconds offset " + window + ")"
			stays := pairLost + "\n  " + t.itself(firing)
			return t.x + "\nand (\n" + indent(risen+"\nor\n"+born+"\nor\n"+stays) + "\n)"
		},
		linger:      15 * time.Minute,
		summary:     "Retention has deleted records that the consumer group had not read.",
		description: lostText,
	}
}

// groupRules are about a group as a whole.
func groupRules() []rule {
	return []rule{
		{
			alert: "KafkaRetentionOffsetsExpiring", severity: Warning, scope: scopeGroup,
			base: "clamp_min(min without (instance, pod) (kafka_retention_group_offsets_expire_timestamp_seconds{}) - time(), 0)",
			// Half the horizon: where offsets are kept for a day, a nightly job is not news.
			expr: func(t term) string { return t.soon(t.Warn / 2) },
			wait: 10 * time.Minute, linger: 15 * time.Minute,
			summary: "Committed offsets of a consumer group are about to expire.",
			description: "The committed offsets of group {{ $labels.consumergroup }}" + clusterText + " may be deleted by the broker {{ if lt $value 1.0 }}at any moment{{ else }}in " + leftText + "{{ end }}: " +
				"offsets.retention.minutes is the rule. The group then starts where auto.offset.reset says, and skips or repeats records. " +
				"To buy time, start one consumer of the group, or commit its offsets again as they are (the runbook has the command).",
		},
	}
}
