package advice

import (
	"cmp"
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
	for _, t := range topicsOf(s, report) {
		for _, look := range []func(*topic, world) (Finding, bool){
			inertRetention, outlivesRetention, futureStamp, brokersDisagree, brokerDefault, retentionShort,
			bytesExceedVolume, activeExceedsCap, oldStamps, replicaAhead, notApplied, uncovered, brokerUnverified,
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

func topicsOf(s *model.Snapshot, report *predictor.Report) []*topic {
	byName := map[string]*topic{}
	for name, t := range s.Topics {
		if s.Portion.Owns(name) {
			byName[name] = &topic{Topic: t, name: name, partitions: make([]partition, 0, max(0, t.Partitions))}
		}
	}
	for key, p := range s.Partitions {
		t, ok := byName[key.Topic]
		if !ok {
			continue
		}
		one := partition{Partition: p, Outlook: report.Partitions[key]}
		if p.LeaderKnown && !t.Unreadable {
			one.settings, one.known = t.Settings[p.Leader].Get()
		}
		one.check = checkOf(s.Brokers[p.Leader], one.settings)
		t.partitions = append(t.partitions, one)
	}
	out := make([]*topic, 0, len(byName))
	for _, t := range byName {
		slices.SortFunc(t.partitions, func(a, b partition) int { return cmp.Compare(a.Key.Partition, b.Key.Partition) })
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b *topic) int { return cmp.Compare(a.name, b.name) })
	return out
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
