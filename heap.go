package main

import (
	"runtime/debug"

	"kafka-retention-exporter/collector/login"
)

// gcPercent is how much garbage there may be, in percent of what is held, before it is collected.
// A poll and its page make about as much as is held between polls, and that once in ten seconds: by
// Go's default of 100 most of the memory would be garbage that waits. To collect twice as often costs
// some tens of milliseconds a poll at 10,000 partitions and saves a third of the memory.
const gcPercent = 50

// boundGarbage sets it, unless who runs the program has said otherwise.
func boundGarbage(env login.Lookup) {
	if _, set := env("GOGC"); !set {
		debug.SetGCPercent(gcPercent)
	}
}
