package predictor

import (
	"slices"

	"kafka-retention-exporter/model"
)

// Cause is why a floor was late, in the words of the metric audit_floor_violations_total. All but
// the last are conditions under which a floor is told.
type Cause int

// The causes. The first of which there is evidence is the one that is said.
const (
	UncleanElection Cause = iota + 1
	Failover
	ConfigChanged
	DamagedIndex
	Compaction
	BackDated
	ProduceCeiling
	RecordsDeleted
	Unexplained
	causes
)

var causeWords = [...]string{
	UncleanElection: "unclean_election", Failover: "failover", ConfigChanged: "config_changed",
	DamagedIndex: "index", Compaction: "compaction", BackDated: "back_dated",
	ProduceCeiling: "produce_ceiling", RecordsDeleted: "records_deleted", Unexplained: "unexplained",
}

// String is the metric's label value.
func (c Cause) String() string { return word(causeWords[:], int(c)) }

// Causes lists every cause.
func Causes() []Cause { return list[Cause](len(causeWords)) }

// foreseeable tells whether the forecast itself is to blame. What someone or something did to the
// log from outside says nothing about forecasts.
func (c Cause) foreseeable() bool {
	return c == Unexplained || c == ProduceCeiling || c == Compaction
}

// events are what happened to a log that forecasts of it did not foresee.
type events struct {
	leader model.BrokerID
	epoch  int32
	led    bool
	end    model.Offset
	limits model.Maybe[limits]
	last   event
	loaded model.Instant // the same leader with a new epoch: it was away, and has loaded its log anew
}

// event makes forecasts that were told before it forecasts of another world.
type event struct {
	at    model.Instant // when it was noticed
	cause Cause
}

// limits are the settings that deadlines hang on.
type limits struct {
	age, size    int64
	timed, sized bool
}

// observe compares what one poll found with the one before; isr is the in-sync replicas of then.
func (e *events) observe(f model.Partition, isr []model.BrokerID, end model.Offset, set common, at model.Instant) {
	if s, ok := set.Get(); ok {
		now := limitsOf(s)
		if old, had := e.limits.Get(); had && old != now {
			e.last = event{at, ConfigChanged}
		}
		e.limits = model.Known(now)
	}
	if f.LeaderKnown {
		if e.led {
			e.elected(f, isr, at)
		}
		e.led, e.leader, e.epoch = true, f.Leader, f.LeaderEpoch
	}
	if end < e.end {
		e.last = event{at, UncleanElection}
	}
	e.end = end
}

func (e *events) elected(f model.Partition, isr []model.BrokerID, at model.Instant) {
	switch {
	case f.Leader == e.leader && f.LeaderEpoch != e.epoch:
		e.loaded = at
	case f.Leader == e.leader:
	case len(isr) > 0 && !slices.Contains(isr, f.Leader):
		e.last = event{at, UncleanElection}
	default:
		e.last = event{at, Failover}
	}
}

func limitsOf(s model.Settings) limits {
	age, timed := s.TimeLimit()
	size, sized := s.SizeLimit()
	return limits{int64(age), int64(size), timed, sized}
}

// overtook tells whether something unforeseen happened after a forecast was made.
func (e *events) overtook(m mark) bool { return e.last.at > m.made }

// blame finds out why a floor was late.
func (e *events) blame(m mark, s stepped, set model.Settings) Cause {
	switch {
	case e.overtook(m):
		return e.last.cause
	case set.Policy.Compacts():
		return Compaction
	case s.filled:
		return ProduceCeiling
	case m.empty:
		return BackDated
	case !s.due && !s.onBase:
		return RecordsDeleted
	case e.loaded > m.made:
		return DamagedIndex
	}
	return Unexplained
}
