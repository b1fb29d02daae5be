package main

import (
	"fmt"
	"strings"
)

// scope is the matchers that select what a dashboard is about.
type scope string

// Variables that may be several or all are matched as patterns; those that are one value are not,
// since Grafana then does not quote what is special in a pattern.
const (
	clusters scope = `job=~"$job",kafka_cluster=~"$kafka_cluster"`
	topics         = clusters + `,topic=~"$topic"`
	pairs          = topics + `,consumergroup=~"$group"`
	groups         = clusters + `,consumergroup=~"$group"`

	oneTopic     = clusters + `,topic="$topic"`
	onePartition = oneTopic + `,partition="$partition"`
	oneGroup     = clusters + `,consumergroup="$group"`
	oneGroupOn   = oneTopic + `,consumergroup="$group"`
	onePair      = oneGroupOn + `,partition="$partition"`
)

// of is the series of a metric within the scope. Its name is given without the prefix.
func (s scope) of(metric string) string {
	return fmt.Sprintf("kafka_retention_%s{%s}", metric, s)
}

// where adds a matcher.
func (s scope) where(matcher string) scope { return s + "," + scope(matcher) }

const (
	byCluster = "kafka_cluster"
	byGroup   = byCluster + ", consumergroup"
	byTopic   = byCluster + ", topic"
	byPair    = byGroup + ", topic, partition"
)

func minBy(labels, expr string) string { return fmt.Sprintf("min by (%s) (%s)", labels, expr) }

func maxBy(labels, expr string) string { return fmt.Sprintf("max by (%s) (%s)", labels, expr) }

func sumBy(labels, expr string) string { return fmt.Sprintf("sum by (%s) (%s)", labels, expr) }

// left is the time until an instant, 0 once it has passed.
func left(instant string) string { return fmt.Sprintf("clamp_min(%s - time(), 0)", instant) }

// finite leaves out +Inf.
func finite(expr string) string { return fmt.Sprintf("%s < Inf", expr) }

// milliseconds turns Unix seconds into what Grafana takes for an instant.
func milliseconds(instant string) string { return instant + " * 1000" }

// increase is the growth of a counter within a window.
func increase(counter, window string) string { return fmt.Sprintf("increase(%s[%s])", counter, window) }

func rate(counter string) string { return fmt.Sprintf("rate(%s[$__rate_interval])", counter) }

// at takes values at the end of the dashboard's range, whatever the step.
func at(metric string) string { return metric + " @ end()" }

// foremost keeps of a chart's series those that an order, taken at the end of the range, puts
// first; so the choice is one for the whole chart.
func foremost(n int, order, labels, ranked, expr string) string {
	return fmt.Sprintf("%s and on (%s) %s(%d, %s)", expr, labels, order, n, ranked)
}

// orZero is 0 where a count finds nothing, but only while an exporter reaches the cluster.
func orZero(count string, s scope) string {
	return fmt.Sprintf("%s or 0 * (max(%s) == 1)", count, s.of("up"))
}

// lines puts the parts of a long expression on lines of their own.
func lines(parts ...string) string { return strings.Join(parts, "\n") }
