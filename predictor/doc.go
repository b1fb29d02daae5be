// Package predictor forecasts when the log start offset of a partition passes the committed
// offset of a group. It imports only package model, has no clock and does no I/O: history comes
// in by Observe, answers about record times by Learn, and Report is a function of what was seen
// and of now. One goroutine uses it.
//
// # Two problems
//
// When does the log start pass an offset (deadline.go), and where will the group be by then
// (loss.go)? The first is the broker's doing and nearly determined: the segment that holds the
// offset goes at the first pass after its newest stamp plus retention.ms, or after the bytes
// behind it reach retention.bytes, whichever is earlier. The second is a straight line through
// the group's recent commits (pace.go, line.go), as far back as it kept one pace but for the ups and
// downs that it always has (swings.go). The loss is where they meet. A group that works in regular
// runs (runs.go, batch.go) is judged by whether its next run comes in time. Three runs tell of a rhythm, two if
// the group is left without members when it has read all there is.
//
// # What is known of a partition (partition.go)
//
//   - model.TimeCurve: the running newest stamp against offsets, from answers by time. It is what
//     the floor stands on.
//   - model.ByteCurve: bytes against offsets, from sizes.
//   - chain: the segment bases, laid from a log start that retention set (a base) by the broker's
//     own rules of rolling, and checked at every later step of the log start.
//   - strides: how long segments are that end for another reason than the settings tell, by the steps of
//     the log start.
//   - blocks (compacted.go), in the place of both where the cleaner joins segments: how much event time
//     goes at once.
//   - phase: when within its check interval the leader runs its passes, voted on by every step.
//   - fences (fences.go): where a segment base certainly lies between, with an early and a late
//     border carried along the same rules. They count as long as every step of the log start falls
//     between them.
//   - ceiling: the most bytes that ever came within one poll.
//   - past: the bytes that came by time, where retention.bytes acts: before the watch by the stamps of
//     the log's records. Where it reaches back for a day, the bytes to come are those of a day before
//     at the level of the last two hours (season.go); else as many take as long as the last ones took.
//
// A new topic id, a high watermark that goes back or a new leader throws away what no longer
// holds: another replica has other segments.
//
// # Three instants, three meanings
//
// Floor is a promise (floor.go). By time, a segment that holds a record stamped s is kept until
// s + retention.ms, and all behind it, so an offset is safe until the newest stamp at or before
// it expires. By size, it is safe until the bytes behind it can reach the cap, at a ceiling of
// ceilingFactor times the most that was seen. Where both act, the protecting record itself may
// be taken by size first, so the protection ends with the earlier of the two. It uses no
// segment, no phase and no pace. Its conditions: no change of configuration, no DeleteRecords,
// no failover to a replica that is ahead, no unclean election, no damaged or missing index; for
// a position in an empty log no back-dated records; under compact,delete no compaction that
// removes the newest stamp at or below the position, and where that is gone, files that keep the time
// they were last written to; under size retention the ceiling:
// ceilingFactor times the most that one poll brought, or that the log's own stamps tell of, and twice
// that while little of them is read; and that what was there before the watch has no more than
// ceilingFactor times the bytes of the log's mean offset, or of the watched ones, behind a position, and
// no fewer than that factor less before it. Where it stands on
// fences, it assumes beside that what they do (fences.go): no batch is larger than the most that one
// poll brought, or than the segments tell once there are toldBy of them that ended since offsets last
// came twice as fast as ever before (burst.go), and no record is stamped more than half of segment.ms
// behind the ones before it in segments that fill by bytes. Of what was written before the watch, that
// is not proven.
//
// Stopped is the best estimate if the group stopped now, its runway. Loss is the best estimate
// at its pace, between Earliest and Latest; model.Forever where it catches up first, where
// nothing is unread, or where no limit acts.
//
// # Share groups (share.go)
//
// The position is where the coordinator says that the group starts, a lower bound that may stay
// below the log start for ever. With the count of offsets it has not finished with there are bounds
// of what it can have lost; it is lost only where the lower one is above zero. A group that has
// finished with everything is taken to be at the log end of the poll before.
//
// # Counter of losses
//
// Each poll adds what the log start has passed beyond the position (pair.go). A group that loses a
// segment and goes on from the log start, all between two polls, is seen above it both times:
// nothing is counted, since nobody can tell from the offsets that it did not read them.
//
// # Unknown
//
// What cannot be told is absent, and Reason says why there is no Loss. The order of the checks
// (judge.go) is the order of precedence: no position; edges of the log unread; a position of an
// older topic of that name; a position above the end in two polls running; then lost, which
// takes precedence over all that follows; a gap of one offset, which may be a transaction
// marker, where the leader's own files do not tell; a broker with a retention code of its own; settings unreadable; sizes unreadable; no stamps; not enough history.
//
// # What else a group may meet
//
// Another leader (failover.go): each replica runs its own passes, so the highest log start among
// the in-sync replicas is where clients may stand next, and what is unread below it is exposed.
//
// Expiry of its own positions (expiry.go): by kind of group, from when it lost its members or
// committed last, of which only instants are known after which that happened, unless the offsets topic
// tells when a commit was made. It also tells how groups moved before the watch began (earlier.go).
// A group that goes with its last offset is spoken of for a day as expired_position (ghosts.go).
//
// # Audit
//
// What was told is held against what the log start then does (audit_marks.go): of each partition
// a few positions at a time, a 96th, a 24th, a quarter of the retention and all of it before they
// are due. The instant of a deletion is the middle of the two readings it lies between. A floor
// is late only if the deletion is proven to be before it, and then the cause is looked for
// (audit_cause.go), if need be until settings were read that are newer than the deletion. What
// something unforeseeable has overtaken is not scored; only its floor is.
//
// How wrong they were makes the 90 % bands of deadlines (calibration.go): nine tenths of the log
// ratios of what was told and what came, by rule and by how far ahead was looked, of the partition
// itself once it has enough of them, else of all; by time, before that, as wide as the borders of its
// segments are uncertain. By size they are no narrower than the bytes' own past
// asks for: how far off would the same forecast have been at past instants (spread.go)? The band of a
// moving group is wider by what more or fewer bytes would do to it (widen.go).
//
// # Memory
//
// What no request can tell again survives a restart as a Memory (memory.go): losses and since when,
// how groups move and work, where the log start is a base, how long segments are, the largest batches
// and the ceiling, the phases of brokers, how wrong deadlines were. Each part of it is believed only of
// the same log: the same topic id, and what is of segments of the same leader in the same epoch. The
// curves are not in it; the time index of the broker has them.
//
// # Questions
//
// Questions asks for the record times that would narrow the forecasts: the next base of a chain,
// the newest stamp up to each position (to max(1 s, retention/1000)), at the end of its segment
// and at the end of the log. Brackets shrink by a quarter to three quarters with each answer, and
// nothing is asked that is known well enough, so that a watch in steady state asks about once a
// poll and partition at most.
package predictor
