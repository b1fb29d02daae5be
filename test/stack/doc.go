// Package stack runs what operators run together: a real Kafka broker, the program, and with
// test/monitoring a real Prometheus that scrapes it and a real Alertmanager, each with its shipped
// example as configuration. Its tests ask every query of every panel of the dashboards, and follow
// an alert to whoever is paged.
//
// Both servers come from Debian's packages, which test/run installs. Grafana is not part of it:
// what Grafana does to a query, putting values in the place of variables, is in grafana.go.
package stack
