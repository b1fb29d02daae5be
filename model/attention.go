package model

// Attention says until when readings that move seldom may rest, as the forecasts see it. It goes
// from the predictor to the collector as data, after each poll. What it does not name rests not at
// all, so that whoever was told nothing reads everything at every poll, and an instant that nobody
// renews passes by itself.
type Attention struct {
	// LogStarts are partitions that no group is about to lose anything of, with the first instant
	// at which their leader may have moved the log start by retention unseen.
	LogStarts map[PartitionKey]Instant
	// Sizes are partitions under retention.bytes, with the first instant at which an older size
	// would blur a forecast.
	Sizes map[PartitionKey]Instant
}

// LogStartRests tells whether a partition's log start need not be read at now.
func (a Attention) LogStartRests(key PartitionKey, now Instant) bool {
	return rests(a.LogStarts, key, now)
}

// SizeRests tells whether a partition's size need not be read at now.
func (a Attention) SizeRests(key PartitionKey, now Instant) bool { return rests(a.Sizes, key, now) }

func rests(until map[PartitionKey]Instant, key PartitionKey, now Instant) bool {
	at, named := until[key]
	return named && now < at
}
