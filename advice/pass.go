package advice

import (
	"fmt"
	"math"
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// pass asks the broker's own rules what they would do to a log.
func (q Question) pass(l predictor.Log, now model.Instant) Pass {
	after := changed(l.Settings, q.Changes)
	p := Pass{
		Key: l.Key, At: l.NextPass, Latest: now.Add(l.Check), Start: l.Marks.Start, After: l.Marks.Start,
		DiskBack: l.NextPass.Add(after.FileDeleteDelay),
	}
	segments := untilPass(l, p.At, now)
	leader, _ := l.Leader.Get()
	release := q.Release[leader]
	verdict := model.Decide(segments, l.Marks, after, p.At, release)
	anyway := model.Decide(segments, l.Marks, l.Settings, p.At, release)
	gone := segments[:verdict.Deleted]
	p.Segments, p.After = verdict.Deleted, verdict.Start
	p.Bytes = model.TotalSize(gone)
	p.BytesAnyway = min(p.Bytes, model.TotalSize(segments[:anyway.Deleted]))
	p.AllReplicas = p.Bytes * model.Bytes(max(1, q.Replicas[l.Key]))
	p.UpTo = newestOf(gone)
	for _, share := range verdict.Shares {
		if share.Segments > 0 {
			p.Rules = append(p.Rules, share.Rule)
		}
	}
	return p
}

// untilPass is the segments as they will be at a pass: what arrives before it goes into the active one.
func untilPass(l predictor.Log, pass, now model.Instant) []model.Segment {
	segments := slices.Clone(l.Segments)
	wait := pass.Sub(now)
	if l.Arriving <= 0 || wait <= 0 || len(segments) == 0 {
		return segments
	}
	active := &segments[len(segments)-1]
	active.Size += model.Bytes(l.Arriving * float64(wait) / 1000)
	active.Largest, active.Stamped = max(active.Largest, pass), true
	return segments
}

func newestOf(segments []model.Segment) (newest model.Maybe[model.Instant]) {
	for i := range segments {
		if at, ok := newest.Get(); segments[i].Stamped && (!ok || segments[i].Largest > at) {
			newest = model.Known(segments[i].Largest)
		}
	}
	return newest
}

// lossOf is what a group loses by a pass; ok is false where it loses nothing.
func lossOf(r predictor.Reader, l predictor.Log, p Pass) (Loss, bool) {
	from := max(r.Position, p.Start)
	if from >= p.After {
		return Loss{}, false
	}
	return Loss{Group: r.Group, Key: l.Key, From: from, To: p.After, Bytes: max(0, p.Bytes-r.Before), UpTo: p.UpTo}, true
}

// unsure is what of a log is not known well enough for the answer.
func (q Question) unsure(l predictor.Log) (out []string) {
	set := changed(l.Settings, q.Changes)
	_, timed := set.TimeLimit()
	_, sized := set.SizeLimit()
	name := fmt.Sprintf("%s/%d", l.Key.Topic, l.Key.Partition)
	switch {
	case !timed && !sized:
		return nil
	case set.Tiered:
		return []string{name + ": the topic is tiered, and what lies in remote storage cannot be seen"}
	case l.Settings.Policy.Compacts():
		return []string{name + ": the log is compacted, so that its segments cannot be told"}
	}
	if !l.Laid {
		out = append(out, name+": its segments are not known to the end")
	}
	if sized && !l.Sized {
		out = append(out, name+": sizes cannot be read, and retention.bytes is set")
	}
	if last := l.Segments[len(l.Segments)-1]; timed && !last.Stamped && l.Marks.Start < l.Marks.End {
		out = append(out, name+": the stamps of its records are not known")
	}
	return out
}

// smallest is the retention that holds the largest lag, now or seen earlier, times the factor.
// In bytes it is as much as arrives in that time, or the largest lag in bytes times the factor.
func (q Question) smallest(logs []predictor.Log) Smallest {
	out := Smallest{Lag: q.Seen}
	rate := 0.0
	for _, l := range logs {
		if perSecond, ok := l.ByteRate.Get(); ok {
			rate = max(rate, perSecond)
		}
		total := model.TotalSize(l.Segments)
		for _, r := range l.Readers {
			if d, ok := r.Lag.Get(); ok && d > out.Lag.Time {
				out.Lag.Time, out.Lag.Group, out.Lag.Partition = d, r.Group, l.Key.Partition
			}
			if n := total - r.Before; l.Sized && r.Position < l.Marks.End && n > out.Lag.Bytes {
				out.Lag.Bytes, out.Lag.BytesGroup, out.Lag.BytesSeenOn = n, r.Group, l.Key.Partition
			}
		}
	}
	if out.Lag.Time > 0 {
		ms := math.Ceil(q.Factor * float64(out.Lag.Time))
		out.RetentionMs = model.Known(model.Millis(ms))
	}
	if out.Lag.Bytes > 0 {
		bytes := q.Factor * max(float64(out.Lag.Bytes), rate*float64(out.Lag.Time)/1000)
		out.RetentionBytes = model.Known(model.Bytes(math.Ceil(bytes)))
	}
	return out
}

// Cutoffs are the record times that decide what a change of retention.ms would take: the first
// record that is too young. With their answers learnt, time-rolled segments are exact.
func Cutoffs(changes []Change, logs []predictor.Log) []model.TimeQuestion {
	var out []model.TimeQuestion
	for _, l := range logs {
		if age, ok := changed(l.Settings, changes).TimeLimit(); ok {
			out = append(out, model.TimeQuestion{Key: l.Key, At: l.NextPass.Add(-age)})
		}
	}
	return out
}
