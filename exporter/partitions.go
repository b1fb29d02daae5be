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
		"High watermark, as the leader says.", "topic", "partition").onlyFull()
	partitionSize = gauge("partition_size_bytes",
		"Bytes of the .log files of the leader replica, all segments; without future replicas and remote storage. Absent without the right to read log dirs.", "topic", "partition").onlyFull()
	partitionOldest = gauge("partition_oldest_record_timestamp_seconds",
		"Stamp of the record at the log start. Absent for an empty log.", "topic", "partition").onlyFull()
	partitionNextDeletion = gauge("partition_next_deletion_timestamp_seconds",
		"When the broker will next delete anything here (estimate); +Inf when nothing can be deleted: limits off or inert, or an empty log.", "topic", "partition").onlyFull()
	partitionNextBytes = gauge("partition_next_deletion_bytes",
		"How much it will then delete; absent when nothing can be deleted, or without the right to read log dirs.", "topic", "partition").onlyFull()
	partitionFailover = gauge("partition_failover_log_start_offset",
		"The highest log start among the in-sync replicas, the leader included: where clients would stand if that replica led. Absent when followers cannot be asked.", "topic", "partition").onlyFull()
)

func partitionFamilies() []*family {
	return []*family{partitionLogStart, partitionEnd, partitionSize, partitionOldest, partitionFailover, partitionNextDeletion, partitionNextBytes}
}

// kept is what is said of a partition, or of a topic's partitions together.
type kept struct {
	start, end, failover model.Maybe[model.Offset]
	size, nextBytes      model.Maybe[model.Bytes]
	oldest, next         model.Maybe[model.Instant]
}

// partitions sends what the leaders keep.
func (v *view) partitions(out samples) {
	if v.snapshot == nil {
		return
	}
	silent := v.withoutSizes()
	keys := slices.SortedFunc(maps.Keys(v.snapshot.Partitions), model.PartitionKey.Compare)
	keys = slices.DeleteFunc(keys, func(k model.PartitionKey) bool { return !v.snapshot.Portion.Owns(k.Topic) })
	for i := 0; i < len(keys); i++ {
		key := keys[i]
		row := v.kept(v.snapshot.Partitions[key], silent)
		labels := []string{"topic", labelValue(key.Topic)}
		if !out.shape.byTopic() {
			row.send(out, labelled(append(labels, "partition", strconv.Itoa(int(key.Partition)))...))
			continue
		}
		all := kept{}.with(row)
		for ; i+1 < len(keys) && keys[i+1].Topic == key.Topic; i++ {
			all = all.with(v.kept(v.snapshot.Partitions[keys[i+1]], silent))
		}
		all.send(out, labelled(labels...))
	}
}

func (k kept) send(out samples, labels *labelSet) {
	integer(out, partitionLogStart, k.start, labels)
	integer(out, partitionEnd, k.end, labels)
	integer(out, partitionSize, k.size, labels)
	out.instant(partitionOldest, k.oldest, labels)
	integer(out, partitionFailover, k.failover, labels)
	out.instant(partitionNextDeletion, k.next, labels)
	integer(out, partitionNextBytes, k.nextBytes, labels)
}

// kept is what may be said of one partition. The next deletion and where a failover would put the
// log start stand on the leader's own log start and end, and go with them.
func (v *view) kept(p model.Partition, silent map[model.BrokerID]bool) (k kept) {
	if start, ok := v.fresh.logStart(p); ok {
		k.start = model.Known(start)
	}
	if end, ok := v.fresh.offset(p.End); ok {
		k.end = model.Known(end)
	}
	if size, ok := v.fresh.size(p.Size, v.snapshot.Brokers[p.Leader].LastAnswer, silent[p.Leader]); ok {
		k.size = model.Known(size.Bytes)
	}
	k.oldest = v.oldest(p)
	if v.report == nil || !k.start.IsKnown() {
		return k
	}
	outlook := v.report.Partitions[p.Key]
	k.failover = outlook.FailoverLogStart
	if k.end.IsKnown() {
		k.next, k.nextBytes = outlook.NextDeletion, outlook.NextBytes
	}
	return k
}

// oldest is the stamp of the record at the log start. The stamp of an offset does not change
// with time: the reading is right for as long as the log start has not passed it, and that is
// judged by a log start that is fresh.
func (v *view) oldest(p model.Partition) (none model.Maybe[model.Instant]) {
	start, ok := v.fresh.logStart(p)
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
