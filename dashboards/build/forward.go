package main

import "fmt"

// What follows continues a chart beyond the present. Every value is taken at the end of the
// dashboard's range, which lies in the future: @ end() makes it one number for all steps, and
// last_over_time finds the newest reading before it.

// latest is the newest reading in the range.
func latest(metric string) string {
	return fmt.Sprintf("last_over_time(%s[$__range] @ end())", metric)
}

// present is the instant of the newest poll in the range: where the past ends in the chart.
func present() string { return maxBy(byCluster, latest(clusters.of("last_poll_timestamp_seconds"))) }

// sincePresent is how far a step of the chart lies in the future.
func sincePresent() string { return fmt.Sprintf("(time() - %s)", present()) }

// ahead keeps the steps of the chart that lie in the future.
func ahead(expr string) string {
	return fmt.Sprintf("(%s)\nand on (kafka_cluster) (%s <= time())", expr, present())
}

// crossing is the loss instant as far as it is finite and still a forecast: one that was
// withdrawn, because what it rests on could not be read, must not be drawn. A forecast in force
// has a sample near the newest poll; the subquery sees it at most one step late.
func crossing() string {
	loss := onePair.of("group_loss_timestamp_seconds")
	inForce := fmt.Sprintf("max_over_time(timestamp(%s)[$__range:$__interval] @ end())", loss)
	return fmt.Sprintf("(%s < Inf and on (kafka_cluster) (%s > %s - 120 - $__interval_ms / 1000))",
		minBy(byCluster, latest(loss)), maxBy(byCluster, inForce), present())
}

// pace is how fast an offset moved in the last minutes. A step is used while the series still has
// a value, so the last one is up to five minutes (Prometheus' look-back) after the newest sample,
// and the window then covers about five minutes.
func pace(offset string) string {
	return fmt.Sprintf("clamp_min(%s, 0)",
		maxBy(byCluster, fmt.Sprintf("last_over_time((deriv(%s[10m]) and %s)[$__range:$__interval] @ end())", offset, offset)))
}

// onwards is an offset that goes on at its pace until so many seconds after the present.
func onwards(offset, seconds string) string {
	return fmt.Sprintf("%s + %s * %s", maxBy(byCluster, latest(offset)), pace(offset), seconds)
}

// positionAhead draws the group's position forward, to the crossing if there is one.
func positionAhead() string {
	return lines(ahead(onwards(onePair.of("group_committed_offset"), sincePresent())),
		fmt.Sprintf("unless on (kafka_cluster) (%s < time())", crossing()))
}

// endAhead draws the log end forward.
func endAhead() string {
	return ahead(onwards(onePartition.of("partition_end_offset"), sincePresent()))
}

// logStartAhead draws a straight line from the log start to the crossing. A real log start moves
// by whole segments; only the ends of the line are said to be right.
func logStartAhead() string {
	start := maxBy(byCluster, latest(onePartition.of("partition_log_start_offset")))
	remaining := fmt.Sprintf("(%s - %s)", crossing(), present())
	lost := onwards(onePair.of("group_committed_offset"), remaining)
	return lines(ahead(fmt.Sprintf("%s + (%s - %s) * %s / (%s > 0)", start, lost, start, sincePresent(), remaining)),
		fmt.Sprintf("and on (kafka_cluster) (%s >= time())", crossing()))
}
