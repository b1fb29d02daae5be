package predictor

import (
	"slices"
	"strings"

	"kafka-retention-exporter/model"
)

// Log is what is believed of one partition's log on its leader, in the terms in which a broker
// decides: so that model.Decide can be asked what a pass under other settings would do.
type Log struct {
	Key      model.PartitionKey
	Leader   model.Maybe[model.BrokerID]
	Settings model.Settings
	Marks    model.Marks
	// Segments are the believed ones, the active one last. Sized tells whether their sizes are
	// known; without the right to read log dirs they are 0.
	Segments []model.Segment
	Sized    bool
	// Goes is for each segment the pass that is expected to delete it, model.Forever where none
	// will; nil where it cannot be told.
	Goes []model.Instant
	// Laid tells whether the bases were followed up to the end of the log. Where not, the last
	// segment stands for several.
	Laid     bool
	Check    model.Millis         // interval of the passes, 0 if not known
	NextPass model.Instant        // the next one, as nearly as it is known
	ByteRate model.Maybe[float64] // bytes per second that arrive in the long run
	Arriving float64              // bytes per second that arrive at present, 0 if nothing was seen to
	Readers  []Reader             // groups with a position here, by name
}

// Reader is a group on a partition.
type Reader struct {
	Group    string
	Position model.Offset
	// Before is how many bytes of the log lie before the next unread record.
	Before model.Bytes
	// Lag is how old the next unread record is, by the newest stamp up to it; unknown where
	// nothing is unread or no stamp is known.
	Lag model.Maybe[model.Millis]
}

// Logs are the partitions of a topic, in order, as believed now. Those whose edges or settings
// were never read are left out.
func (p *Predictor) Logs(topic string, now model.Instant) []Log {
	var out []Log
	readers := p.readers(topic, now)
	for key, part := range p.partitions {
		if key.Topic != topic {
			continue
		}
		if l, ok := part.log(key, now); ok {
			l.Readers = readers[key]
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b Log) int { return int(a.Key.Partition) - int(b.Key.Partition) })
	return out
}

func (p *partition) log(key model.PartitionKey, now model.Instant) (Log, bool) {
	set, known := p.settings.Get()
	start, s := p.start.Get()
	end, e := p.end.Get()
	if !known || !s || !e {
		return Log{}, false
	}
	l := Log{
		Key: key, Settings: set, Marks: model.Marks{Start: start, HighWatermark: end, End: end},
		Check: p.check, NextPass: p.nextPass(now), ByteRate: p.byteRate(), Arriving: p.arriving(),
		Laid: p.laid(),
	}
	if p.led {
		l.Leader = model.Known(p.leader)
	}
	_, l.Sized = p.bytes.Total()
	l.Segments = p.segments(now, start, end)
	l.Goes = p.goes(now, l.Segments, start)
	return l, true
}

// goes are the passes that take the segments. The walk of a pass begins with the oldest one and
// stops at the first that stays (UnifiedLog.deleteOldSegments), so none goes before its elder.
func (p *partition) goes(now model.Instant, segments []model.Segment, start model.Offset) []model.Instant {
	out := make([]model.Instant, len(segments))
	pass, plan := now, p.schedule(now)
	for i := range segments {
		d, ok := plan.due(max(start, segments[i].Base))
		if !ok {
			return nil
		}
		pass = max(pass, p.actsOn(d.at, now))
		out[i] = pass
	}
	return out
}

// segments lists the chain with the bytes and the newest stamp of each segment.
func (p *partition) segments(now model.Instant, start, end model.Offset) []model.Segment {
	bases := p.chain.bases
	if len(bases) == 0 {
		bases = []model.Offset{start}
	}
	newest, _ := p.newest(now)
	total, _ := p.bytes.Total()
	out := make([]model.Segment, len(bases))
	for i, base := range bases {
		seg := model.Segment{Base: base}
		from, _ := p.bytes.At(base)
		up, upTo := end, total
		if i+1 < len(bases) {
			up = bases[i+1]
			upTo, _ = p.bytes.At(up)
		}
		seg.Size = max(0, upTo-from)
		if up > start {
			seg.Largest, seg.Stamped = p.times.Estimate(up-1, end, newest)
		}
		out[i] = seg
	}
	return out
}

// readers are the groups with a position on the partitions of a topic, by name.
func (p *Predictor) readers(topic string, now model.Instant) map[model.PartitionKey][]Reader {
	out := map[model.PartitionKey][]Reader{}
	for k, q := range p.pairs {
		position, ok := q.position.Get()
		part := p.partitions[k.PartitionKey]
		if k.Topic != topic || part == nil || !ok || q.absent || q.stuck.IsKnown() {
			continue
		}
		out[k.PartitionKey] = append(out[k.PartitionKey], part.reader(k.Group, position, now))
	}
	for _, readers := range out {
		slices.SortFunc(readers, func(a, b Reader) int { return strings.Compare(a.Group, b.Group) })
	}
	return out
}

func (p *partition) reader(group string, position model.Offset, now model.Instant) Reader {
	r := Reader{Group: group, Position: position}
	start, _ := p.start.Get()
	end, _ := p.end.Get()
	from := min(max(position, start), end)
	base := start
	if len(p.chain.bases) > 0 {
		base = min(base, p.chain.bases[0])
	}
	first, _ := p.bytes.At(base)
	upTo, _ := p.bytes.At(from)
	r.Before = max(0, upTo-first)
	if from < end {
		at, _ := p.times.Newest(from)
		if stamp, ok := at.Get(); ok {
			r.Lag = model.Known(max(0, now.Sub(stamp)))
		}
	}
	return r
}

// arriving is the bytes a second that come at present, 0 where nothing does.
func (p *partition) arriving() float64 {
	rate, ok := p.volume.Rate(4 * p.poll)
	if !ok {
		return 0
	}
	return rate * 1000
}
