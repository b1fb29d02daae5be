// Package alerts holds the Prometheus rules of this exporter, written once as data and rendered
// for the thresholds that people want to change. It is pure: options in, YAML out.
//
//	text, err := alerts.Render(alerts.Default())           // a rule file of Prometheus
//	text, err := alerts.RenderKubernetes(alerts.Default()) // the same as a PrometheusRule
//
// rules.yml and prometheusrule.yml beside this file are what these two give; a test holds them
// together, and go test ./alerts -update writes them. The program renders others:
//
//	kafka-retention-exporter rules --warn=24h --page=4h --used=0.5 --scale=1 --overrides=FILE --format=prometheus
//
// # Thresholds
//
// An instant is near when it is within min(Warn, R/2), and very near within min(Page, R/6),
// where R is the topic's own retention.ms as far as it is finite: a day is no warning for a
// topic that keeps two hours. Used is the share of the retention that lag may use.
//
// Scale multiplies every duration written here. It is for tests in compressed time and for
// retentions of minutes. Durations that span several scrapes (windows, the patience with an
// exporter that is gone) stay at ten seconds at least.
//
// # Overrides
//
// A file of regular expressions on groups and topics gives some pairs thresholds of their own, a
// severity that theirs do not exceed, and an owner label for routing:
//
//	overrides:
//	  - group: billing|invoices-.*   # whole name, RE2 as in Prometheus
//	    topic: orders
//	    used: 0.8
//	    warn: 12h
//	    page: 1h
//	    severity: warning            # never more than this
//	    owner: payments
//
// The first entry that matches a pair has it; the default rules leave out what is overridden.
//
// # How an alert stays calm
//
// Every alert waits (for) and lingers (keep_firing_for, which needs Prometheus 2.42). What
// compares with a threshold holds on until the threshold is left by a margin: 1.3 times the
// horizon, 0.9 times the used ratio; it looks itself up in ALERTS. Replicas of the exporter are
// merged by taking the minimum or maximum without instance and pod; all other target labels,
// kafka_cluster above all, stay, so that groups of one name on two clusters are two alerts.
//
// # Adding an alert
//
// Add it to a list in rules_*.go, a page of its name to runbooks, a test to rules_test, and run
// go test ./alerts -update.
package alerts
