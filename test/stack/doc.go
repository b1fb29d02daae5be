// Package stack runs what operators run together: a real Kafka broker, the program, and a real
// Prometheus that scrapes it with the configuration of examples/prometheus. Its test asks every
// query of every panel of the dashboards.
//
// Prometheus comes from Debian's package prometheus, which test/run installs. Grafana is not part
// of it: what Grafana does to a query, putting values in the place of variables, is in grafana.go.
package stack
