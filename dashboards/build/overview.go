package main

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

// overview answers who loses data when.
func overview() (classic, error) {
	variables := append(sourceVariables(),
		several("group", "Group", "Consumer groups.", string("kafka_retention_group_lost_records_total{"+clusters+"}"), "consumergroup"),
		several("topic", "Topic", "Topics.", string("kafka_retention_topic_info{"+clusters+"}"), "topic"))
	return page{
		uid: "kafka-retention-overview", title: "Kafka retention / Overview",
		text: "Which consumer groups lose records to retention, and when.",
		from: "now-24h", to: "now", variables: variables,
		sections: []section{
			{"Now", panels(nextLoss(), lostNow(), withinADay(), halfUsed(), recordsLost(), unknownNow())},
			{"Who loses data when", panels(whoLosesWhen())},
			{"Groups over time", panels(heatStrip(), usedOverTime(), runwayOverTime(), lostOverTime(), states())},
			{"Topics and volumes", panels(findings(), settings(), volumes())},
		},
	}.build()
}

// loss is the loss instant of each pair, the earliest that any replica of the exporter says.
func loss() string { return minBy(byPair, pairs.of("group_loss_timestamp_seconds")) }

func nextLoss() panel {
	return figure(about{"Next loss", "Time until retention deletes the first record that a group has not read yet, by the best estimate. Zero: it has happened, or happens at the next retention pass. Unknown: no group has a forecast.", units.DurationSeconds, 4, 4},
		query{left("min(" + pairs.of("group_loss_timestamp_seconds") + ")"), "next loss"}).
		Mappings(unlimited(noLoss)).Thresholds(timeLeftSteps())
}

func lostNow() panel {
	lost := fmt.Sprintf("count(%s)", maxBy(byPair, pairs.where(`state="lost"`).of("group_state")))
	return figure(about{"Lost", "Pairs of group and partition whose position has been deleted: the group has lost records and has not committed past the gap yet.", units.NoUnit, 4, 4},
		query{orZero(lost, clusters), "lost"}).Thresholds(steps(good, from(1, bad)))
}

func withinADay() panel {
	soon := fmt.Sprintf("count(%s - time() < 24 * 3600 > 0)", loss())
	return figure(about{"Loss within a day", "Pairs of group and partition whose loss is forecast for the next 24 hours, those already lost not counted.", units.NoUnit, 4, 4},
		query{orZero(soon, clusters), "within a day"}).Thresholds(steps(good, from(1, nearing)))
}

func halfUsed() panel {
	half := fmt.Sprintf("count(%s > 0.5)", maxBy(byPair, pairs.of("group_retention_used_ratio")))
	return figure(about{"Half used", "Pairs of group and partition whose lag has used more than half of the topic's retention, in time or in bytes.", units.NoUnit, 4, 4},
		query{orZero(half, clusters), "half used"}).Thresholds(steps(good, from(1, nearing)))
}

func recordsLost() panel {
	lost := maxBy(byPair, increase(pairs.of("group_lost_records_total"), "$__range"))
	return figure(about{"Records lost in the range", "Offsets that retention deleted before a group had read them, within the time range of this page. An upper bound of records: transaction markers have offsets too.", units.Short, 4, 4},
		query{fmt.Sprintf("sum(%s)", lost), "records"}).Thresholds(steps(good, from(1, bad)))
}

func unknownNow() panel {
	return figure(about{"Without a forecast", "Pairs of group and partition of which it cannot be told when they lose records, whatever the group. Exporter health has the reasons.", units.NoUnit, 4, 4},
		query{fmt.Sprintf("sum(%s)", maxBy(byCluster+", reason", clusters.of("forecasts_unknown"))), "unknown"}).
		Thresholds(steps(good, from(1, nearing)))
}

// rowsShown bounds the table: a browser slows down long before a large cluster ends.
const rowsShown = 500

func whoLosesWhen() panel {
	soonest := func(expr string) string { return foremost(rowsShown, "bottomk", byPair, loss(), expr) }
	detail := opens("Group and partition", "/d/"+detailUID+"?${datasource:queryparam}&${kafka_cluster:queryparam}&${job:queryparam}"+
		"&var-group=${__data.fields.Group:percentencode}&var-topic=${__data.fields.Topic:percentencode}&var-partition=${__data.fields.Partition:percentencode}")
	return grid(about{"Who loses data when", fmt.Sprintf("Every group and partition that has a forecast, soonest first, at most %d. Time left and loss are the best estimate, the group moving as it does now; band is the 90 %% band of the same instant; runway is what is left if the group stopped now; promised is the floor: before it nothing is deleted that the group has not read. A group opens its own page.", rowsShown), units.NoUnit, 24, 11},
		"Time left",
		label("Cluster", "kafka_cluster"), label("Group", "consumergroup", detail), label("Topic", "topic"), label("Partition", "partition"), label("State", "state"),
		timeLeft("Time left", soonest(left(loss())), noLoss),
		when("Loss", soonest(loss()), "none"),
		when("Band from", soonest(minBy(byPair, pairs.of("group_loss_earliest_timestamp_seconds"))), "none"),
		when("Band to", soonest(minBy(byPair, pairs.of("group_loss_latest_timestamp_seconds"))), "none"),
		timeLeft("Runway", soonest(left(minBy(byPair, pairs.of("group_stopped_loss_timestamp_seconds")))), "endless"),
		when("Promised", soonest(minBy(byPair, pairs.of("group_stopped_loss_floor_timestamp_seconds"))), "for ever"),
		used(soonest(maxBy(byPair, pairs.of("group_retention_used_ratio")))),
		value("Unread", units.Short, soonest(maxBy(byPair, pairs.of("group_lag_records")))),
		rows(soonest(maxBy(byPair+", state", pairs.of("group_state")))),
	)
}

// chartsShow is how many groups a chart of groups has.
const chartsShow = 30

func heatStrip() panel {
	soonest := minBy(byGroup, at(pairs.of("group_loss_timestamp_seconds")))
	return strip(about{"Time left of each group", fmt.Sprintf("Time until each group's first loss, the %d that lose soonest. Red: within four hours or lost; orange: within a day; green: later, or no loss in sight. A gap is unknown.", chartsShow), units.DurationSeconds, 24, 10},
		query{foremost(chartsShow, "bottomk", byGroup, soonest, left(minBy(byGroup, pairs.of("group_loss_timestamp_seconds")))), "{{consumergroup}} {{kafka_cluster}}"}).
		Mappings(unlimited(noLoss)).Thresholds(timeLeftSteps())
}

func usedOverTime() panel {
	byGroupAndTopic := byGroup + ", topic"
	most := maxBy(byGroupAndTopic, at(pairs.of("group_retention_used_ratio")))
	return chart(about{"Retention used", fmt.Sprintf("Share of the topic's retention that the lag has used, the worst partition of each group and topic, the %d that are highest now. At 100 %% the next retention pass deletes what is not read.", chartsShow), units.PercentUnit, 12, 9},
		query{foremost(chartsShow, "topk", byGroupAndTopic, most, maxBy(byGroupAndTopic, pairs.of("group_retention_used_ratio"))), "{{consumergroup}} / {{topic}} {{kafka_cluster}}"}).
		Min(0).Thresholds(steps("transparent", from(0.5, nearing), from(1, bad))).
		ThresholdsStyle(common.NewGraphThresholdsStyleConfigBuilder().Mode(common.GraphThresholdsStyleModeDashed))
}

func runwayOverTime() panel {
	runway := pairs.of("group_stopped_loss_timestamp_seconds")
	return chart(about{"Runway of each group", fmt.Sprintf("Time until each group's first loss if it stopped reading now, the %d that are shortest. It tells how long an outage of the group may last. A line ends where limits are off.", chartsShow), units.DurationSeconds, 12, 9},
		query{foremost(chartsShow, "bottomk", byGroup, minBy(byGroup, at(runway)), finite(left(minBy(byGroup, runway)))), "{{consumergroup}} {{kafka_cluster}}"}).
		Min(0)
}

func lostOverTime() panel {
	lost := maxBy(byPair, increase(pairs.of("group_lost_records_total"), "$__rate_interval"))
	return chart(about{"Records lost", "Offsets that retention deleted before the group had read them, per step of the chart, by group and topic.", units.Short, 12, 8},
		query{sumBy(byGroup+", topic", lost), "{{consumergroup}} / {{topic}} {{kafka_cluster}}"}).
		Min(0).DrawStyle(common.GraphDrawStyleBars).FillOpacity(80)
}

func states() panel {
	return chart(about{"Groups by state", "How many pairs of group and partition are in each state. Stalled and empty ones lose what they have not read when the runway ends.", units.NoUnit, 12, 8},
		query{fmt.Sprintf("count by (state) (%s)", maxBy(byPair+", state", pairs.of("group_state"))), "{{state}}"}).
		Min(0).FillOpacity(40).Stacking(common.NewStackingConfigBuilder().Mode(common.StackingModeNormal))
}

func findings() panel {
	return grid(about{"Findings", "Settings and states of topics that make retention behave otherwise than it looks. The runbook says what each means and how to put it right; /api/v1/check of the exporter has the evidence.", units.NoUnit, 8, 9},
		"Topic",
		label("Cluster", "kafka_cluster"), label("Topic", "topic"),
		label("Finding", "finding", opens("Runbook", repository+"/alerts/runbooks/KafkaRetentionTopicFinding.md")),
		rows(maxBy(byTopic+", finding", topics.of("topic_finding"))),
	).NoValue("none")
}

func settings() panel {
	return grid(about{"Retention in force", "What the leaders of each topic apply: the shortest retention.ms and the smallest retention.bytes per partition. Off: no such limit, or one that the cleanup policy leaves without effect.", units.NoUnit, 8, 9},
		"Time",
		label("Cluster", "kafka_cluster"), label("Topic", "topic"),
		value("Time", units.DurationSeconds, minBy(byTopic, topics.of("topic_retention_seconds")), mapped("off")),
		value("Bytes", units.BytesIEC, minBy(byTopic, topics.of("topic_retention_bytes")), mapped("off")),
		label("Policy", "cleanup_policy"), label("Stamps", "timestamp_type"), label("Tiered", "tiered"),
		rows(maxBy(byTopic+", cleanup_policy, timestamp_type, tiered", topics.of("topic_info"))),
	)
}

func volumes() panel {
	const byDir = byCluster + ", broker, dir"
	return grid(about{"Volumes", "Free space under each broker's log directories, and when it is used up before retention frees enough.", units.NoUnit, 8, 9},
		"Full in",
		label("Cluster", "kafka_cluster"), label("Broker", "broker"), label("Directory", "dir"),
		value("Free", units.BytesIEC, minBy(byDir, clusters.of("volume_free_bytes"))),
		timeLeft("Full in", left(minBy(byDir, clusters.of("volume_full_timestamp_seconds"))), "never"),
	)
}
