package main

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

// detailUID is the address of the page of one group and partition; the overview links to it.
const detailUID = "kafka-retention-group-partition"

// groupAndPartition shows one group on one partition: where it stands, and what comes.
func groupAndPartition() (classic, error) {
	known := func(s scope) string { return "kafka_retention_group_lost_records_total{" + string(s) + "}" }
	variables := append(sourceVariables(),
		one("group", "Group", "One consumer group.", known(clusters), "consumergroup"),
		one("topic", "Topic", "One of its topics.", known(oneGroup), "topic"),
		one("partition", "Partition", "One of its partitions.", known(oneGroupOn), "partition"))
	return page{
		uid: detailUID, title: "Kafka retention / Group and partition",
		text: "Where one group stands in one log, and when retention reaches it. The range ends in the future, where the forecast is drawn.",
		from: "now-12h", to: "now+12h", variables: variables,
		sections: []section{
			{"$group on $topic, partition $partition, now", panels(
				stateNow(), timeLeftNow(), lossNow(), stoppedNow(), usedNow(), unreadNow(), lostSoFar(), exposedNow(), expiryNow(), nextDeletion())},
			{"The log, and the forecast drawn forward", panels(logAhead())},
			{"Time and bytes", panels(band(), bytesAgainstCap(), ageAgainstRetention(), stateOverTime())},
			{"All partitions of $group on $topic", panels(partitions())},
			{"Audit: how good the forecasts of this exporter were", audit()},
		},
	}.build()
}

func stateNow() panel {
	return atPresent(figure(about{"State", "How the group stands on the partition. Lost comes before everything else and ends with a commit at or above the log start.", units.NoUnit, 4, 4},
		query{maxBy("state", onePair.of("group_state")), "{{state}}"}).TextMode(common.BigValueTextModeName))
}

func timeLeftNow() panel {
	return atPresent(figure(about{"Time left", "Time until retention deletes the first record the group has not read, by the best estimate; and the runway: the same if the group stopped now.", units.DurationSeconds, 5, 4},
		query{left(minBy(byCluster, onePair.of("group_loss_timestamp_seconds"))), "at this pace"},
		query{left(minBy(byCluster, onePair.of("group_stopped_loss_timestamp_seconds"))), "if it stops"}).
		Mappings(unlimited(noLoss)).Thresholds(timeLeftSteps()))
}

func lossNow() panel {
	at := func(name string) string { return milliseconds(minBy(byCluster, onePair.of(name))) }
	return atPresent(figure(about{"Loss", "The instant of the loss by the best estimate, between the edges of its 90 % band.", units.DatetimeISO, 9, 4},
		query{at("group_loss_earliest_timestamp_seconds"), "earliest"},
		query{at("group_loss_timestamp_seconds"), "estimate"},
		query{at("group_loss_latest_timestamp_seconds"), "latest"}).
		Mappings(unlimited(noLoss)))
}

func stoppedNow() panel {
	return atPresent(figure(about{"Promised until", "The floor: if the group stopped now, nothing it has not read is deleted before this instant, unless settings change, records are deleted by hand, or a replica that is ahead takes over.", units.DatetimeISO, 6, 4},
		query{milliseconds(minBy(byCluster, onePair.of("group_stopped_loss_floor_timestamp_seconds"))), "floor"}).
		Mappings(unlimited("for ever")))
}

func usedNow() panel {
	return atPresent(figure(about{"Retention used", "Share of the topic's retention that the lag has used, in time or bytes, whichever is more. Above 100 %: the next retention pass deletes unread records.", units.PercentUnit, 4, 4},
		query{maxBy(byCluster, onePair.of("group_retention_used_ratio")), "used"}).Thresholds(usedSteps()))
}

func unreadNow() panel {
	return atPresent(figure(about{"Unread", "Offsets from the position, or the log start if that is higher, to the end.", units.Short, 4, 4},
		query{maxBy(byCluster, onePair.of("group_lag_records")), "unread"}))
}

func lostSoFar() panel {
	return atPresent(figure(about{"Lost so far", "Offsets deleted before the group read them, since the exporter started. An upper bound of records.", units.Short, 4, 4},
		query{maxBy(byCluster, onePair.of("group_lost_records_total")), "lost"}).Thresholds(steps(good, from(1, bad))))
}

func exposedNow() panel {
	return atPresent(figure(about{"Lost by a failover", "Unread offsets that would be gone if the in-sync replica that is furthest ahead became leader. Unknown: followers cannot be asked.", units.Short, 4, 4},
		query{maxBy(byCluster, onePair.of("group_failover_exposed_records")), "exposed"}).Thresholds(steps(good, from(1, nearing))))
}

func expiryNow() panel {
	return atPresent(figure(about{"Position expires in", "Time until the broker may delete the group's committed offsets themselves (offsets.retention.minutes), after which it starts where auto.offset.reset says.", units.DurationSeconds, 4, 4},
		query{left(minBy(byCluster, oneGroup.of("group_offsets_expire_timestamp_seconds"))), "expiry"}).
		Mappings(unlimited("not while it reads")).Thresholds(timeLeftSteps()))
}

func nextDeletion() panel {
	return atPresent(figure(about{"Next deletion here", "When the broker next deletes anything of this partition, by estimate, read or not.", units.DurationSeconds, 4, 4},
		query{left(minBy(byCluster, onePartition.of("partition_next_deletion_timestamp_seconds"))), "next deletion"}).
		Mappings(unlimited("nothing to delete")))
}

// Names of the lines of logAhead; those that are drawn forward are styled by them.
const forecastLine = "forecast: "

func logAhead() panel {
	line := func(s scope, metric string) string { return maxBy(byCluster, s.of(metric)) }
	dashed := []dashboard.DynamicConfigValue{
		property("custom.lineStyle", map[string]any{"fill": "dash", "dash": []int{6, 6}}), property("custom.lineWidth", 2),
	}
	return chart(about{"Log start, position and end", "Offsets. What lies between log start and end can be read; what lies between position and end is not read yet. Right of the present: position and end go on at the pace of the last minutes, and a straight line leads from the log start to where it meets the position, at the forecast instant of the loss. Its ends are the forecast; between them a real log start moves by whole segments. No such line: no loss in sight, or none known. Failover start is where clients would stand if the in-sync replica that is furthest ahead led.", units.LocaleFormat, 24, 14},
		query{line(onePartition, "partition_log_start_offset"), "log start {{kafka_cluster}}"},
		query{line(onePair, "group_committed_offset"), "position {{kafka_cluster}}"},
		query{line(onePartition, "partition_end_offset"), "end {{kafka_cluster}}"},
		query{line(onePartition, "partition_failover_log_start_offset"), "failover start {{kafka_cluster}}"},
		query{logStartAhead(), forecastLine + "log start {{kafka_cluster}}"},
		query{positionAhead(), forecastLine + "position {{kafka_cluster}}"},
		query{endAhead(), forecastLine + "end {{kafka_cluster}}"},
	).LineWidth(2).
		OverrideByRegexp("/^"+forecastLine+"/", dashed).
		OverrideByRegexp("/log start/", colour(bad)).OverrideByRegexp("/position/", colour("blue")).
		OverrideByRegexp("/end/", colour(good)).OverrideByRegexp("/failover/", colour(nearing))
}

func colour(name string) []dashboard.DynamicConfigValue {
	return []dashboard.DynamicConfigValue{property("color", map[string]any{"mode": "fixed", "fixedColor": name})}
}

func band() panel {
	until := func(name string) string { return finite(left(minBy(byCluster, onePair.of(name)))) }
	return chart(about{"Time left, as it was forecast", "The estimate between the edges of its 90 % band, the runway if the group stops, and the floor that is promised. Good forecasts run down at one second per second. Lines end where no loss is in sight.", units.DurationSeconds, 12, 9},
		query{until("group_loss_timestamp_seconds"), "estimate {{kafka_cluster}}"},
		query{until("group_loss_earliest_timestamp_seconds"), "earliest {{kafka_cluster}}"},
		query{until("group_loss_latest_timestamp_seconds"), "latest {{kafka_cluster}}"},
		query{until("group_stopped_loss_timestamp_seconds"), "if it stops {{kafka_cluster}}"},
		query{until("group_stopped_loss_floor_timestamp_seconds"), "floor {{kafka_cluster}}"},
	).Min(0).OverrideByRegexp("/^latest/", []dashboard.DynamicConfigValue{property("custom.fillBelowTo", "earliest ")})
}

func bytesAgainstCap() panel {
	return chart(about{"Bytes against the cap", "Size of the log, retention.bytes of the topic where it is set, and how much the next deletion takes. The broker deletes whole segments, so the log may stand above the cap by less than one segment and the active one.", units.BytesIEC, 12, 9},
		query{maxBy(byCluster, onePartition.of("partition_size_bytes")), "log {{kafka_cluster}}"},
		query{finite(minBy(byCluster, oneTopic.of("topic_retention_bytes"))), "cap {{kafka_cluster}}"},
		query{maxBy(byCluster, onePartition.of("partition_next_deletion_bytes")), "next deletion {{kafka_cluster}}"},
	).Min(0)
}

func ageAgainstRetention() panel {
	age := func(stamp string) string { return fmt.Sprintf("time() - %s", minBy(byCluster, stamp)) }
	return chart(about{"Age against retention", "Age of the oldest record in the log, age of the next record the group reads (its lag in time), and retention.ms of the topic where it is set.", units.DurationSeconds, 12, 8},
		query{age(onePartition.of("partition_oldest_record_timestamp_seconds")), "oldest record {{kafka_cluster}}"},
		query{age(onePair.of("group_next_record_timestamp_seconds")), "next unread record {{kafka_cluster}}"},
		query{finite(minBy(byCluster, oneTopic.of("topic_retention_seconds"))), "retention {{kafka_cluster}}"},
	).Min(0)
}

func stateOverTime() panel {
	return timeline(about{"State over time", "The states the group was in; each row is one state.", units.NoUnit, 12, 8},
		query{maxBy("state", onePair.of("group_state")), "{{state}}"}).
		ShowValue(common.VisibilityModeNever)
}

func partitions() panel {
	const byPartition = byCluster + ", partition"
	pair := func(metric string) string { return oneGroupOn.of(metric) }
	return atPresent(grid(about{"All partitions of the group on the topic", "Where the group stands on each partition, the one that loses soonest first.", units.NoUnit, 24, 9},
		"Time left",
		label("Cluster", "kafka_cluster"), label("Partition", "partition"), label("State", "state"),
		timeLeft("Time left", left(minBy(byPartition, pair("group_loss_timestamp_seconds"))), noLoss),
		when("Loss", minBy(byPartition, pair("group_loss_timestamp_seconds")), "none"),
		timeLeft("Runway", left(minBy(byPartition, pair("group_stopped_loss_timestamp_seconds"))), "endless"),
		used(maxBy(byPartition, pair("group_retention_used_ratio"))),
		value("Unread", units.Short, maxBy(byPartition, pair("group_lag_records"))),
		value("Lost so far", units.Short, maxBy(byPartition, pair("group_lost_records_total"))),
		rows(maxBy(byPartition+", state", pair("group_state"))),
	))
}

// audit is about the whole cluster: the exporter scores its forecasts together.
func audit() []panel {
	counted := func(metric, by string) string { return sumBy(by, increase(clusters.of(metric), "$__range")) }
	const unscored = "not scored yet"
	quantile := func(q string) string {
		return fmt.Sprintf("histogram_quantile(%s, %s) >= 0", q, sumBy(byCluster+", le", increase(clusters.of("audit_deadline_error_seconds_bucket"), "$__range")))
	}
	return panels(
		atPresent(figure(about{"Forecasts scored", "Deadlines that have passed and were compared with what the log start did.", units.Short, 6, 4},
			query{counted("audit_deadlines_total", byCluster), "scored"}).NoValue(unscored)),
		atPresent(figure(about{"Inside the band", "Share of scored forecasts whose loss came within the 90 % band.", units.PercentUnit, 6, 4},
			query{counted("audit_band_hits_total", byCluster) + " / (" + counted("audit_deadlines_total", byCluster) + " > 0)", "inside"}).NoValue(unscored)),
		atPresent(figure(about{"Broken promises", "Floors before which records were deleted, by cause. Every cause but unexplained is one that the promise excepts.", units.Short, 6, 4},
			query{counted("audit_floor_violations_total", "cause"), "{{cause}}"}).NoValue(unscored)),
		atPresent(figure(about{"Error", "Median and 90th percentile of the absolute error of scored forecasts.", units.DurationSeconds, 6, 4},
			query{quantile("0.5"), "median"}, query{quantile("0.9"), "90 %"}).NoValue(unscored)),
	)
}
