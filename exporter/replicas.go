package exporter

import (
	"maps"
	"slices"
	"strconv"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

var (
	replicaSegments = replicaGauge("segments",
		"Segments in the log of a replica whose files are read (--log.dirs).")
	replicaOldest = replicaGauge("replica_oldest_record_timestamp_seconds",
		"Largest stamp of the first batch of the replica; absent for an empty log.")
	replicaNewest = replicaGauge("replica_newest_record_timestamp_seconds",
		"Newest stamp in the replica, as the broker judges it.")
	replicaNext = replicaGauge("replica_next_deletion_timestamp_seconds",
		"The pass that next deletes anything of the replica; +Inf when nothing can be deleted.")
	replicaNextSegments = replicaGauge("replica_next_deletion_segments",
		"How many segments that pass takes.")
	replicaNextBytes = replicaGauge("replica_next_deletion_bytes",
		"How many bytes that pass takes.")
	replicaNextOffsets = replicaGauge("replica_next_deletion_offsets",
		"By how many offsets that pass moves the replica's log start.")
	replicaDeleted = replicaGauge("replica_deleted_bytes",
		"Bytes of segments that have left the log and wait for file.delete.delay.ms to be unlinked.")
	replicaBlocker = replicaGauge("replica_blocking_segment_base_offset",
		"Base of the first segment that time retention keeps although the one behind it has expired; absent where none blocks.")
)

func replicaGauge(name, help string) *family {
	return gauge(name, help, "broker", "topic", "partition").onlyFull()
}

func replicaFamilies() []*family {
	return []*family{
		replicaSegments, replicaOldest, replicaNewest, replicaNext, replicaNextSegments, replicaNextBytes, replicaNextOffsets,
		replicaDeleted, replicaBlocker,
	}
}

// replicas sends what the files of the broker on this machine show, as long as that is fresh. By
// topic there is nothing to say: what is of interest about a segment is lost in a sum.
func (v *view) replicas(out samples) {
	if v.snapshot == nil || v.report == nil || out.shape.byTopic() {
		return
	}
	local, ok := v.snapshot.Local.FreshSince(v.fresh.now.Add(-v.fresh.keep))
	if !ok {
		return
	}
	for _, key := range slices.SortedFunc(maps.Keys(local.Replicas), model.PartitionKey.Compare) {
		labels := labelled("broker", strconv.Itoa(int(local.ID)), "topic", labelValue(key.Topic), "partition", strconv.Itoa(int(key.Partition)))
		outlook, known := v.report.Replicas[key]
		if !known { // its topic is not watched
			continue
		}
		sendReplica(out, local.Replicas[key], outlook, labels)
	}
}

func sendReplica(out samples, r *model.LocalReplica, o predictor.ReplicaOutlook, labels *labelSet) {
	out.number(replicaSegments, float64(len(r.Segments)), labels)
	out.number(replicaDeleted, float64(r.Deleted), labels)
	out.instant(replicaOldest, r.First, labels)
	out.instant(replicaNewest, o.Newest, labels)
	out.instant(replicaNext, o.Next, labels)
	integer(out, replicaBlocker, o.Blocker, labels)
	if next, ok := o.Next.Get(); ok && next < model.Forever {
		out.number(replicaNextSegments, float64(o.Segments), labels)
		out.number(replicaNextBytes, float64(o.Bytes), labels)
		out.number(replicaNextOffsets, float64(o.Offsets), labels)
	}
}
