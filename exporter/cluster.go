package exporter

import (
	"strconv"

	"kafka-retention-exporter/model"
)

var (
	up = gauge("up",
		"1 when the last poll reached at least one broker.")
	clusterInfo = gauge("cluster_info",
		"Constant 1; the label is the cluster's id.", "cluster_id")
	brokerUp = gauge("broker_up",
		"1 when the broker answered all it was asked in the last poll; stays, at 0, as long as a partition lists it as a replica.", "broker")
	brokerLastAnswer = gauge("broker_last_answer_timestamp_seconds",
		"When the broker last answered a request.", "broker")
	groupCount = gauge("groups",
		"Groups that the cluster lists (seen) and those of them that the filters let through (watched).", "kind")
	hiddenCount = gauge("hidden",
		"Topics that brokers store and do not list to us, and groups that they list and whose offsets they refuse, as far as the filters let them through.", "kind")
)

func clusterFamilies() []*family {
	return []*family{up, clusterInfo, brokerUp, brokerLastAnswer, groupCount, hiddenCount}
}

// cluster sends what concerns the cluster as a whole.
func (v *view) cluster(out samples) {
	out.number(up, bit(v.up()), nil)
	if v.snapshot == nil {
		return
	}
	v.brokers(out)
	v.sendVolumes(out)
	if !v.informed() {
		return
	}
	if id := v.snapshot.ClusterID; id != "" {
		out.number(clusterInfo, 1, labelled("cluster_id", labelValue(id)))
	}
	out.number(groupCount, float64(v.snapshot.GroupsSeen), labelled("kind", "seen"))
	out.number(groupCount, float64(watchedGroups(v.snapshot)), labelled("kind", "watched"))
	out.number(hiddenCount, float64(v.snapshot.GroupsHidden), labelled("kind", "groups"))
	out.number(hiddenCount, float64(v.snapshot.TopicsHidden), labelled("kind", "topics"))
}

func (v *view) brokers(out samples) {
	for id := range ordered(v.knownBrokers()) {
		b, broker := v.snapshot.Brokers[id], labelled("broker", strconv.Itoa(int(id)))
		if v.polling() {
			out.number(brokerUp, bit(b.Up && v.snapshot.Reached), broker)
		}
		if at, ok := b.LastAnswer.At(); ok {
			out.instant(brokerLastAnswer, model.Known(at), broker)
		}
	}
}

// knownBrokers are those that the cluster lists and those that only a replica list still names:
// metadata leaves out a broker as soon as its session with the controller has ended.
func (v *view) knownBrokers() map[model.BrokerID]bool {
	known := map[model.BrokerID]bool{}
	for id := range v.snapshot.Brokers {
		known[id] = true
	}
	for _, p := range v.snapshot.Partitions {
		for _, id := range p.Replicas {
			known[id] = true
		}
	}
	return known
}

// watchedGroups leaves out what is kept elsewhere and is no group of the cluster.
func watchedGroups(s *model.Snapshot) (n int) {
	for _, g := range s.Groups {
		if g.Kind != model.KindExternal {
			n++
		}
	}
	return n
}
