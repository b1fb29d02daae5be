package main

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

// exporterHealth tells whether the forecasts can be relied on.
func exporterHealth() (classic, error) {
	variables := append(sourceVariables(),
		several("instance", "Instance", "Exporters, where there are several.", string("kafka_retention_up{"+clusters+"}"), "instance"))
	return page{
		uid: "kafka-retention-exporter-health", title: "Kafka retention / Exporter health",
		text: "Whether the exporter reads all it should, what it cannot tell, and what it costs.",
		from: "now-6h", to: "now", variables: variables,
		sections: []section{
			{"Now", panels(scraped(), reached(), lastPoll(), watched(), brokersSilent(), builds())},
			{"Polls", panels(pollDuration(), pollFailures(), unknownReasons(), brokerAnswers())},
			{"Cost", panels(requests(), processor(), memory(), goroutines())},
		},
	}.build()
}

// each is one exporter; these series are not merged.
const (
	each  = clusters + `,instance=~"$instance"`
	named = "{{instance}} {{kafka_cluster}}"
)

func scraped() panel {
	return figure(about{"Scraped", "Exporters that Prometheus reaches, and those it does not.", units.NoUnit, 4, 4},
		query{fmt.Sprintf("sum(up{%s})", each), "up"},
		query{fmt.Sprintf("sum(1 - up{%s})", each), "down"})
}

func reached() panel {
	return figure(about{"Reach the cluster", "Exporters whose last poll reached at least one broker.", units.NoUnit, 4, 4},
		query{fmt.Sprintf("sum(%s)", each.of("up")), "reach it"})
}

func lastPoll() panel {
	return figure(about{"Last poll", "Age of the last poll that was published, of the exporter where it is oldest. Series are withdrawn after three poll intervals.", units.DurationSeconds, 4, 4},
		query{"time() - min(" + each.of("last_poll_timestamp_seconds") + ")", "age"}).
		Thresholds(steps(good, from(120, nearing), from(300, bad)))
}

func watched() panel {
	return figure(about{"Groups", "Groups that the cluster lists, and those that the filters let through.", units.NoUnit, 4, 4},
		query{fmt.Sprintf("max by (kind) (%s)", each.of("groups")), "{{kind}}"})
}

func brokersSilent() panel {
	silent := fmt.Sprintf("count(%s == 0)", minBy(byCluster+", broker", each.of("broker_up")))
	return figure(about{"Brokers not answering", "Brokers that did not answer all they were asked in the last poll.", units.NoUnit, 4, 4},
		query{orZero(silent, each), "silent"}).Thresholds(steps(good, from(1, bad)))
}

func builds() panel {
	return figure(about{"Version", "What runs. More than one version: an update is under way or got stuck.", units.NoUnit, 4, 4},
		query{fmt.Sprintf("count by (version) (%s)", each.of("build_info")), "{{version}}"}).
		TextMode(common.BigValueTextModeName)
}

func pollDuration() panel {
	quantile := func(q string) string {
		return fmt.Sprintf("histogram_quantile(%s, %s)", q, sumBy("le", rate(each.of("poll_duration_seconds_bucket"))))
	}
	return chart(about{"Poll duration", "How long polls of the cluster take. A poll that takes longer than the interval makes the exporter skip.", units.Seconds, 12, 8},
		query{quantile("0.5"), "median"}, query{quantile("0.99"), "99 %"},
		query{rate(each.of("poll_duration_seconds_sum")) + " / " + rate(each.of("poll_duration_seconds_count")), "mean " + named}).
		Min(0)
}

func pollFailures() panel {
	return chart(about{"Polls and incomplete stages", "Polls a second, and of them those in which a stage could not be completed. What is incomplete is kept until it is stale, then withdrawn.", units.OpsPerSecond, 12, 8},
		query{rate(each.of("polls_total")), "polls " + named},
		query{sumBy("stage", rate(each.of("poll_failures_total"))), "incomplete: {{stage}}"}).
		Min(0)
}

func unknownReasons() panel {
	return chart(about{"Pairs without a forecast, by reason", "Pairs of group and partition without a loss instant. A group whose partitions cannot be known counts once. The names behind a reason are in /api/v1/forecasts.", units.NoUnit, 12, 8},
		query{maxBy("reason", each.of("forecasts_unknown")), "{{reason}}"}).
		Min(0).FillOpacity(40).Stacking(common.NewStackingConfigBuilder().Mode(common.StackingModeNormal))
}

func brokerAnswers() panel {
	return chart(about{"Time since brokers answered", "Time since each broker last answered a request of the exporter that heard from it last.", units.DurationSeconds, 12, 8},
		query{fmt.Sprintf("time() - %s", maxBy(byCluster+", broker", each.of("broker_last_answer_timestamp_seconds"))), "broker {{broker}} {{kafka_cluster}}"}).
		Min(0)
}

func requests() panel {
	return chart(about{"Requests to brokers", "Requests a second, by Kafka API, all exporters together.", units.RequestsPerSecond, 12, 8},
		query{sumBy("api", rate(each.of("kafka_requests_total"))), "{{api}}"}).
		Min(0).FillOpacity(40).Stacking(common.NewStackingConfigBuilder().Mode(common.StackingModeNormal))
}

func processor() panel {
	return chart(about{"Processor", "Share of one processor that the exporter uses.", units.PercentUnit, 12, 8},
		query{fmt.Sprintf("rate(process_cpu_seconds_total{%s}[$__rate_interval])", each), named}).Min(0)
}

func memory() panel {
	return chart(about{"Memory", "Resident memory of the exporter. It grows with groups times partitions and then stays.", units.BytesIEC, 12, 8},
		query{fmt.Sprintf("process_resident_memory_bytes{%s}", each), named}).Min(0)
}

func goroutines() panel {
	return chart(about{"Goroutines", "Goroutines of the exporter. A number that only grows is a leak worth reporting.", units.NoUnit, 12, 8},
		query{fmt.Sprintf("go_goroutines{%s}", each), named}).Min(0)
}
