package mistakes

import "slices"

// All lists the mistakes, rule by rule. Most are off by one millisecond, byte or offset at the
// limit of a rule; the others are what is often believed of it.
func All() []Mistake {
	return slices.Concat(timeRule(), sizeRule(), startRule(), highWatermark(), activeSegment(),
		rollBySize(), rollByTime(), rollByIndex(), rollByOffset(), reload())
}

func timeRule() []Mistake {
	in := inFile("time", "pass.go")
	return []Mistake{
		in("goes 1 ms early, at exactly retention.ms", "Stamp() < oldest {", "Stamp() <= oldest {"),
		in("goes 1 ms late", "Stamp() < oldest {", "Stamp() < oldest-1 {"),
		in("goes beyond a segment that must stay", "for stop < reach && segments[stop].Stamp() < oldest {\n\t\tstop++\n\t}",
			"for i := from; i < reach; i++ {\n\t\tif segments[i].Stamp() < oldest {\n\t\t\tstop = i + 1\n\t\t}\n\t}"),
		in("retention.ms 0 means no limit", "if limit < 0 {\n\t\treturn stop\n\t}\n\toldest", "if limit <= 0 {\n\t\treturn stop\n\t}\n\toldest"),
		in("retention.ms -1 is a limit", "if limit < 0 {\n\t\treturn stop\n\t}\n\toldest", "if limit < -1 {\n\t\treturn stop\n\t}\n\toldest"),
		in("runs before the size rule", "for i, rule := range release.ruleOrder() {", "for i, rule := range [3]Rule{RuleTime, RuleSize, RuleStart} {"),
		in("runs under compact as well", "case !release.runs(rule, s.Policy):", "case rule != RuleTime && !release.runs(rule, s.Policy):"),
		inFile("time", "segment.go")("judges by the file's time", "return s.Largest", "return s.ModTime"),
		inFile("time", "log.go")("judges by the last batch, not the largest stamp",
			"if b.Stamped && (!active.Stamped || b.MaxStamp > active.Largest) {", "if b.Stamped {"),
	}
}

func sizeRule() []Mistake {
	in := inFile("size", "pass.go")
	return []Mistake{
		in("leaves 1 byte more than the cap", "if after < limit {", "if after <= limit {"),
		in("leaves 1 byte less than the cap", "if after < limit {", "if after < limit-1 {"),
		in("retention.bytes 0 means no limit", "if limit < 0 {\n\t\treturn stop\n\t}\n\tafter", "if limit <= 0 {\n\t\treturn stop\n\t}\n\tafter"),
		in("retention.bytes -2 is a limit", "if limit < 0 {\n\t\treturn stop\n\t}\n\tafter", "if limit < 0 && limit != -2 {\n\t\treturn stop\n\t}\n\tafter"),
		in("does not count the active segment", "TotalSize(segments[from:])", "TotalSize(segments[from:max(from, len(segments)-1)])"),
		in("counts what the start rule has taken", "TotalSize(segments[from:])", "TotalSize(segments)"),
		in("spares the active segment", "for stop < reach {", "for stop < min(reach, len(segments)-1) {"),
		in("runs under compact as well", "case !release.runs(rule, s.Policy):", "case rule != RuleSize && !release.runs(rule, s.Policy):"),
	}
}

func startRule() []Mistake {
	in := inFile("start", "pass.go")
	return []Mistake{
		in("goes 1 offset late", "segments[stop+1].Base <= start {", "segments[stop+1].Base < start {"),
		in("goes 1 offset early", "segments[stop+1].Base <= start {", "segments[stop+1].Base <= start+1 {"),
		in("judges by a segment's own base", "segments[stop+1].Base <= start {", "segments[stop].Base < start {"),
		in("does not run under compact", "case !release.runs(rule, s.Policy):", "case !s.Policy.Deletes():"),
		in("a pass moves the start back to a segment's base", "max(at.Start, Upper(segments, taken-1, at.End))", "Upper(segments, taken-1, at.End)"),
		in("a pass leaves the start where it was", "max(at.Start, Upper(segments, taken-1, at.End))", "at.Start"),
		inFile("start", "log.go")("DeleteRecords lowers the start", "l.at.Start = max(l.at.Start, start)", "l.at.Start = start"),
		inFile("start", "log.go")("DeleteRecords up to the high watermark is refused", "if start > l.at.HighWatermark {", "if start >= l.at.HighWatermark {"),
	}
}

func highWatermark() []Mistake {
	in := inFile("high watermark", "pass.go")
	return []Mistake{
		in("must be 1 offset beyond", "at.HighWatermark < Upper(segments, i, at.End)", "at.HighWatermark <= Upper(segments, i, at.End)"),
		in("may be 1 offset short", "at.HighWatermark < Upper(segments, i, at.End)", "at.HighWatermark+1 < Upper(segments, i, at.End)"),
		in("need only have reached the segment", "at.HighWatermark < Upper(segments, i, at.End)", "at.HighWatermark < segments[i].Base"),
		in("does not count", "at.HighWatermark < Upper(segments, i, at.End)", "false"),
		inFile("high watermark", "log.go")("never falls", "min(max(o, l.at.Start), l.at.End)", "min(max(o, l.at.HighWatermark), l.at.End)"),
	}
}

func activeSegment() []Mistake {
	in := inFile("active segment", "pass.go")
	return []Mistake{
		in("goes also when it is empty", "&& segments[n-1].Size == 0 {", "&& segments[n-1].Size < 0 {"),
		in("never goes", "&& segments[n-1].Size == 0 {", "&& segments[n-1].Size >= 0 {"),
		in("goes by the start rule too", "stop+1 < len(segments) && segments[stop+1].Base <= start {", "Upper(segments, stop, start) <= start {"),
		in("is not replaced when everything goes", "verdict.Roll = taken == len(segments)", "verdict.Deleted = min(taken, len(segments)-1)"),
		inFile("active segment", "log.go")("is replaced 1 offset beyond the log end", "l.roll(now, l.at.End)", "l.roll(now, l.at.End+1)"),
	}
}
