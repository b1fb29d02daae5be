package sim

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// Incident is something that befalls the brokers or the topic.
type Incident struct {
	At   model.Instant
	Kind IncidentKind
	// Times is by what a setting is multiplied, or up to what share of the log records are deleted.
	Times float64
	// Down is how long the leader does not answer.
	Down model.Millis
}

// IncidentKind is what happens.
type IncidentKind uint8

// Kinds of incidents.
const (
	BrokerRestarts IncidentKind = iota + 1
	LeaderChanges
	RetentionChanges
	SegmentBytesChange
	RecordsAreDeleted
	TopicIsRecreated
)

// cause is why a forecast could not have known; ok is false for what changes no deadline by more
// than a check interval.
func (k IncidentKind) cause() (c track.Cause, ok bool) {
	switch k {
	case LeaderChanges:
		return track.Failover, true
	case RetentionChanges, SegmentBytesChange:
		return track.ConfigChanged, true
	case RecordsAreDeleted:
		return track.RecordsDeleted, true
	case TopicIsRecreated:
		return track.Recreated, true
	}
	return 0, false
}

// strike lets the next incident happen.
func (w *world) strike() {
	i := w.incidents[0]
	w.incidents = w.incidents[1:]
	switch i.Kind {
	case BrokerRestarts:
		w.upAt = w.now.Add(i.Down)
		w.log.Reload(w.upAt)
		w.passes[w.leader] = w.upAt.Add(30 * second)
	case LeaderChanges:
		w.failOver()
	case RetentionChanges:
		s := w.log.Settings()
		if s.RetentionMs >= 0 {
			s.RetentionMs = model.Millis(float64(s.RetentionMs) * i.Times)
		}
		if s.RetentionBytes >= 0 {
			s.RetentionBytes = model.Bytes(float64(s.RetentionBytes) * i.Times)
		}
		w.configure(s)
	case SegmentBytesChange:
		s := w.log.Settings()
		s.SegmentBytes = model.Bytes(float64(s.SegmentBytes) * i.Times)
		w.configure(s)
	case RecordsAreDeleted:
		to := w.log.Start() + model.Offset(i.Times*float64(w.log.End()-w.log.Start()))
		_ = w.log.DeleteRecords(to) // lies within the log
		w.moved()
	case TopicIsRecreated:
		w.recreate()
	}
}

func (w *world) configure(s model.Settings) {
	w.log.Configure(s)
	if w.follower != nil {
		w.follower.Configure(s)
	}
}

// failOver makes the follower the leader; its log start may lie ahead.
func (w *world) failOver() {
	if w.follower == nil {
		return
	}
	w.catchUp()
	w.log, w.follower = w.follower, w.log
	w.leader = w.other()
	w.epoch++
	w.moved()
	_ = w.follower.RaiseStart(w.log.Start())
}

// recreate deletes the topic and creates it again. What the group had not read is lost.
func (w *world) recreate() {
	w.starts = append(w.starts, move{w.now, w.topic, goneForGood})
	w.loses(w.log.Start(), w.log.End())
	w.topic++
	w.log = w.newLog(w.plan.seed(6))
	if w.follower != nil {
		w.follower = w.newLog(w.plan.seed(7))
	}
	w.records, w.unfetched = records{}, model.Batch{}
	w.group.committed, w.group.read, w.group.exists = 0, 0, false // the broker drops its offsets with the topic
}
