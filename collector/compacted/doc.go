// Package compacted reads topics that are kept compacted, like those in which Kafka and its tools
// keep positions: all of it once, from the start, and then what is added. It joins no group and
// commits nothing.
//
// A Topic is asked to Read at each poll. Read goes on from where the one before ended, takes what is
// committed (read committed: no aborted transaction, no marker) and returns at the end of every
// partition or with its context, whichever is earlier. Where a partition ends is told by offsets and
// not by records, since the last ones may be markers, aborted or compacted away: it is read once the
// place to read on from has reached the last stable offset.
//
// Brokers are spared: one request at a time each, answered at once, of a mebibyte at most, and a pause
// between two. What is kept in memory is only how far each partition was read.
package compacted
