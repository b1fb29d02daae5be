package advice

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Findings are those of all topics, by topic and kind; a topic has at most one of a kind, which
// names the partition or group where it shows most. lags are the largest that were seen, those of
// the report among them; report may be nil before the first one.
func Findings(s *model.Snapshot, report *predictor.Report, lags Lags, now model.Instant) []Finding {
	if s == nil || report == nil {
		return nil
	}
	var out []Finding
	w := world{s, lags, now, covered(s)}
	for t := range topicsOf(s, report) {
		for _, look := range []func(*topic, world) (Finding, bool){
			inertRetention, outlivesRetention, futureStamp, brokersDisagree, brokerDefault, retentionShort,
			bytesExceedVolume, activeExceedsCap, oldStamps, replicaAhead, notApplied, uncovered, brokerUnverified, filesDisagree,
		} {
			if f, ok := look(t, w); ok {
				f.Topic = t.name
				out = append(out, f)
			}
		}
	}
	return out
}

// world is what findings look at beside the topic.
type world struct {
	*model.Snapshot
	lags    Lags
	now     model.Instant
	covered model.Maybe[map[string]bool]
}

// topic is one topic as its partitions' leaders see it.
type topic struct {
	model.Topic
	name       string
	partitions []partition // by number
}

// partition is one partition with the settings that its leader applies.
type partition struct {
	model.Partition
	predictor.Outlook
	settings model.Settings
	known    bool // the settings
	check    model.Millis
}

// topicsOf walks the watched topics by name. Each is there until the next one comes, which takes the
// memory of its partitions: together they would be as much as all that a poll has read.
func topicsOf(s *model.Snapshot, report *predictor.Report) iter.Seq[*topic] {
	numbers := make(map[string][]int32, len(s.Topics))
	for name, t := range s.Topics {
		if s.Portion.Owns(name) {
			numbers[name] = make([]int32, 0, max(0, t.Partitions))
		}
	}
	for key := range s.Partitions {
		if own, ok := numbers[key.Topic]; ok {
			numbers[key.Topic] = append(own, key.Partition)
		}
	}
	return func(yield func(*topic) bool) {
		var partitions []partition
		for _, name := range slices.Sorted(maps.Keys(numbers)) {
			t := topic{Topic: s.Topics[name], name: name, partitions: partitions[:0]}
			slices.Sort(numbers[name])
			for _, n := range numbers[name] {
				t.take(s, report, model.PartitionKey{Topic: name, Partition: n})
			}
			partitions = t.partitions
			if !yield(&t) {
				return
			}
		}
	}
}

// take adds a partition.
func (t *topic) take(s *model.Snapshot, report *predictor.Report, key model.PartitionKey) {
	one := partition{Partition: s.Partitions[key], Outlook: report.Partitions[key]}
	if one.LeaderKnown && !t.Unreadable {
		one.settings, one.known = t.Settings[one.Leader].Get()
	}
	one.check = checkOf(s.Brokers[one.Leader], one.settings)
	t.partitions = append(t.partitions, one)
}

// The defaults of Kafka, assumed where a broker does not show its own.
const (
	defaultCheckInterval  = model.Millis(300_000)
	defaultCleanerBackoff = model.Millis(15_000)
)

// checkOf is the interval of the passes over a partition (broker.md 4.1, 4.2).
func checkOf(b model.Broker, s model.Settings) model.Millis {
	known, _ := b.Settings.Get()
	if s.Policy.Compacts() {
		return cmp.Or(max(0, known.CleanerBackoff), defaultCleanerBackoff)
	}
	return cmp.Or(max(0, known.CheckInterval), defaultCheckInterval)
}

// settings are those of the first partition whose leader told them.
func (t *topic) settings() (model.Settings, bool) {
	for _, p := range t.partitions {
		if p.known {
			return p.settings, true
		}
	}
	return model.Settings{}, false
}

// edges are the log start and the high watermark, where both are known.
func (p *partition) edges() (start, end model.Offset, ok bool) {
	start, s := p.LogStart.Get()
	end, e := p.End.Get()
	return start, end, s && e
}
