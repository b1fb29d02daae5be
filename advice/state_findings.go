package advice

import (
	"fmt"
	"slices"
	"strings"

	"kafka-retention-exporter/model"
)

// futureStamp: the walk of the time rule stops at a segment stamped in the future, whatever lies
// behind it (UnifiedLog.deleteRetentionMsBreachedSegments, broker.md 1.4).
func futureStamp(t *topic, _ world) (Finding, bool) {
	for _, p := range t.partitions {
		r, ok := p.Blocker.Get()
		age, timed := p.settings.TimeLimit()
		if !ok || !timed {
			continue
		}
		return Finding{
			Kind:        FutureStamp,
			Evidence:    fmt.Sprintf("partition %d: the record at offset %d is stamped %v", p.Key.Partition, r.Offset, r.Stamp),
			Consequence: fmt.Sprintf("Neither its segment nor anything behind it is deleted by age before %v.", r.Stamp.Add(age).Add(1)),
			Cure: []string{
				unblock(t.name, p),
				setTopic(t.name, "message.timestamp.after.max.ms=3600000") + " # refuses further ones; what is there goes when it is due",
			},
		}, true
	}
	return Finding{}, false
}

// unblock is the command line that makes the blocker's segment go. Deleting the one record is not
// enough: a segment is judged by its largest stamp for as long as it is there, and the start rule
// takes it only when the log start has reached the next base, which the active one does not have.
func unblock(topic string, p partition) string {
	base, closed := p.Behind.Get()
	if !closed {
		return setTopic(topic, "segment.ms=1000") + " # the segment is still written to: it must roll first; then check again"
	}
	return fmt.Sprintf(`echo '{"version":1,"partitions":[{"topic":"%s","partition":%d,"offset":%d}]}' >offsets.json && kafka-delete-records.sh --bootstrap-server "$BOOTSTRAP" --offset-json-file offsets.json # deletes everything up to the end of its segment`,
		topic, p.Key.Partition, base)
}

// resolved is what one replica's broker resolves.
type resolved struct {
	broker model.BrokerID
	model.Settings
}

// sameReading is how far apart two brokers' answers may be to be compared: a silent broker's
// earlier answer proves nothing.
const sameReading = model.Millis(10_000)

// resolutions are what the replicas' brokers resolved in the newest reading, by broker.
func (t *topic) resolutions() []resolved {
	holds := map[model.BrokerID]bool{}
	for _, p := range t.partitions {
		for _, id := range p.Replicas {
			holds[id] = true
		}
	}
	var newest model.Instant
	for _, r := range t.Settings {
		if at, ok := r.At(); ok {
			newest = max(newest, at)
		}
	}
	var out []resolved
	for id, r := range t.Settings {
		if s, ok := r.FreshSince(newest.Add(-sameReading)); ok && holds[id] {
			out = append(out, resolved{id, s})
		}
	}
	slices.SortFunc(out, func(a, b resolved) int { return int(a.broker) - int(b.broker) })
	return out
}

// differ finds a broker that resolves another retention than the first one. byTopic is whether
// the topic's own setting is in force on either of the two: then one of them does not apply it.
func (t *topic) differ(byTopic bool) (a, b resolved, ok bool) {
	all := t.resolutions()
	for i := 1; i < len(all); i++ {
		a, b := all[0], all[i]
		times := a.RetentionMs != b.RetentionMs && byTopic == (a.RetentionMsSource == model.SourceTopic || b.RetentionMsSource == model.SourceTopic)
		sizes := a.RetentionBytes != b.RetentionBytes && byTopic == (a.RetentionBytesSource == model.SourceTopic || b.RetentionBytesSource == model.SourceTopic)
		if (times || sizes) && (a.Limited() || b.Limited()) {
			return a, b, true
		}
	}
	return resolved{}, resolved{}, false
}

func (r resolved) String() string {
	return fmt.Sprintf("broker %d applies retention.ms=%d and retention.bytes=%d", r.broker, r.RetentionMs, r.RetentionBytes)
}

// brokersDisagree: each replica deletes for itself by its own broker's defaults (broker.md 6.4).
func brokersDisagree(t *topic, _ world) (Finding, bool) {
	a, b, ok := t.differ(false)
	if !ok {
		return Finding{}, false
	}
	longest := a.RetentionMs
	if longest >= 0 && (b.RetentionMs < 0 || b.RetentionMs > longest) {
		longest = b.RetentionMs
	}
	settings := fmt.Sprintf("retention.ms=%d", longest)
	if a.RetentionBytes != b.RetentionBytes {
		most := max(a.RetentionBytes, b.RetentionBytes)
		if min(a.RetentionBytes, b.RetentionBytes) < 0 {
			most = -1
		}
		settings += fmt.Sprintf(",retention.bytes=%d", most)
	}
	return Finding{
		Kind:        BrokersDisagree,
		Evidence:    fmt.Sprintf("%v, %v", a, b),
		Consequence: "The replica with the shorter retention deletes first; when it leads, groups lose what the others still had.",
		Cure:        []string{setTopic(t.name, settings)},
	}, true
}

// notApplied: a broker that has not followed the metadata log goes on with the old setting.
func notApplied(t *topic, _ world) (Finding, bool) {
	a, b, ok := t.differ(true)
	if !ok {
		return Finding{}, false
	}
	behind := b.broker
	if a.RetentionMsSource != model.SourceTopic && b.RetentionMsSource == model.SourceTopic {
		behind = a.broker
	}
	return Finding{
		Kind:        NotApplied,
		Evidence:    fmt.Sprintf("retention is set on the topic, but %v, %v", a, b),
		Consequence: "The replica on the broker that is behind deletes by the old setting, also after it has become leader.",
		Cure: []string{
			fmt.Sprintf("kafka-configs.sh --bootstrap-server HOST_OF_BROKER_%d --describe --all --entity-type topics --entity-name %s # if it stays: restart that broker, it does not follow the controller", behind, t.name),
		},
	}, true
}

// oldStamps: records under CreateTime that come with stamps older than retention are accepted,
// and deleted at the next pass (broker.md 1.8).
func oldStamps(t *topic, w world) (Finding, bool) {
	for _, p := range t.partitions {
		start, end, ok := p.edges()
		age, timed := p.settings.TimeLimit()
		newest, bounded := p.Newest.Get()
		if !p.known || !ok || start >= end || !timed || !bounded || p.settings.TimestampType != model.CreateTime {
			continue
		}
		arrived, how := oldArrival(p, newest, age, w.now)
		if !arrived {
			continue
		}
		old := w.now.Sub(newest)
		return Finding{
			Kind:        OldStamps,
			Evidence:    fmt.Sprintf("partition %d: %s, but no record is younger than %s, and retention.ms is %s", p.Key.Partition, how, lasting(old), lasting(age)),
			Consequence: fmt.Sprintf("The next pass deletes all %d offsets, however lately they were written.", end-start),
			Cure: []string{
				setTopic(t.name, fmt.Sprintf("retention.ms=%d", age+2*old)),
				setTopic(t.name, "message.timestamp.type=LogAppendTime") + " # for records that are written from now on",
			},
		}, true
	}
	return Finding{}, false
}

// oldArrival tells whether the newest record was older than retention when it came: either it was
// seen to come, or it would have gone at an earlier pass had it been there.
func oldArrival(p partition, newest model.Instant, age model.Millis, now model.Instant) (bool, string) {
	if rose, ok := p.Rose.Get(); ok && rose.Sub(newest) > age {
		return true, fmt.Sprintf("records arrived at %v", rose)
	}
	if now.Sub(newest)-age > 2*p.check {
		return true, fmt.Sprintf("records are there that an earlier pass would have deleted, with one every %s", lasting(p.check))
	}
	return false, ""
}

// replicaAhead: a follower is not held back by its leader (broker.md 3.5).
func replicaAhead(t *topic, w world) (Finding, bool) {
	for _, p := range t.partitions {
		start, ok := p.LogStart.Get()
		if !ok {
			continue
		}
		for _, id := range p.Replicas {
			ahead, ok := aheadOf(p, id, w)
			if !ok || ahead <= start || id == p.Leader {
				continue
			}
			return Finding{
				Kind:        ReplicaAhead,
				Evidence:    fmt.Sprintf("partition %d: the log of broker %d begins at offset %d, that of the leader %d at %d", p.Key.Partition, id, ahead, p.Leader, start),
				Consequence: fmt.Sprintf("When broker %d leads, %d offsets that can be read now are gone.", id, ahead-start),
				Cure:        []string{setTopic(t.name, fmt.Sprintf("retention.ms=%d", p.settings.RetentionMs)) + " # all replicas then delete alike; the leader catches up by its own passes"},
			}, true
		}
	}
	return Finding{}, false
}

// uncovered: a topic that no watched group has an offset on, is assigned or subscribes to. Where
// the groups could not be read it is not known, and not said.
func uncovered(t *topic, w world) (Finding, bool) {
	topics, known := w.covered.Get()
	if t.Internal || !known || topics[t.name] {
		return Finding{}, false
	}
	return Finding{
		Kind:        Uncovered,
		Evidence:    fmt.Sprintf("none of %d watched groups has a committed offset on it", len(w.Groups)),
		Consequence: "Whoever reads it without committing, or shall read it one day, is not warned before records are deleted.",
		Cure: []string{
			"kafka-consumer-groups.sh --bootstrap-server \"$BOOTSTRAP\" --group GROUP --topic " + t.name + " --reset-offsets --to-earliest --execute",
			"--topic.exclude=^" + strings.ReplaceAll(t.name, ".", `\.`) + "$ # a flag of this program, if nobody is meant to read it",
		},
	}, true
}

// covered are the topics that some group reads; unknown where not every watched group could say
// what it reads, and where others watch some of the groups.
func covered(s *model.Snapshot) (none model.Maybe[map[string]bool]) {
	if !s.Portion.Whole() {
		return none
	}
	for _, p := range s.Problems {
		if s.Groups[p.Group].Kind == model.KindExternal {
			continue // it reads what it read before
		}
		if p.Stage == model.StageGroups || p.Stage == model.StageOffsets {
			return none
		}
	}
	topics := map[string]bool{}
	for _, g := range s.Groups {
		if _, told := g.OffsetsRead.Get(); g.Refused != "" || g.Kind == model.KindExternal && !told {
			return none
		}
		for key := range g.Offsets {
			topics[key.Topic] = true
		}
		for key := range g.Assigned {
			topics[key.Topic] = true
		}
		for topic := range g.Subscribed {
			topics[topic] = true
		}
	}
	return model.Known(topics)
}

// brokerUnverified: a leader whose configuration is not that of Apache Kafka. When it deletes what
// is its own affair, so nothing is forecast there.
func brokerUnverified(t *topic, w world) (Finding, bool) {
	for _, p := range t.partitions {
		sign := w.Brokers[p.Leader].Unverified
		if sign == "" {
			continue
		}
		return Finding{
			Kind:        BrokerUnverified,
			Evidence:    fmt.Sprintf("partition %d: the configuration of broker %d has %s", p.Key.Partition, p.Leader, sign),
			Consequence: "When it deletes is not known to follow the rules of Apache Kafka: there is no forecast.",
			Cure:        []string{"--assume.apache-retention # a flag of this program, where its rules are known to be the same"},
		}, true
	}
	return Finding{}, false
}
