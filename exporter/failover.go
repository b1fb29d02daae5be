package exporter

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

var (
	partitionFailover = gauge("partition_failover_log_start_offset",
		"The highest log start among the in-sync replicas, the leader included: where clients would stand if that replica led. Absent when followers cannot be asked.", "topic", "partition")
	groupExposed = pairGauge("group_failover_exposed_records",
		"Unread offsets that would be gone if the in-sync replica that is furthest ahead became leader. Absent when followers cannot be asked.")
)

// failoverStart sends where a failover may put the log start; it stands on the leader's own, too.
func (v *view) failoverStart(out samples, p model.Partition, labels *labelSet) {
	if _, ok := v.fresh.offset(p.LogStart); !ok || v.report == nil {
		return
	}
	if start, ok := v.report.Partitions[p.Key].FailoverLogStart.Get(); ok {
		out.number(partitionFailover, float64(start), labels)
	}
}

func exposed(out samples, f predictor.Forecast, labels *labelSet) {
	if n, ok := f.FailoverExposed.Get(); ok {
		out.number(groupExposed, float64(n), labels)
	}
}
