// Package sim plays episodes: one partition on brokers that roll, delete and re-read as package
// model says, a producer, a group, and an exporter that watches them as the real one does.
//
// # An episode
//
// Draw makes a Plan: everything random is drawn before anything happens, from the seed, the name
// of the family and the number of the episode. The family says what one of the four axes is (the
// rule that acts, the producer, the group, the infrastructure); the others are drawn among the
// entries of their lists. Segments are rolled by size in one episode of three, by time in another,
// and in the third one segment holds about everything.
//
// Play plays it, from event to event (world.go): batches, passes, commits and incidents. History
// of 1 to 1.3 retentions comes first. Then the exporter polls (exporter.go, read.go): it reads what
// the collector reads in the collector's order, while the world goes on, and runs predictor's
// Observe, Questions, Learn and Report as the exporter's loop does. In the end the world goes on
// unwatched until it shows what became of the forecasts, and each poll is labelled (label.go).
//
// # No peeking
//
// The forecasts come from the snapshots and the answers alone, and every part of an episode draws
// from a sequence of its own, so that what is yet to come cannot reach a forecast; a test changes
// the future and compares. The oracle (oracle.go) knows the segments and the phase of the passes,
// and no future either.
//
// # Real traffic
//
// Traces reads the shapes of real traffic; families that constants are tuned on get one half of
// them, the others the other half.
package sim
