package mistakes

// inFile makes mistakes of one rule in one file.
func inFile(rule, file string) func(name, old, wrong string) Mistake {
	return func(name, old, wrong string) Mistake {
		return Mistake{Rule: rule, Name: name, File: file, Old: old, New: wrong}
	}
}

func rollBySize() []Mistake {
	in := inFile("roll by bytes", "roll.go")
	return []Mistake{
		in("1 byte early, at exactly segment.bytes", "case segment.Size > s.SegmentBytes-in.Size:", "case segment.Size >= s.SegmentBytes-in.Size:"),
		in("1 byte late", "case segment.Size > s.SegmentBytes-in.Size:", "case segment.Size > s.SegmentBytes-in.Size+1:"),
		in("without the incoming batch", "case segment.Size > s.SegmentBytes-in.Size:", "case segment.Size > s.SegmentBytes:"),
	}
}

func rollByTime() []Mistake {
	in := inFile("roll by time", "roll.go")
	inLog := inFile("roll by time", "log.go")
	return []Mistake{
		in("1 ms early, at exactly segment.ms", "waited(a, in, now) > s.RollAfter()", "waited(a, in, now) >= s.RollAfter()"),
		in("1 ms late", "waited(a, in, now) > s.RollAfter()", "waited(a, in, now)-1 > s.RollAfter()"),
		in("an empty segment is rolled too", "case segment.Size > 0 && waited(a, in, now)", "case waited(a, in, now)"),
		in("by the broker's clock, not by stamps", "return in.MaxStamp.Sub(first)", "return now.Sub(first)"),
		in("by the segment's age, not by stamps", "return in.MaxStamp.Sub(first)", "return now.Sub(a.Created)"),
		in("without stamps 1 ms late", "return now.Sub(a.Created)", "return now.Sub(a.Created) - 1"),
		in("a batch without stamps counts as now", "return Instant(noStamp).Sub(first)", "return now.Sub(first)"),
		inLog("from the last batch, not the first", "if active.Size == 0 && b.Stamped {", "if b.Stamped {"),
		inLog("from the first stamped batch, not the first", "if active.Size == 0 && b.Stamped {", "if !active.Stamped && b.Stamped {"),
	}
}

func rollByIndex() []Mistake {
	offsets := inFile("roll by offset index", "index.go")
	times := inFile("roll by time index", "index.go")
	return []Mistake{
		offsets("1 entry early", "x.OffsetEntries >= int(x.Limit/offsetEntryBytes)", "x.OffsetEntries+1 >= int(x.Limit/offsetEntryBytes)"),
		offsets("1 entry late", "x.OffsetEntries >= int(x.Limit/offsetEntryBytes)", "x.OffsetEntries > int(x.Limit/offsetEntryBytes)"),
		offsets("an entry 1 byte early, at exactly index.interval.bytes", "if x.SinceEntry > x.Interval {", "if x.SinceEntry >= x.Interval {"),
		offsets("an entry 1 byte late", "if x.SinceEntry > x.Interval {", "if x.SinceEntry > x.Interval+1 {"),
		offsets("a batch counts before its own entry", "if x.SinceEntry > x.Interval {", "if x.SinceEntry+size > x.Interval {"),
		inFile("roll by offset index", "log.go")("a new segment.index.bytes reaches the open segment",
			"func (l *Log) Configure(s Settings) { l.settings = s }",
			"func (l *Log) Configure(s Settings) {\n\tl.settings = s\n\tl.active.Index.Limit = s.SegmentIndexBytes\n}"),
		times("1 entry early", "int(x.Limit/timeEntryBytes)-1", "int(x.Limit/timeEntryBytes)-2"),
		times("1 entry late", "int(x.Limit/timeEntryBytes)-1", "int(x.Limit/timeEntryBytes)"),
		times("an entry for an equal stamp too", "segment.Largest <= x.LastTime {", "segment.Largest < x.LastTime {"),
		times("an entry only for a stamp 2 ms later", "segment.Largest <= x.LastTime {", "segment.Largest <= x.LastTime+1 {"),
	}
}

func rollByOffset() []Mistake {
	in := inFile("roll by relative offset", "roll.go")
	inLog := inFile("roll by relative offset", "log.go")
	return []Mistake{
		in("1 offset early", "in.Last-segment.Base > math.MaxInt32:", "in.Last-segment.Base >= math.MaxInt32:"),
		in("1 offset late", "in.Last-segment.Base > math.MaxInt32:", "in.Last-segment.Base > math.MaxInt32+1:"),
		in("by the batch's first offset", "in.Last-segment.Base > math.MaxInt32:", "in.Base-segment.Base > math.MaxInt32:"),
		inLog("the new segment begins at the log end, not behind the gap", "l.roll(now, b.Base)", "l.roll(now, l.at.End)"),
		inLog("an empty segment is not replaced in place", "n > 0 && l.segments[n-1].Base == base {", "n < 0 && l.segments[n-1].Base == base {"),
	}
}

func reload() []Mistake {
	in := inFile("reload", "index.go")
	return []Mistake{
		in("a stop writes no time entry", "x.noteTime(segment)\n\tx.SinceEntry = 0\n\tx.Limit", "x.SinceEntry = 0\n\tx.Limit"),
		in("a start remembers the bytes since the last entry", "x.SinceEntry = 0\n\tx.Limit", "x.Limit"),
		in("a start forgets the first byte only", "x.SinceEntry = 0\n\tx.Limit", "x.SinceEntry = max(x.SinceEntry-1, 0)\n\tx.Limit"),
		in("a start keeps the old segment.index.bytes", "x.Limit, x.Interval = s.SegmentIndexBytes, s.IndexIntervalBytes", "x.Interval = s.IndexIntervalBytes"),
		in("a start keeps the old index.interval.bytes", "x.Limit, x.Interval = s.SegmentIndexBytes, s.IndexIntervalBytes", "x.Limit = s.SegmentIndexBytes"),
		inFile("reload", "log.go")("the age of unstamped segments goes on", "l.active.Created = now\n\tl.active.Jitter", "l.active.Jitter"),
		inFile("reload", "log.go")("the age of unstamped segments starts 1 ms late", "l.active.Created = now\n", "l.active.Created = now + 1\n"),
	}
}
