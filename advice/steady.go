package advice

import (
	"kafka-retention-exporter/model"
)

// Steady is what one replica of a log settles at under a steady producer: between Least, right
// after a pass, and Most, right before one. OnDisk is Most and what comes while deleted files wait
// to be unlinked.
type Steady struct {
	Least, Mean, Most, OnDisk model.Bytes
	Rule                      model.Rule // that binds: RuleTime or RuleSize
	Segment                   model.Bytes
}

// SteadyState is where a log settles at a rate of bytes a second, with a pass every check. ok is
// false where nothing bounds it.
//
// By time a segment goes at the first pass after its newest record is older than retention.ms. So
// right after a pass the log holds what came within that time, plus the part of the oldest segment
// that is older: nothing to a whole segment, half of one in the mean; and what comes until the
// pass: in the mean half a check interval. By size what remains after a pass is the cap plus
// nothing to a whole segment (broker.md 2.1, 2.2), and again what comes until the next.
func SteadyState(s model.Settings, rate float64, check model.Millis) (Steady, bool) {
	segment := min(float64(s.SegmentBytes), rate*float64(s.RollAfter())/1000)
	between := rate * float64(check) / 1000
	delayed := rate * float64(s.FileDeleteDelay) / 1000
	var out Steady
	found := false
	consider := func(rule model.Rule, kept float64) {
		mean := kept + segment/2 + between/2
		if found && model.Bytes(mean) >= out.Mean {
			return
		}
		found = true
		most := kept + segment + between
		out = Steady{
			Least: model.Bytes(kept), Mean: model.Bytes(mean), Most: model.Bytes(most),
			OnDisk: model.Bytes(most + delayed), Rule: rule, Segment: model.Bytes(segment),
		}
	}
	if age, ok := s.TimeLimit(); ok {
		consider(model.RuleTime, rate*float64(age)/1000)
	}
	if limit, ok := s.SizeLimit(); ok {
		consider(model.RuleSize, float64(limit))
	}
	return out, found
}
