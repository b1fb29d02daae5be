// Package examples is configuration to start from. Its tests parse every file, with the program's
// own flags and with Prometheus' and systemd's own checkers; test/manifests decodes what is for
// Kubernetes and Compose into the real types, test/chart does so with what Helm makes of the chart,
// and test/stack runs Prometheus with the configuration here.
//
//	demo          the exporter at work without a Kafka: go run ./examples/demo
//	stack         the same with Prometheus, Alertmanager and a receiver: go run ./examples/stack
//	world         what demo and stack show
//	embed         the exporter as a part of another program: go run ./examples/embed BROKER...
//	prometheus    scraping, rules and where alerts go
//	alertmanager  says where the example for Alertmanager is: in alerts, beside the rules
//	grafana       provisioning of the data source and of the folder dashboards
//	msk           an IAM policy with the rights it needs on Amazon MSK
//	kubernetes    Deployment, also for Strimzi; beside each broker; sharded; monitors; a Helm chart
//	systemd       a hardened unit
//	compose       all of it on one computer
package examples

import _ "embed" // for the configuration, which tests and examples/stack run

// PrometheusConfig is prometheus/prometheus.yml.
//
//go:embed prometheus/prometheus.yml
var PrometheusConfig string
