package predictor

import "kafka-retention-exporter/model"

// Forecast is all that is said about one pair at one instant. An instant of model.Forever
// means "no loss in sight" or "unlimited"; an unknown one is an unknown Maybe, and then Reason
// says why there is no Loss.
type Forecast struct {
	Key   model.PairKey
	State model.Maybe[State]
	// Reason is known exactly where Loss is not.
	Reason model.Maybe[Reason]

	Position  model.Maybe[model.Offset]  // the committed offset
	Lag       model.Maybe[model.Offset]  // unread offsets that are still there
	NextStamp model.Maybe[model.Instant] // newest stamp from log start up to and including the next unread record
	// FailoverExposed is how many unread offsets would be gone if the in-sync replica that is
	// furthest ahead became leader.
	FailoverExposed model.Maybe[model.Offset]
	Used            model.Maybe[float64] // share of retention used, 0 with nothing unread

	Loss     model.Maybe[model.Instant] // best estimate, the group moving as it does now
	Earliest model.Maybe[model.Instant] // lower edge of the 90 % band
	Latest   model.Maybe[model.Instant] // upper edge
	Stopped  model.Maybe[model.Instant] // best estimate if it stopped now
	Floor    model.Maybe[model.Instant] // the promise, clock tolerance already taken off
	// Closest is the least time that is left on the way of a group that has something to read and
	// will make it: until the expected deadline of each segment when the group leaves it; until
	// that of the position where it keeps up, or when its next run is due where it works in runs.
	Closest model.Maybe[model.Millis]
	Rule    model.Maybe[Rule] // what will delete it; unknown where nothing will

	// LostOffsets counts what was deleted unread since this process started.
	LostOffsets int64

	// PositionAt is when the position was read, InputsAt the oldest of the readings that Loss,
	// Floor, Lag and the others stand on. Both are for judging staleness when the page is served.
	PositionAt model.Maybe[model.Instant]
	InputsAt   model.Maybe[model.Instant]
	Inputs     Inputs
}

// Inputs echoes what a forecast was made from, for the JSON and the page.
type Inputs struct {
	LogStart       model.Maybe[model.Offset]
	End            model.Maybe[model.Offset]
	Size           model.Maybe[model.Bytes]
	BytesUnread    model.Maybe[model.Bytes]
	RetentionMs    model.Maybe[model.Millis] // unknown where the time limit is off or inert
	RetentionBytes model.Maybe[model.Bytes]  // likewise
	CheckInterval  model.Maybe[model.Millis]
	Pace           model.Maybe[float64]      // offsets per second the group moves
	ProduceRate    model.Maybe[float64]      // offsets per second that arrive
	ByteRate       model.Maybe[float64]      // bytes per second that arrive
	SegmentBase    model.Maybe[model.Offset] // believed base of the segment that holds the position
	SegmentEnd     model.Maybe[model.Offset] // believed base of the one after it
	GroupState     string
	Leader         model.Maybe[model.BrokerID]
}

// Report is the outcome of one poll.
type Report struct {
	At    model.Instant
	Pairs []Forecast // ordered by group, topic, partition
	// Partitions is what is said about each partition, whoever reads it.
	Partitions map[model.PartitionKey]Outlook
	// Replicas is what is said about each replica whose files are read.
	Replicas map[model.PartitionKey]ReplicaOutlook
	// Groups is what is said about a group as a whole.
	Groups map[string]GroupOutlook
	// UnknownGroups are groups whose partitions cannot be known at all; each counts once.
	UnknownGroups map[string]Reason
	// Audit is how good the deadlines were that were told before.
	Audit Audit
	// Attention is what the forecasts need of the polls to come.
	Attention model.Attention
}

// Outlook is what the broker is expected to do to a partition next.
type Outlook struct {
	// NextDeletion is the next pass that is expected to delete something, model.Forever where
	// nothing can be deleted, and NextBytes how much it then takes (unknown with Forever).
	NextDeletion model.Maybe[model.Instant]
	NextBytes    model.Maybe[model.Bytes]
	// FailoverLogStart is the highest log start among the in-sync replicas, the leader included;
	// unknown where followers could not be asked.
	FailoverLogStart model.Maybe[model.Offset]
	// Newest is a stamp that no record of the log exceeds, Blocker the first record stamped so far
	// in the future that it stops the time rule. Behind is the base of the segment after it: its own
	// must go as a whole; unknown where that is the active one.
	Newest  model.Maybe[model.Instant]
	Blocker model.Maybe[model.Stamped]
	Behind  model.Maybe[model.Offset]
	// Rose is when records were last seen to arrive; unknown while none was.
	Rose     model.Maybe[model.Instant]
	Active   model.Maybe[model.Bytes] // in the active segment
	ByteRate model.Maybe[float64]     // bytes per second that arrive
}

// GroupOutlook is what awaits a group as a whole.
type GroupOutlook struct {
	// OffsetsExpire is the earliest instant at which the broker may drop committed offsets of
	// the group, model.Forever while it cannot; unknown where that clock was not seen to start.
	OffsetsExpire model.Maybe[model.Instant]
}
