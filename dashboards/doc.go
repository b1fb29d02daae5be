// Package dashboards holds the Grafana dashboards of this exporter and reads them back, so that
// tests can hold every query against the metrics that exist and against a real Prometheus.
//
//	retention-overview.json   who loses data when: table, heat strip, retention used, findings
//	group-and-partition.json  one log with the forecast drawn forward, bytes, age, audit
//	exporter-health.json      polls, failures, unknown forecasts, cost
//
// They are plain dashboards of Grafana's classic model (Grafana 10 and newer): import them, or
// provision them as examples/grafana does. Do not edit the files: they are written by the module
// dashboards/build (go run . there), and its test compares.
//
// # Variables
//
// datasource; kafka_cluster, the target label of the scrape that tells several clusters apart
// (choose "All" without it); job; group and topic. "Group and partition" is about one group, topic
// and partition; "Exporter health" has instance instead.
package dashboards
