// Package advice answers the questions that people ask before they change a setting. It is pure:
// functions of a snapshot, of what the predictor says, and of now. It knows neither Kafka nor
// flags, and imports model and predictor only.
//
// # Findings (findings.go, topic_findings.go, state_findings.go)
//
// Findings are settings and states that make retention behave otherwise than it looks. Each has
// its evidence with numbers, its consequence, and the command lines that cure it: any one of them
// is enough, the first is the one that keeps the most. A finding is only made from what is known;
// where an input is missing there is none, which does not mean that all is well.
//
//	inert_retention      retention is set on a topic whose policy does not delete
//	outlives_retention   a segment spans so long that records live three times as long as they should
//	future_stamp         a record stamped in the future stops the time rule
//	brokers_disagree     replicas resolve different retention because brokers have different defaults
//	broker_default       retention.ms is not set on the topic
//	retention_short      retention is less than twice the largest lag, now or since the start
//	bytes_exceed_volume  retention.bytes of all replicas on a broker is more than its volumes hold
//	active_exceeds_cap   the active segment alone is, or gets, larger than retention.bytes
//	old_stamps           records arrived with stamps that are older than retention
//	replica_ahead        a follower has deleted what its leader still serves
//	not_applied          a replica does not apply the topic's own setting
//	uncovered            no group is known to read the topic
//	broker_unverified    the brokers' retention is not Apache Kafka's code
//	files_disagree       the leader's files are not as it answers
//
// # WhatIf (whatif.go, change.go)
//
// WhatIf asks model.Decide, the broker's own rules, what the next pass would do to the log as it
// is believed to be if the settings were others, and sets that against the positions of the
// groups. A change of segment.bytes or segment.ms does nothing to a log that is there: it counts
// from the next roll. What is believed of segments is exact where they were rolled by time and
// Questions was answered; where they are rolled by size and batches are uneven it can be one
// segment off.
//
// # Plan (plan.go, steady.go, volume.go)
//
// A log under a steady producer settles between a least and a most, its mean in between. By time
// it holds rate x retention.ms, and in the mean half a segment and half a check interval more; by
// size it holds retention.bytes, and in the mean the same on top. Deleted files stay on the disk for
// file.delete.delay.ms. All of it once for each replica. A volume is full when the growth of what
// it hosts, each log up to its own limit, reaches what is free.
//
// # Risks (risk.go)
//
// Risks lists the pairs that have lost or will lose records within a horizon, soonest first, and
// those of which that cannot be told.
package advice
