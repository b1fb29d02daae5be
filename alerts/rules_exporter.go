package alerts

import "time"

// exporterRules are about the watcher: without it nothing else here can fire.
func exporterRules() []rule {
	return []rule{
		exporterDown(),
		pollStale(),
		{
			alert: "KafkaRetentionClustersMixed", severity: Warning, scope: scopeOther,
			base: "count without (cluster_id) (count without (instance, pod) (kafka_retention_cluster_info{}))",
			expr: func(t term) string { return t.x + " > 1" },
			wait: 10 * time.Minute, linger: 10 * time.Minute, patience: true,
			summary: "Exporters of several Kafka clusters cannot be told apart.",
			description: "Job {{ $labels.job }} shows {{ $value }} cluster ids under the same labels: groups of one name on two clusters are taken for one, and alerts are about the wrong one or are missing. " +
				"Give each cluster's targets the label kafka_cluster in the scrape configuration.",
		},
		{
			alert: "KafkaRetentionAuditViolated", severity: Warning, scope: scopeOther,
			expr: func(t term) string {
				return `max without (instance, pod) (increase(kafka_retention_audit_floor_violations_total{cause="unexplained"}[` + promDuration(t.window(time.Hour)) + "])) > 0"
			},
			linger:      time.Hour,
			summary:     "A promised floor was broken, and no known cause explains it.",
			description: "The exporter" + clusterText + " had promised that records would not be deleted before an instant, and they were. None of the causes that the promise excepts was seen. Do not rely on floors until this is understood; the runbook says what to collect.",
		},
	}
}

// exporterDown compares with what was scraped within the last day: only then are the labels
// known under which an exporter is missing. Where none was, there is nothing to compare with.
func exporterDown() rule {
	return rule{
		alert: "KafkaRetentionExporterDown", severity: Critical, scope: scopeOther,
		expr: func(term) string {
			return "0 * max without (instance, pod) (last_over_time(kafka_retention_up[1d]))\n" +
				"  unless max without (instance, pod) (kafka_retention_up)\nor\n" +
				"absent(last_over_time(kafka_retention_up[1d])) == 1"
		},
		wait: 5 * time.Minute, linger: 5 * time.Minute, patience: true,
		summary: "No exporter of Kafka retention is scraped.",
		description: "{{ with $labels.job }}Job {{ . }}{{ else }}Prometheus{{ end }}" + clusterText + " scrapes no kafka-retention-exporter that answers. " +
			"Until one is back nobody is told when consumer groups lose records, and alerts that fire go by what was last seen.",
	}
}

func pollStale() rule {
	return rule{
		alert: "KafkaRetentionPollStale", severity: Critical, scope: scopeOther,
		expr: func(t term) string {
			const last = "max without (instance, pod) (kafka_retention_last_poll_timestamp_seconds)"
			return "time() - " + last + " > " + seconds(t.window(5*time.Minute)) + "\nor\n" +
				"max without (instance, pod) (kafka_retention_up) == 0\n  unless " + last
		},
		wait: 5 * time.Minute, linger: 5 * time.Minute, patience: true,
		summary: "The exporter answers, but does not reach the Kafka cluster.",
		description: "The exporter" + clusterText + " {{ if gt $value 0.0 }}last read the cluster " + leftText + " ago{{ else }}has not read the cluster since it started{{ end }}. " +
			"Its forecasts are withdrawn as they become stale; nobody is told when consumer groups lose records.",
	}
}

// forecastUnknown compares with one instant an hour ago, not with hours of samples; once firing
// it holds by itself, until the forecast is back or the pair is gone.
func forecastUnknown() rule {
	return rule{
		alert: "KafkaRetentionForecastUnknown", severity: Info, scope: scopePair, base: pairLostCount + "{}",
		expr: func(t term) string {
			const forecast = "kafka_retention_group_loss_timestamp_seconds"
			none := t.x + "\n    unless max without (instance, pod) (" + forecast + ")"
			had := "\n    and max without (instance, pod) (" + forecast + " offset " + promDuration(t.window(time.Hour)) + ")"
			return "count without (partition) (\n  " + none + had + "\n)\nor\n" +
				"count without (partition) (\n  " + none + "\n)\n  " + t.itself(firing)
		},
		wait: 15 * time.Minute, linger: 10 * time.Minute,
		summary: "A consumer group that had a forecast has none.",
		description: "Group {{ $labels.consumergroup }} on topic {{ $labels.topic }}" + clusterText + ": of {{ $value }} partition(s) it cannot be told when retention deletes unread records. " +
			"kafka_retention_forecasts_unknown counts the reasons, and /api/v1/forecasts of the exporter names them for each partition.",
	}
}
