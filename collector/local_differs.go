package collector

import "kafka-retention-exporter/model"

// localMemory is the last reading of the log dirs, beside what brokers answered since.
type localMemory struct {
	broker model.LocalBroker
	at     model.Instant
	differ map[model.PartitionKey]differing
}

// differing counts in how many successive comparisons a replica was not as told.
type differing struct {
	times int
	last  model.Difference
}

// twice is how often the files must differ from the answers to be believed to: a pass of a follower is
// not at the same instant as that of its leader, and a leader changes.
const twice = 2

// compareLocal holds this reading of the log dirs and the one before against what brokers answered
// between the two, and marks replicas that differ for longer than the skew of a poll.
func (p *poll) compareLocal(now model.LocalBroker, at model.Instant) {
	m := &p.c.memory.local
	differ := map[model.PartitionKey]differing{}
	for key, r := range now.Replicas {
		before, part := m.broker.Replicas[key], p.parts[key]
		if before == nil || part == nil || before.TopicID != r.TopicID || part.TopicID != r.TopicID {
			continue
		}
		if start, known := part.LogStart.Get(); known && len(r.Segments) > 0 && r.Segments[0].Base > start {
			p.doubtStart(key) // most likely it has moved
		}
		d := m.differ[key]
		if found, compared := compare(before, r, part, now.ID, span{m.at, at}); compared {
			d.times, d.last = d.times+1, found
			if found == (model.Difference{}) {
				d.times = 0
			}
		}
		if d.times > 0 {
			differ[key] = d
		}
		if d.times >= twice {
			r.Differs = model.Known(d.last)
		}
	}
	*m = localMemory{now, at, differ}
}

type span struct{ from, to model.Instant }

func (s span) holds(at model.Instant, ok bool) bool { return ok && s.from < at && at < s.to }

// compare tells in what the files differ from the answers, and whether there was anything to compare:
// answers of the time between the two readings. A log start only rises, so that it is no lower than what
// the reading before it showed. A size is that of the files if these were the same before and after it.
func compare(before, after *model.LocalReplica, part *model.Partition, own model.BrokerID, between span) (found model.Difference, compared bool) {
	if len(before.Segments) == 0 || len(after.Segments) == 0 {
		return found, false
	}
	at, ok := part.LogStart.At()
	if between.holds(at, ok) {
		compared = true
		if start, _ := part.LogStart.Get(); before.Segments[0].Base > start {
			return model.Difference{Of: model.DifferingStart, Files: int64(before.Segments[0].Base), Told: int64(start)}, true
		}
	}
	at, ok = part.Size.At()
	if part.Leader != own || before.Size() != after.Size() || before.Segments[0].Base != after.Segments[0].Base || !between.holds(at, ok) {
		return found, compared
	}
	if size, _ := part.Size.Get(); size.Bytes != after.Size() {
		return model.Difference{Of: model.DifferingSize, Files: int64(after.Size()), Told: int64(size.Bytes)}, true
	}
	return found, true
}
