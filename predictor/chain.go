package predictor

import (
	"slices"
	"sort"

	"kafka-retention-exporter/model"
)

// maxBases bounds the chain; beyond it the nearest segments are known and the far ones are not.
const maxBases = 256

// chain is the segment bases of a partition as they can be told from outside: the log start
// after a retention step is one (broker.md 9.3), and from there each next one is where
// LogSegment.shouldRoll says: the first record stamped more than segment.ms after the first of
// the segment, or where segment.bytes is full, whichever comes first.
type chain struct {
	bases []model.Offset // rising; the first is at or below the log start
	whole bool           // all are known from the leader's own files
	exact bool           // the first is where retention left the log start, not only believed to be a base
	// oldest is the first record of the first segment, which may be deleted by now.
	oldest model.Maybe[model.Stamped]
	ask    model.Maybe[model.Instant]
	rolls  []roll // rising; the answers that bases were told by, which a curve may forget
}

// roll is the first record stamped at or after an instant, which rolls a segment by time.
type roll struct {
	asked  model.Instant
	record model.Offset
	stamp  model.Instant
}

// roll is the answer to one of the questions that a base was told by.
func (c *chain) roll(asked model.Instant) (roll, bool) {
	i := sort.Search(len(c.rolls), func(i int) bool { return c.rolls[i].asked >= asked })
	if i == len(c.rolls) || c.rolls[i].asked != asked {
		return roll{}, false
	}
	return c.rolls[i], true
}

// remember keeps an answer, and forgets those that are below the chain.
func (c *chain) remember(r roll) {
	from := 0
	for from < len(c.rolls) && c.rolls[from].record < c.bases[0] {
		from++
	}
	c.rolls = append(c.rolls[:0], c.rolls[from:]...)
	i := sort.Search(len(c.rolls), func(i int) bool { return c.rolls[i].asked >= r.asked })
	if i == len(c.rolls) || c.rolls[i].asked != r.asked {
		c.rolls = slices.Insert(c.rolls, i, r)
	}
}

// ground is what the chain is laid upon.
type ground struct {
	times    *model.TimeCurve
	bytes    *model.ByteCurve
	settings model.Settings
	end      model.Offset
	now      model.Instant
	lack     model.Bytes  // by how much segments that fill up are short of segment.bytes
	long     model.Offset // of segments of a size that only their steps tell (strides.go), else 0
	rules    *rules
}

// rules are since which offset segments end by the settings in force, and by which others before.
type rules struct {
	from   model.Offset
	before model.Settings
}

// since is from which offset on the settings in force are the rules: all of the log without others.
func (r *rules) since() model.Offset {
	if r == nil {
		return 0
	}
	return r.from
}

// know takes the bases from the files that they name.
func (c *chain) know(segments []model.Segment) {
	c.bases = c.bases[:0]
	for i := range segments {
		c.bases = append(c.bases, segments[i].Base)
	}
	c.whole, c.exact, c.ask = true, true, model.Maybe[model.Instant]{}
}

// anchor starts the chain anew at a known base. What rolled the segments of the one before was asked for
// from other stamps; only the record that is the base itself still tells something. Offset 0 begins a segment
// wherever it is.
func (c *chain) anchor(base model.Offset) {
	c.bases, c.exact = append(c.bases[:0], base), base == 0
	c.rolls = slices.DeleteFunc(c.rolls, func(r roll) bool { return r.record != base })
}

// keep notes the stamp that the first segment began with, as long as the curve has it, or the answer that
// the base was told by.
func (c *chain) keep(times *model.TimeCurve) {
	if len(c.bases) == 0 {
		return
	}
	if r, ok := times.Protector(c.bases[0]); ok && r.Offset == c.bases[0] {
		c.oldest = model.Known(r)
		return
	}
	for _, r := range c.rolls {
		if r.record == c.bases[0] {
			c.oldest = model.Known(model.Stamped{Offset: r.record, Stamp: r.stamp, Found: true})
		}
	}
}

// exactBase is the first base, where it is known for certain to be one.
func (c *chain) exactBase() (model.Offset, bool) {
	if !c.exact || len(c.bases) == 0 {
		return 0, false
	}
	return c.bases[0], true
}

// step moves the chain to a new log start. One that retention set is a base: where the chain
// had it, the chain was right and goes on; where it had not, it starts anew from there.
func (c *chain) step(start model.Offset, isBase bool) {
	i := sort.Search(len(c.bases), func(i int) bool { return c.bases[i] > start }) - 1
	switch {
	case i >= 0 && (!isBase || c.bases[i] == start):
		c.bases = append(c.bases[:0], c.bases[i:]...)
		c.exact = c.exact && i == 0
	default:
		c.anchor(start)
	}
	c.exact = c.exact || isBase
}

// extend lays further bases as far as what is known reaches, and notes what to ask for the next.
func (c *chain) extend(g ground) {
	c.ask, c.whole = model.Maybe[model.Instant]{}, false
	for len(c.bases) > 0 && len(c.bases) < maxBases {
		next, ok := c.next(g, c.bases[len(c.bases)-1])
		if !ok {
			return
		}
		c.bases = append(c.bases, next)
	}
}

// next is the base after a last one, if it can be told to exist. A segment that was begun under
// other settings ended by them, if it did before they were changed, and else not before.
func (c *chain) next(g ground, last model.Offset) (model.Offset, bool) {
	if last >= g.rules.since() {
		return c.after(g, last)
	}
	old := g
	old.settings, old.end = g.rules.before, g.rules.from
	if next, ok := c.after(old, last); c.ask.IsKnown() || ok && next < g.rules.from {
		return next, ok
	}
	next, ok := c.after(g, last)
	return max(next, g.rules.from), ok
}

// after is the base after another one, by the settings given.
func (c *chain) after(g ground, last model.Offset) (model.Offset, bool) {
	byBytes, full := g.full(last)
	stamp, ok := c.firstStamp(g.times, last)
	if !ok || g.settings.SegmentMs <= 0 {
		return byBytes, full && byBytes > last
	}
	t := stamp.Add(usualAge(g.settings)).Add(1)
	lo, hi := g.times.First(t)
	if full && byBytes <= lo {
		return byBytes, byBytes > last
	}
	if lo >= g.end || t > g.now {
		return byBytes, full && byBytes > last
	}
	at, found := hi.Get()
	if !found || at != lo {
		c.ask = model.Known(t)
		return 0, false
	}
	if r, ok := g.times.FirstSince(t); ok && r.Offset == at {
		c.remember(roll{t, at, r.Stamp})
	}
	if full {
		at = min(at, byBytes)
	}
	return at, at > last && at <= g.end
}

// full is where the segment that begins at base would be full (LogSegment.shouldRoll by size); ok is
// false if it is not yet.
func (g *ground) full(base model.Offset) (model.Offset, bool) {
	if g.long > 0 {
		return base + g.long, base+g.long < g.end
	}
	begin, ok := g.bytes.At(base)
	if !ok || g.settings.SegmentBytes <= 0 || begin+g.settings.SegmentBytes > g.come() {
		return 0, false
	}
	return g.bytes.Offset(begin + g.settings.SegmentBytes - min(g.lack, g.settings.SegmentBytes/2))
}

// come is how many bytes there are. Where a good part of a segment came since sizes were read, that is
// taken to have as many bytes an offset as what came before.
func (g *ground) come() model.Bytes {
	total, _ := g.bytes.Settled()
	if all, ok := g.bytes.At(g.end); ok && all-total > g.settings.SegmentBytes/4 {
		return all
	}
	return total
}

// usualAge is how much event time a segment spans that its age ends: each takes its own share of
// segment.jitter.ms off segment.ms at random (LogConfig.randomSegmentJitter), half of it in the mean.
func usualAge(set model.Settings) model.Millis {
	return set.SegmentMs - min(max(0, set.SegmentJitterMs), set.SegmentMs)/2
}

// firstStamp is the stamp of a segment's first record, taken as P(base): right with stamps in order.
// Where that record is deleted and was never seen, it is the oldest that is left.
func (c *chain) firstStamp(times *model.TimeCurve, base model.Offset) (model.Instant, bool) {
	at, _ := times.Newest(base)
	if exact, ok := at.Get(); ok {
		return exact, true
	}
	if r, ok := c.oldest.Get(); ok && r.Offset == base {
		return r.Stamp, true
	}
	r, ok := times.FirstPoint()
	if !ok || base > r.Offset {
		return 0, false
	}
	return r.Stamp, true
}

// around is the segment an offset lies in: its base and the base after it; both unknown below
// the chain, the latter also in the active segment.
func (c *chain) around(o model.Offset) (base, next model.Maybe[model.Offset]) {
	i := sort.Search(len(c.bases), func(i int) bool { return c.bases[i] > o })
	if i > 0 {
		base = model.Known(c.bases[i-1])
	}
	if i < len(c.bases) {
		next = model.Known(c.bases[i])
	}
	return base, next
}

// laid tells whether the bases are known up to the end of the log.
func (c *chain) laid() bool {
	return c.whole || !c.ask.IsKnown() && len(c.bases) < maxBases
}

// last is the base of the active segment as far as is known.
func (c *chain) last() (model.Offset, bool) {
	if len(c.bases) == 0 {
		return 0, false
	}
	return c.bases[len(c.bases)-1], true
}
