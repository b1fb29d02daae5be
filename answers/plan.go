package answers

import (
	"math"

	"kafka-retention-exporter/advice"
)

// Plan is what topics need on disk once they have settled.
type Plan struct {
	Exit    int         `json:"exit"`
	Topics  []TopicNeed `json:"topics"`
	Cluster int64       `json:"bytes_on_disk_all_replicas"`
	Volumes []Volume    `json:"volumes"`
	Unsure  []string    `json:"unsure"`
}

// TopicNeed is that of one topic.
type TopicNeed struct {
	Topic      string          `json:"topic"`
	OnDisk     int64           `json:"bytes_on_disk_all_replicas"`
	Partitions []PartitionNeed `json:"partitions"`
}

// PartitionNeed is what one replica of a partition settles at: between least and most of its log,
// and on disk with what is deleted but not unlinked yet.
type PartitionNeed struct {
	Partition int32   `json:"partition"`
	Rate      float64 `json:"bytes_per_second"`
	Rule      string  `json:"rule"`
	Now       Number  `json:"bytes_now"`
	Least     int64   `json:"bytes_least"`
	Mean      int64   `json:"bytes_mean"`
	Most      int64   `json:"bytes_most"`
	OnDisk    int64   `json:"bytes_on_disk"`
	Replicas  int     `json:"replicas"`
}

// Volume is a log dir's file system.
type Volume struct {
	Broker int32  `json:"broker"`
	Dir    string `json:"dir"`
	Total  Number `json:"bytes_total"`
	Free   Number `json:"bytes_free"`
	Growth Number `json:"bytes_growth"` // what its logs still grow; null where unknown or unlimited
	Full   When   `json:"full"`
}

// NewPlan writes a plan. asked tells that it was about one topic: then what could not be told of it
// makes the whole unsure.
func NewPlan(need advice.Need, asked bool) Plan {
	out := Plan{Topics: []TopicNeed{}, Cluster: int64(need.Cluster), Volumes: []Volume{}, Unsure: append([]string{}, need.Unsure...)}
	if asked && len(need.Unsure) > 0 || len(need.Topics) == 0 {
		out.Exit = ExitUnsure
	}
	for _, t := range need.Topics {
		out.Topics = append(out.Topics, topicNeed(t))
	}
	for _, v := range need.Volumes {
		out.Volumes = append(out.Volumes, Volume{int32(v.Broker), v.Dir, number(v.Total), number(v.Free), number(v.Growth), When{v.Full}})
	}
	for _, v := range need.Volumes {
		fits, known := v.Fits().Get()
		switch {
		case !known && out.Exit == ExitSafe:
			out.Exit = ExitUnsure
		case known && !fits:
			out.Exit = ExitRisk
			return out
		}
	}
	return out
}

func topicNeed(t advice.TopicNeed) TopicNeed {
	out := TopicNeed{Topic: t.Topic, OnDisk: int64(t.OnDisk), Partitions: []PartitionNeed{}}
	for _, p := range t.Partitions {
		out.Partitions = append(out.Partitions, PartitionNeed{
			Partition: p.Key.Partition, Rate: math.Round(p.Rate*1000) / 1000, Rule: p.Rule.String(), Now: number(p.Now),
			Least: int64(p.Least), Mean: int64(p.Mean), Most: int64(p.Most), OnDisk: int64(p.OnDisk), Replicas: p.Replicas,
		})
	}
	return out
}
