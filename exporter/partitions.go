package exporter

import (
	"maps"
	"slices"
	"strconv"

	"kafka-retention-exporter/model"
)

var (
	partitionLogStart = gauge("partition_log_start_offset",
		"First offset a client can read, as the leader says.", "topic", "partition")
	partitionEnd = gauge("partition_end_offset",
		"High watermark, as the leader says.", "topic", "partition")
	partitionSize = gauge("partition_size_bytes",
		"Bytes of the .log files of the leader replica, all segments; without future replicas and remote storage. Absent without the right to read log dirs.", "topic", "partition")
	partitionOldest = gauge("partition_oldest_record_timestamp_seconds",
		"Stamp of the record at the log start. Absent for an empty log.", "topic", "partition")
	partitionNextDeletion = gauge("partition_next_deletion_timestamp_seconds",
		"When the broker will next delete anything here (estimate); +Inf when nothing can be deleted: limits off or inert, or an empty log.", "topic", "partition")
	partitionNextBytes = gauge("partition_next_deletion_bytes",
		"How much it will then delete; absent when nothing can be deleted, or without the right to read log dirs.", "topic", "partition")
)

func partitionFamilies() []*family {
	return []*family{partitionLogStart, partitionEnd, partitionSize, partitionOldest, partitionFailover, partitionNextDeletion, partitionNextBytes}
}

// partitions sends what the leaders keep.
func (v *view) partitions(out samples) {
	if v.snapshot == nil {
		return
	}
	silent := v.withoutSizes()
	for _, key := range slices.SortedFunc(maps.Keys(v.snapshot.Partitions), model.PartitionKey.Compare) {
		p := v.snapshot.Partitions[key]
		labels := labelled("topic", labelValue(key.Topic), "partition", strconv.Itoa(int(key.Partition)))
		if start, ok := v.fresh.offset(p.LogStart); ok {
			out.number(partitionLogStart, float64(start), labels)
		}
		if end, ok := v.fresh.offset(p.End); ok {
			out.number(partitionEnd, float64(end), labels)
		}
		if size, ok := v.fresh.size(p.Size, v.snapshot.Brokers[p.Leader].LastAnswer, silent[p.Leader]); ok {
			out.number(partitionSize, float64(size.Bytes), labels)
		}
		out.instant(partitionOldest, v.oldest(p), labels)
		v.failoverStart(out, p, labels)
		v.nextDeletion(out, p, labels)
	}
}

// nextDeletion stands on log start and end, and goes with them.
func (v *view) nextDeletion(out samples, p model.Partition, labels *labelSet) {
	_, s := v.fresh.offset(p.LogStart)
	_, e := v.fresh.offset(p.End)
	if v.report == nil || !s || !e {
		return
	}
	outlook := v.report.Partitions[p.Key]
	out.instant(partitionNextDeletion, outlook.NextDeletion, labels)
	if n, ok := outlook.NextBytes.Get(); ok {
		out.number(partitionNextBytes, float64(n), labels)
	}
}

// oldest is the stamp of the record at the log start. The stamp of an offset does not change
// with time: the reading is right for as long as the log start has not passed it, and that is
// judged by a log start that is fresh.
func (v *view) oldest(p model.Partition) (none model.Maybe[model.Instant]) {
	start, ok := v.fresh.offset(p.LogStart)
	end, endOK := p.End.Get()
	if !ok || (endOK && end <= start) {
		return none
	}
	first, ok := p.Oldest.Get()
	if !ok || !first.Found || first.Offset < start {
		return none
	}
	return model.Known(first.Stamp)
}

// withoutSizes are the brokers that did not tell all their sizes in the last poll.
func (v *view) withoutSizes() map[model.BrokerID]bool {
	silent := map[model.BrokerID]bool{}
	for _, p := range v.problems {
		if p.Stage == model.StageLogDirs && p.HasBroker {
			silent[p.Broker] = true
		}
	}
	return silent
}
