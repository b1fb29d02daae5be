// Package model says what an Apache Kafka broker keeps and what it deletes. It knows no Kafka
// client, no clock and no goroutine: time is a parameter, and every answer is a function of
// what was put in. It imports the standard library only, and everything else imports it.
//
// # Words and units
//
// The words are Kafka's: a partition's log has a log start offset, a high watermark and a log
// end offset; it is made of segments, of which the last is the active one; a group has a
// committed offset, which is the next offset it will read. So a committed offset equal to the
// log start offset has lost nothing, and one equal to the log end offset cannot lose anything.
//
// Offset, Bytes, Millis and Instant are exact integers of their own types. Instants are
// milliseconds on the brokers' clock; all comparisons a broker makes are in milliseconds, and
// so are ours. Sizes are bytes of .log files as stored, without indexes. An unknown value is a
// Maybe, or a value with ok=false; enumerations start at 1, so that a forgotten one shows.
//
// # The snapshot
//
// A Snapshot is everything known about a cluster after one poll, and is never changed once it
// is built. Each fact in it is a Read: the value and the instant it was answered, or nothing
// at all. A fact that one poll could not renew stays with its old instant, and the Problem
// that prevented it is listed beside it. What is too old to be shown is not decided here.
//
// TimeCurve and ByteCurve turn such observations into the relation between offsets, record
// times and bytes of one partition; Growth follows how fast a counter rises.
//
// # The broker's rules
//
// Every replica of a partition is a log of its own. Two pure functions hold the rules, one rule
// per function, each naming the class and method of Kafka that it mirrors and the releases it
// holds for; the class names are those of Kafka's storage module.
//
//   - Decide (pass.go) is one retention pass: which leading segments go, by which Rule, where
//     the log start moves, and whether the active segment is rolled first. It mirrors
//     UnifiedLog.deleteOldSegments and is closed: start rule, then size, then time, each from
//     where the last one stopped, none beyond the high watermark. Nothing else deletes; when
//     passes happen (LogManager's task, or the cleaner threads for compacted topics) is the
//     caller's matter.
//   - DecideRoll (roll.go) is whether an append begins a new segment: LogSegment.shouldRoll,
//     by size, by event time, by a full index (index.go), by the reach of a relative offset.
//     There is no roller in the background; a pass that takes everything is the only other one.
//
// Tiered topics have two more: DecideLocal (tiered.go) is the pass over the local segments,
// which spares what is not uploaded and moves only the local log start, and DecideRemote
// (remote.go) is the task that expires remote segments and moves the log start. A group's loss
// is judged on the log start, never on the local one.
//
// Release (release.go) holds what differs between Kafka releases from 1.0 on. A release that
// is not known counts as the newest.
//
// # A log
//
// Log (log.go) puts the two functions together: it appends batches, rolls, passes, takes
// DeleteRecords and new settings and survives restarts exactly as a broker's log does, holding
// segments but no records. It serves to replay, to simulate and to stand in for a broker.
// Truncation, compaction and tiered storage are not part of it.
//
// That it is the broker's own behaviour is checked by replaying what Kafka's UnifiedLog did
// under a mock clock (vectors_test.go; more recordings in the folder that the environment
// variable RETENTION_VECTORS names; VECTORS.md tells how much was compared, and which mistakes
// the committed sample notices), by a second implementation written as plainly as
// possible (twin_test.go), and by worked cases with their numbers (cases_test.go and the files
// beside it).
package model
