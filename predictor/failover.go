package predictor

import "kafka-retention-exporter/model"

// silentPolls is after how many polls without a word a broker is not taken at its last one.
const silentPolls = 3

// failoverStart is the highest log start among the in-sync replicas, the leader included: each
// replica runs its own passes over its own segments and may be ahead of the leader without
// telling anyone, and whoever leads next brings its own log start along (broker.md 3.5).
//
// It is unknown where the in-sync replicas are not known, or one of them was not asked, refused,
// or has been silent for too long to be held to its last answer.
func failoverStart(s *model.Snapshot, f model.Partition, poll model.Millis) model.Maybe[model.Offset] {
	highest, ok := f.LogStart.Get()
	if !ok || !f.LeaderKnown || len(f.ISR) == 0 {
		return model.Maybe[model.Offset]{}
	}
	for _, id := range f.ISR {
		if id == f.Leader {
			continue
		}
		start, told := f.FollowerLogStart[id].Get()
		_, speaks := s.Brokers[id].LastAnswer.FreshSince(s.Started.Add(-silentPolls * poll))
		if !told || !speaks {
			return model.Maybe[model.Offset]{}
		}
		highest = max(highest, start)
	}
	return model.Known(highest)
}

// exposed is how many unread offsets would be gone if the in-sync replica that is furthest ahead
// became leader.
func (j *judge) exposed() model.Maybe[model.Offset] {
	start, ok := j.part.failover.Get()
	if !ok {
		return model.Maybe[model.Offset]{}
	}
	return model.Known(max(0, min(start, j.end)-j.from()))
}
