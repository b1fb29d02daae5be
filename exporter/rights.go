package exporter

import (
	"log/slog"

	"kafka-retention-exporter/model"
)

// right is one right at the brokers, in the words of the README, and what its absence costs.
type right struct{ name, costs string }

// The rights, in the order in which they are reported.
var (
	describeTopics   = right{"Describe on a topic", "these topics, of which nothing is known but that they are there"}
	describeGroups   = right{"Describe on a group", "their positions; they count as unknown, reason unreadable"}
	describeCluster  = right{"Describe on the cluster", "sizes and volumes, and forecasts under retention.bytes, reason size_unreadable"}
	topicConfigs     = right{"DescribeConfigs on a topic", "their settings and forecasts, reason config_unreadable"}
	clusterConfigs   = right{"DescribeConfigs on the cluster", "the brokers' check interval: 300 s is assumed, floors do not use it; and when committed offsets expire"}
	readDivision     = right{"Read on the group of --cluster.group", "everything but the cluster's own series: this exporter gets no part of the work"}
	readOffsets      = right{"Read on " + model.OffsetsTopic + " for --offsets.topic", "when groups committed, and what stands on it: when offsets expire where that was not seen, and the pace of groups at the start"}
	rightsInSequence = [...]right{describeTopics, describeGroups, describeCluster, topicConfigs, clusterConfigs, readDivision, readOffsets}
)

// rightsReport tells once of each right that is missing, with what it costs: after the first poll
// that reached a broker, and later of those that are refused only then.
type rightsReport struct {
	begun bool
	said  [len(rightsInSequence)]bool
}

func (r *rightsReport) note(logger *slog.Logger, s *state) {
	if !s.snapshot.Reached {
		return
	}
	missing := refusedRights(s)
	if !r.begun { // what is hidden counts at the start only: later it may just be new
		missing[describeTopics] = max(missing[describeTopics], s.snapshot.TopicsHidden)
		missing[describeGroups] = max(missing[describeGroups], s.snapshot.GroupsHidden)
	}
	r.begun = true
	for i, right := range rightsInSequence {
		if n := missing[right]; n > 0 && !r.said[i] {
			logger.Warn("A right is missing", "right", right.name, "of", n, "costs", right.costs)
			r.said[i] = true
		}
	}
}

// refusedRights counts by right what a poll was refused: topics and groups by name, brokers one by
// one. What is hidden is no error of any request.
func refusedRights(s *state) map[right]int {
	missing := map[right]int{}
	topics, groups := map[string]bool{}, map[string]bool{}
	for _, p := range s.problems {
		switch {
		case p.Cause == "CLUSTER_AUTHORIZATION_FAILED" && p.Stage == model.StageConfigs:
			missing[clusterConfigs]++
		case p.Cause == "CLUSTER_AUTHORIZATION_FAILED":
			missing[describeCluster]++
		case p.Cause == "TOPIC_AUTHORIZATION_FAILED" && p.Stage == model.StageConfigs:
			missing[topicConfigs] += max(1, p.Count)
		case p.Cause == "TOPIC_AUTHORIZATION_FAILED" && p.Stage == model.StageOffsets && p.Topic == model.OffsetsTopic:
			missing[readOffsets]++
		case p.Cause == "TOPIC_AUTHORIZATION_FAILED":
			topics[p.Topic] = true
		case p.Cause == "GROUP_AUTHORIZATION_FAILED" && p.Stage == model.StageGroups && !p.HasBroker:
			missing[readDivision]++ // to join is no question to one of the brokers
		case p.Cause == "GROUP_AUTHORIZATION_FAILED":
			groups[p.Group] = true
		}
	}
	missing[describeTopics], missing[describeGroups] = len(topics), len(groups)
	return missing
}
