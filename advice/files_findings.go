package advice

import (
	"fmt"

	"kafka-retention-exporter/model"
)

// differs is in what a broker's own files differ from what is answered of a partition.
func differs(p partition, id model.BrokerID, w world) (d model.Difference, ok bool) {
	local, ok := w.Local.FreshSince(w.Started)
	if !ok || local.ID != id || local.Replicas[p.Key] == nil {
		return d, false
	}
	return local.Replicas[p.Key].Differs.Get()
}

// aheadOf is where a follower's log begins, by its answer or by its files.
func aheadOf(p partition, id model.BrokerID, w world) (start model.Offset, ok bool) {
	start, ok = p.FollowerLogStart[id].Get()
	if d, found := differs(p, id, w); found && d.Of == model.DifferingStart {
		return max(start, model.Offset(d.Files)), true
	}
	return start, ok
}

// filesDisagree: what is read under --log.dirs is not what the leader has. A broker that has lost files
// under its feet answers like that as well.
func filesDisagree(t *topic, w world) (Finding, bool) {
	for _, p := range t.partitions {
		d, ok := differs(p, p.Leader, w)
		if !ok || !p.LeaderKnown {
			continue
		}
		f := Finding{
			Kind:        FilesDisagree,
			Evidence:    fmt.Sprintf("partition %d: the files of broker %d have %s, the broker answers %s", p.Key.Partition, p.Leader, sized(model.Bytes(d.Files)), sized(model.Bytes(d.Told))),
			Consequence: "The files are not used: forecasts of the partition are those that the broker's answers allow.",
			Cure: []string{
				fmt.Sprintf("--log.dirs # a flag of this program: the log.dirs that broker %d itself uses, and all of them", p.Leader),
			},
		}
		if d.Of == model.DifferingStart {
			f.Evidence = fmt.Sprintf("partition %d: the files of broker %d begin at offset %d, the broker answers %d", p.Key.Partition, p.Leader, d.Files, d.Told)
		}
		return f, true
	}
	return Finding{}, false
}
