// Package answers writes what package advice found as JSON and as tables for people. The same
// values are served by a running exporter, printed by the subcommands, and read back where a
// subcommand asks an exporter instead of a cluster.
//
// An unknown value is null; an instant is {"time", "unix"}, or "+Inf" for never. Sizes are bytes,
// durations are milliseconds unless the name says otherwise.
//
// Every answer has an exit code, which is that of the subcommand:
//
//	0  check: nothing at risk; whatif: every group keeps all; plan: every volume has room
//	1  check: a pair has lost records or will within the horizon; whatif: a group would lose
//	   records; plan: a volume fills up
//	2  it cannot be told, for what is listed as unsure; also for a command line that is wrong
//
// Risk wins over unsure: 1 is said as soon as one thing is known to be at risk. Findings are no risk
// by themselves and leave the exit code as it is.
package answers
