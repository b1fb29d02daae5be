package alerts

import "time"

// Names of recorded series. A pair is a group on a partition, or on a topic where the exporter
// runs with granularity topic. Replicas of the exporter are merged in all of them.
const (
	topicRetention = "topic:kafka_retention_topic_retention_seconds:min"
	pairLost       = "pair:kafka_retention_group_lost:max"
	pairLostCount  = "pair:kafka_retention_group_lost_records:max"
	pairLeft       = "pair:kafka_retention_group_time_to_loss_seconds:min"
	pairLeftLatest = "pair:kafka_retention_group_time_to_latest_loss_seconds:min"
	pairLeftIdle   = "pair:kafka_retention_group_stopped_time_to_loss_seconds:min"
	pairBatch      = "pair:kafka_retention_group_batch:max"
	pairUsed       = "pair:kafka_retention_group_retention_used_ratio:max"
)

// memory is how long a value is good after its series is gone. Scrapes fail, and a group is not
// out of danger because nobody looks.
const memory = 15 * time.Minute

// pairRecords are in the section of the alerts that use them: a section is evaluated in order,
// so its alerts see what was recorded at the same instant.
func pairRecords() []record {
	return []record{
		{topicRetention, func(o Options) string {
			return remembered(o, "min", "kafka_retention_topic_retention_seconds")
		}},
		{pairLost, func(Options) string {
			return `max without (instance, pod, state) (kafka_retention_group_state{state="lost"})`
		}},
		{pairLostCount, func(Options) string {
			return "max without (instance, pod) (kafka_retention_group_lost_records_total)"
		}},
		{pairLeft, func(Options) string { return leftUntil("kafka_retention_group_loss_timestamp_seconds") }},
		{pairLeftLatest, func(Options) string { return leftUntil("kafka_retention_group_loss_latest_timestamp_seconds") }},
		// The runway counts for groups that stand still in front of unread records.
		{pairLeftIdle, func(Options) string {
			return leftUntil("kafka_retention_group_stopped_loss_timestamp_seconds") + "\n" +
				`  and max without (instance, pod, state) (kafka_retention_group_state{state=~"stalled|empty"})` + "\n" +
				"  and max without (instance, pod) (kafka_retention_group_lag_records) > 0"
		}},
		// A state of another name takes the place of this one; only where there is none is it remembered.
		{pairBatch, func(o Options) string {
			state := func(series string) string { return "max without (instance, pod, state) (" + series + ")" }
			const batch = `kafka_retention_group_state{state="batch"}`
			return state(batch) + "\nor\n" + state("last_over_time("+batch+"["+promDuration(o.window(memory))+"])") +
				"\n  unless " + state("kafka_retention_group_state")
		}},
		{pairUsed, func(o Options) string { return remembered(o, "max", "kafka_retention_group_retention_used_ratio") }},
	}
}

// leftUntil is the time to an instant of a pair, 0 when overdue. A lost pair has none: what
// is lost is not predicted as well.
func leftUntil(instant string) string {
	return "clamp_min(min without (instance, pod) (" + instant + ") - time(), 0)\n  unless " + pairLost
}

// remembered merges replicas, and takes the last value where all of them have none.
func remembered(o Options, merge, metric string) string {
	over := merge + " without (instance, pod) ("
	return over + metric + ")\nor\n" + over + "last_over_time(" + metric + "[" + promDuration(o.window(memory)) + "]))"
}
