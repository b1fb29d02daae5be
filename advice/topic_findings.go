package advice

import (
	"fmt"

	"kafka-retention-exporter/model"
)

// inertRetention: under compact-only and the empty policy only the start rule runs
// (UnifiedLog.deleteOldSegments); the broker takes retention settings without a word.
func inertRetention(t *topic, _ world) (Finding, bool) {
	s, ok := t.settings()
	if !ok || s.Limited() {
		return Finding{}, false
	}
	evidence, names := "", ""
	if s.RetentionMsSource == model.SourceTopic && s.RetentionMs >= 0 {
		evidence, names = fmt.Sprintf("retention.ms=%d", s.RetentionMs), "retention.ms"
	}
	if s.RetentionBytesSource == model.SourceTopic && s.RetentionBytes >= 0 {
		evidence, names = joined(evidence, fmt.Sprintf("retention.bytes=%d", s.RetentionBytes)), joined(names, "retention.bytes")
	}
	if names == "" {
		return Finding{}, false
	}
	deleting := "cleanup.policy=delete"
	if s.Policy.Compacts() {
		deleting = "cleanup.policy=[compact,delete]"
	}
	return Finding{
		Kind:        InertRetention,
		Evidence:    fmt.Sprintf("%s is set on the topic, but cleanup.policy is %s", evidence, s.Policy),
		Consequence: "Nothing is ever deleted by age or size: the log grows with its keys, or for ever.",
		Cure:        []string{setTopic(t.name, deleting), unsetTopic(t.name, names)},
	}, true
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "," + b
}

// outlives is how many times retention.ms a record may live before it is a finding.
const outlives = 3

// outlivesRetention: a segment goes as a whole, once its newest record is old enough, so its
// oldest record lives for retention.ms plus the time the segment spans (broker.md 5.5).
func outlivesRetention(t *topic, w world) (Finding, bool) {
	for _, p := range t.partitions {
		start, end, ok := p.edges()
		age, timed := p.settings.TimeLimit()
		if !p.known || !ok || start >= end || !timed || age <= 0 {
			continue
		}
		span := segmentSpan(p.settings, p.ByteRate)
		if span < (outlives-1)*age {
			continue
		}
		f := Finding{
			Kind: OutlivesRetention,
			Evidence: fmt.Sprintf("partition %d: a segment spans up to %s (segment.ms=%d, segment.bytes=%d), retention.ms is %s",
				p.Key.Partition, lasting(span), p.settings.SegmentMs, p.settings.SegmentBytes, lasting(age)),
			Consequence: fmt.Sprintf("Records live up to %s and then go many at once, because a segment is kept for as long as its newest record.", lasting(age+span)),
			Cure:        []string{setTopic(t.name, fmt.Sprintf("segment.ms=%d", max(1, age/4)))},
		}
		if oldest, ok := p.Oldest.Get(); ok && oldest.Found {
			f.Evidence += fmt.Sprintf("; its oldest record is %s old", lasting(w.now.Sub(oldest.Stamp)))
		}
		return f, true
	}
	return Finding{}, false
}

// segmentSpan is the event time between the first and the last record of a segment: segment.ms,
// or less where segment.bytes is full before.
func segmentSpan(s model.Settings, rate model.Maybe[float64]) model.Millis {
	span := s.RollAfter()
	if perSecond, ok := rate.Get(); ok && perSecond > 0 {
		if full := float64(s.SegmentBytes) / perSecond * 1000; full < float64(span) {
			span = model.Millis(full)
		}
	}
	return span
}

// brokerDefault: what the topic does not set is each broker's own affair (broker.md 6.1).
func brokerDefault(t *topic, _ world) (Finding, bool) {
	s, ok := t.settings()
	if !ok || !s.Limited() || s.RetentionMsSource == model.SourceTopic {
		return Finding{}, false
	}
	return Finding{
		Kind:        BrokerDefault,
		Evidence:    fmt.Sprintf("retention.ms is not set on the topic; its leader applies %d", s.RetentionMs),
		Consequence: "A change of the brokers' default, or a new leader with another one, changes how long records are kept.",
		Cure:        []string{setTopic(t.name, fmt.Sprintf("retention.ms=%d", s.RetentionMs))},
	}, true
}

// shortFactor is how many times the largest lag retention should be, and curedFactor how many
// times it is made to be: the lag of a group that stands still grows on.
const (
	shortFactor = 2
	curedFactor = 3
)

// retentionShort: a group that is as late again as it was loses records.
func retentionShort(t *topic, w world) (Finding, bool) {
	s, ok := t.settings()
	lag := w.lags[t.name]
	if !ok {
		return Finding{}, false
	}
	f := Finding{Kind: RetentionShort, Consequence: "A group that falls behind once more as far as that, or twice as far, loses records."}
	if age, timed := s.TimeLimit(); timed && lag.Time > 0 && age < shortFactor*lag.Time {
		f.Evidence = fmt.Sprintf("retention.ms is %s, and group %s was %s behind on partition %d", lasting(age), lag.Group, lasting(lag.Time), lag.Partition)
		f.Cure = []string{setTopic(t.name, fmt.Sprintf("retention.ms=%d", curedFactor*lag.Time))}
		return f, true
	}
	if limit, on := s.SizeLimit(); on && lag.Bytes > 0 && limit < shortFactor*lag.Bytes {
		f.Evidence = fmt.Sprintf("retention.bytes is %s, and group %s was %s behind on partition %d", sized(limit), lag.BytesGroup, sized(lag.Bytes), lag.BytesSeenOn)
		f.Cure = []string{setTopic(t.name, fmt.Sprintf("retention.bytes=%d", curedFactor*lag.Bytes))}
		return f, true
	}
	return Finding{}, false
}

// bytesExceedVolume: retention.bytes counts for each replica of each partition (broker.md 2.5).
func bytesExceedVolume(t *topic, w world) (Finding, bool) {
	s, ok := t.settings()
	limit, on := s.SizeLimit()
	if !ok || !on || limit <= 0 {
		return Finding{}, false
	}
	hosted := map[model.BrokerID]model.Bytes{}
	for _, p := range t.partitions {
		for _, b := range p.Replicas {
			hosted[b]++
		}
	}
	for id, n := range hosted {
		total, ok := volumesOf(w.Brokers[id])
		if !ok || limit <= total/n {
			continue
		}
		return Finding{
			Kind:        BytesExceedVolume,
			Evidence:    fmt.Sprintf("retention.bytes is %s, broker %d hosts %d replicas of the topic, and its volumes have %s", sized(limit), id, n, sized(total)),
			Consequence: "The volume is full before the size limit deletes anything; a broker stops when its log dir is full.",
			Cure:        []string{setTopic(t.name, fmt.Sprintf("retention.bytes=%d", total/n/10*8))},
		}, true
	}
	return Finding{}, false
}

// volumesOf is the size of all log dirs of a broker; ok is false where one is unknown.
func volumesOf(b model.Broker) (sum model.Bytes, ok bool) {
	for _, v := range b.Dirs {
		total, known := v.Total.Get()
		if !known {
			return 0, false
		}
		sum += total
	}
	return sum, sum > 0
}

// activeExceedsCap: a positive cap never takes the active segment (broker.md 2.4).
func activeExceedsCap(t *topic, w world) (Finding, bool) {
	for _, p := range t.partitions {
		limit, on := p.settings.SizeLimit()
		active, known := p.Active.Get()
		if !p.known || !on || limit <= 0 || !known {
			continue
		}
		grows := active
		if rate, ok := p.ByteRate.Get(); ok {
			grows = max(grows, model.Bytes(min(float64(p.settings.SegmentBytes), rate*float64(p.settings.RollAfter())/1000)))
		}
		if grows <= limit {
			continue
		}
		segment := max(limit/4, smallestSegment(w.Brokers[p.Leader]))
		return Finding{
			Kind: ActiveExceedsCap,
			Evidence: fmt.Sprintf("partition %d: the active segment has %s and gets up to %s before it rolls; retention.bytes is %s",
				p.Key.Partition, sized(active), sized(grows), sized(limit)),
			Consequence: "The active segment is never deleted by size: the log stays above the cap, and then far more than the cap goes at once.",
			Cure:        []string{setTopic(t.name, fmt.Sprintf("segment.bytes=%d", segment))},
		}, true
	}
	return Finding{}, false
}

// smallestSegment is the least segment.bytes that a broker takes.
func smallestSegment(b model.Broker) model.Bytes { return releaseOf(b).MinTopicSegmentBytes() }

// releaseOf is the broker's release as far as it is known.
func releaseOf(b model.Broker) model.Release {
	text, _ := b.Version.Get()
	release, err := model.ParseRelease(text)
	if err != nil {
		return model.Release{} // unknown counts as the newest
	}
	return release
}
