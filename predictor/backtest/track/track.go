// Package track is what the simulator of the back-test hands to the scorer: one episode, poll by
// poll, with what any exporter saw, what this one forecast and what then happened.
package track

import (
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Track is one pair through one episode.
type Track struct {
	Family  string // the entry of the lists of scenarios it was drawn for
	Axis    Axis   // which of the lists that is
	Tuned   bool   // the family belongs to the half that constants were chosen on
	Episode int
	Seed    int64

	Rule      Rule
	Retention model.Millis // R: retention.ms, or the time retention.bytes holds at the mean rate
	Check     model.Millis // C
	Poll      model.Millis
	Skew      model.Millis   // of the exporter's clock; Poll.At is on the brokers'
	Settings  model.Settings // in force at the start
	Compacts  bool           // compact,delete: scored on floor, state and lost count only

	// Onset is when the group's fault began; unknown for one that stays healthy.
	Onset model.Maybe[model.Instant]
	// OnTime is set for nightly batches whose runs are all on time.
	OnTime bool
	// Events are what nobody can foresee, in order.
	Events []Event
	Polls  []Poll
	// LostTrue and LostSaid are how many offsets went unread, and what the counter said.
	LostTrue, LostSaid int64
	// Spent is the time all forecasts of this pair took.
	Spent model.Millis
}

// Poll is one poll of the exporter; one that it missed is not there.
type Poll struct {
	At model.Instant
	// Fresh is set for the first poll of an exporter that knows nothing of what was before.
	Fresh bool
	Seen  Seen
	// Said is what was forecast, and Knowing the forecast of an oracle that is given the segment
	// bases and the check phase, but no future.
	Said, Knowing predictor.Forecast
	// Gone is when the log start passed the position of this poll, whatever the group did later;
	// unknown where the episode ended before.
	Gone model.Maybe[model.Instant]
	// Loss is when the log start next passes the position of the moving group; Forever where it
	// never does as long as it is known to, unknown where the episode ended before it showed.
	Loss model.Maybe[model.Instant]
	// States are the words that are right for the pair at this poll.
	States []predictor.State
	// Surge is told where the floor was later than Gone: how many times the most bytes that anybody
	// could know to have come within a poll interval came within one until Gone. That is what the
	// polls of this exporter saw, and before its start what the log's time index shows by the
	// twenty-fourth of R. Beyond the ceiling that the floor names for the size rule (1.5 times), the
	// promise was not given.
	Surge model.Maybe[float64]
}

// Seen is what any exporter reads at a poll, for the rules of thumb. Stamps are those of the
// record at an offset, as reading it would show.
type Seen struct {
	At        model.Instant
	Start     model.Offset
	End       model.Offset
	Committed model.Offset // below 0 where the group has no commit
	Size      model.Bytes
	Next      model.Maybe[model.Instant] // stamp of the next unread record
	Oldest    model.Maybe[model.Instant] // stamp of the record at the log start
}

// Event is something nobody can foresee; forecasts with one between now and the truth are scored
// on floor, state and recovery only.
type Event struct {
	At    model.Instant
	Cause Cause
}

// settingsEvery is how often the exporter reads settings and topic ids: until then it cannot know
// of a change that has happened.
const settingsEvery = model.Millis(60_000)

// Between tells that an event lies between a reading and an instant, or has not shown by then.
func (e Event) Between(from, until model.Instant) bool {
	if e.Cause == ConfigChanged || e.Cause == Recreated {
		from = from.Add(-settingsEvery)
	}
	return e.At > from && e.At <= until
}

// Disturbed tells whether something that nobody could foresee happened after one instant and
// not after another.
func (t *Track) Disturbed(from, until model.Instant) bool {
	return slices.ContainsFunc(t.Events, func(e Event) bool { return e.Between(from, until) })
}

// Rule is the limit that acts.
type Rule uint8

// Rules of an episode.
const (
	ByTime Rule = iota + 1
	BySize
	ByBoth
)

// Axis is one of the four lists of scenarios.
type Axis uint8

// Axes.
const (
	RuleAxis Axis = iota + 1
	ProducerAxis
	GroupAxis
	InfraAxis
)

// Cause is why a forecast could not have known.
type Cause uint8

// Causes.
const (
	ConfigChanged Cause = iota + 1
	RecordsDeleted
	Recreated
	Failover
	ProducerStopped
	Backfill
	FutureStamp
	Reset
)
