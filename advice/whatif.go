package advice

import (
	"cmp"
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Question is a topic with the settings to try on it.
type Question struct {
	Topic   string
	Changes []Change
	// Factor is the safety factor of the smallest safe retention: how many times the largest lag.
	Factor float64
	// Seen is the largest lag seen earlier, if any.
	Seen Lag
	// Replicas is how many copies of each partition there are.
	Replicas map[model.PartitionKey]int
	// Release is each broker's, for the rules that it follows.
	Release map[model.BrokerID]model.Release
}

// Outcome is what would follow from a change.
type Outcome struct {
	Topic      string
	Changes    []Change
	Partitions []Pass
	Losing     []Loss   // by group and partition
	Safe       []string // groups with a position here that lose nothing at the next pass, by name
	Smallest   Smallest
	Unsure     []string // what could not be told; where there is anything, Safe proves nothing
}

// Pass is what the next pass over one partition would do.
type Pass struct {
	Key          model.PartitionKey
	At           model.Instant              // the next pass, as nearly as it is known
	Latest       model.Instant              // it comes no later than this
	Segments     int                        // that go
	Start, After model.Offset               // log start before and after
	Bytes        model.Bytes                // that go on one replica
	BytesAnyway  model.Bytes                // of these, what goes without the change as well
	AllReplicas  model.Bytes                // Bytes on all replicas, each of which deletes for itself
	DiskBack     model.Instant              // when the files are unlinked: the pass and file.delete.delay.ms
	UpTo         model.Maybe[model.Instant] // newest record time among what goes
	Rules        []model.Rule               // that take it, in the order in which they run
}

// Loss is what one group would lose on one partition.
type Loss struct {
	Group    string
	Key      model.PartitionKey
	From, To model.Offset // unread offsets [From, To) go
	Bytes    model.Bytes
	// UpTo is the newest record time among what goes.
	UpTo model.Maybe[model.Instant]
}

// Records is an upper bound: offsets of transaction markers and compacted records count.
func (l Loss) Records() model.Offset { return l.To - l.From }

// Smallest is the least retention under which every group that is known stays whole, with the
// safety factor; unknown where no group has a lag.
type Smallest struct {
	RetentionMs    model.Maybe[model.Millis]
	RetentionBytes model.Maybe[model.Bytes]
	Lag            Lag
}

// WhatIf tells what the next pass would delete if the settings were changed now.
func WhatIf(q Question, logs []predictor.Log, now model.Instant) Outcome {
	out := Outcome{Topic: q.Topic, Changes: q.Changes}
	if len(logs) == 0 {
		out.Unsure = append(out.Unsure, "log start, end or settings of the topic are not known")
	}
	groups := map[string]bool{}
	for _, l := range logs {
		pass := q.pass(l, now)
		out.Partitions = append(out.Partitions, pass)
		out.Unsure = append(out.Unsure, q.unsure(l)...)
		for _, r := range l.Readers {
			loss, loses := lossOf(r, l, pass)
			groups[r.Group] = groups[r.Group] || loses
			if loses {
				out.Losing = append(out.Losing, loss)
			}
		}
	}
	for name, loses := range groups {
		if !loses {
			out.Safe = append(out.Safe, name)
		}
	}
	slices.Sort(out.Safe)
	slices.SortFunc(out.Losing, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Key.Partition, b.Key.Partition))
	})
	out.Smallest = q.smallest(logs)
	return out
}
