package advice

import (
	"fmt"
	"maps"
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Need is what topics need on disk once they have settled.
type Need struct {
	Topics  []TopicNeed
	Cluster model.Bytes // OnDisk of all topics, all replicas
	Volumes []Volume
	Unsure  []string
}

// TopicNeed is what one topic needs.
type TopicNeed struct {
	Topic      string
	Partitions []PartitionNeed
	OnDisk     model.Bytes // all partitions, all replicas
}

// PartitionNeed is what one partition needs.
type PartitionNeed struct {
	Key      model.PartitionKey
	Rate     float64 // bytes a second
	Now      model.Maybe[model.Bytes]
	Replicas int
	Steady   // of one replica
}

// Plan tells where the watched topics settle; with a topic, that one only. A rate (bytes a second
// and partition), where it is given, stands in for what was seen.
func Plan(s *model.Snapshot, report *predictor.Report, topic string, rate model.Maybe[float64], changes []Change, now model.Instant) Need {
	var out Need
	if s == nil || report == nil {
		return out
	}
	for t := range topicsOf(s, report) {
		if topic != "" && t.name != topic {
			continue
		}
		need, unsure := t.need(s, rate, changes)
		out.Topics, out.Unsure = append(out.Topics, need), append(out.Unsure, unsure...)
		out.Cluster += need.OnDisk
	}
	if topic != "" && len(out.Topics) == 0 {
		out.Unsure = append(out.Unsure, "topic "+topic+" is not known")
	}
	out.Volumes = Volumes(s, report, now)
	return out
}

func (t *topic) need(s *model.Snapshot, given model.Maybe[float64], changes []Change) (need TopicNeed, unsure []string) {
	need.Topic = t.name
	for _, p := range t.partitions {
		rate, ok := given.Get()
		if !ok {
			rate, ok = p.ByteRate.Get()
		}
		name := fmt.Sprintf("%s/%d", t.name, p.Key.Partition)
		switch {
		case !ok:
			unsure = append(unsure, name+": how fast it grows is not known")
			continue
		case !p.known:
			unsure = append(unsure, name+": its settings cannot be read")
			continue
		}
		set := changed(p.settings, changes)
		steady, bounded := SteadyState(set, rate, checkOf(s.Brokers[p.Leader], set))
		if !bounded {
			unsure = append(unsure, name+": no limit acts, it grows for ever")
			continue
		}
		one := PartitionNeed{Key: p.Key, Rate: rate, Replicas: max(1, len(p.Replicas)), Steady: steady}
		if size, ok := p.Size.Get(); ok {
			one.Now = model.Known(size.Bytes)
		}
		need.Partitions = append(need.Partitions, one)
		need.OnDisk += steady.OnDisk * model.Bytes(one.Replicas)
	}
	return need, unsure
}

// Fits tells whether a volume has room for what its logs still grow; unknown where either is.
func (v Volume) Fits() model.Maybe[bool] {
	full, ok := v.Full.Get()
	if !ok {
		return model.Maybe[bool]{}
	}
	return model.Known(full == model.Forever)
}

// ReplicasOf counts the copies of each partition of a topic.
func ReplicasOf(s *model.Snapshot, topic string) map[model.PartitionKey]int {
	out := map[model.PartitionKey]int{}
	for key, p := range s.Partitions {
		if key.Topic == topic {
			out[key] = len(p.Replicas)
		}
	}
	return out
}

// ReleasesOf is the Kafka release of each broker that told it.
func ReleasesOf(s *model.Snapshot) map[model.BrokerID]model.Release {
	out := map[model.BrokerID]model.Release{}
	for _, id := range slices.Sorted(maps.Keys(s.Brokers)) {
		out[id] = releaseOf(s.Brokers[id])
	}
	return out
}
