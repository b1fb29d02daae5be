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
	clusterConfigs   = right{"DescribeConfigs on the cluster", "the brokers' check interval: 300 s is assumed; floors do not use it"}
	rightsInSequence = [...]right{describeTopics, describeGroups, describeCluster, topicConfigs, clusterConfigs}
)

// reportRights tells once, after the first poll that reached a broker, which rights are missing and
// what each costs; done is true when it did.
func reportRights(logger *slog.Logger, s *state) (done bool) {
	if !s.snapshot.Reached {
		return false
	}
	missing := missingRights(s)
	for _, r := range rightsInSequence {
		if n := missing[r]; n > 0 {
			logger.Warn("A right is missing", "right", r.name, "of", n, "costs", r.costs)
		}
	}
	return true
}

// missingRights counts by right what a poll was refused: topics and groups by name, brokers one by
// one. What is hidden is no error of any request.
func missingRights(s *state) map[right]int {
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
		case p.Cause == "TOPIC_AUTHORIZATION_FAILED":
			topics[p.Topic] = true
		case p.Cause == "GROUP_AUTHORIZATION_FAILED":
			groups[p.Group] = true
		}
	}
	missing[describeTopics] = max(len(topics), s.snapshot.TopicsHidden)
	missing[describeGroups] = max(len(groups), s.snapshot.GroupsHidden)
	return missing
}
