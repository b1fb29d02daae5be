package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// judge is one pair at one instant, with what its forecast is made of.
type judge struct {
	group *model.Group
	pair  *pair
	part  *partition
	plan  *schedule // of the partition
	now   model.Instant
	cfg   Config

	position   model.Offset
	start, end model.Offset
	settings   model.Settings
	stands     model.Maybe[State] // where a pair that is not lost stands
	times      float64            // how many times as long as expected the bytes to come are taken to take
}

// forecast makes all that is said about one pair, on the partition that is worked at. It reads
// like the table of metrics.md: what cannot be judged first, then what retention cannot reach, what
// is lost already, and at last the instants.
func (p *Predictor) forecast(f *Forecast, g *model.Group, q *pair) {
	part, now := p.plan.partition, p.plan.now
	f.Key = model.PairKey{Group: g.Name, PartitionKey: part.key}
	f.Inputs = p.plan.inputs(g)
	if q != nil {
		f.LostOffsets = q.loss.offsets
	}
	if g.Lapsed(now) && (q == nil || !q.loss.at.IsKnown()) { // losses are facts
		f.Reason = model.Known(Stale)
		return
	}
	if q == nil {
		f.Reason = model.Known(NoCommit)
		return
	}
	position, ok := q.position.Get()
	if !ok || q.absent {
		f.Reason = model.Known(unknownPosition(g, q))
		return
	}
	j := judge{group: g, pair: q, part: part, now: now, cfg: p.cfg, position: position, plan: &p.plan, times: 1}
	if told, ok := q.told(); ok {
		f.Position = model.Known(told)
	}
	at, _ := q.position.At()
	f.PositionAt = model.Known(at)
	if reason, ok := j.bind(); !ok {
		f.Reason = model.Known(reason)
		return
	}
	if s, ok := j.standing(); ok && j.start-j.position <= 1 {
		j.stands = model.Known(s)
	}
	f.InputsAt = model.Known(j.inputsAt())
	j.measures(f)
	if reason, judged := j.instants(f); !judged {
		f.Reason = model.Known(reason)
	}
	loss, ok := f.Loss.Get()
	q.inSight = ok && loss != model.Forever
	f.State = j.state()
}

// unknownPosition is why there is none; positions of share groups do not expire.
func unknownPosition(g *model.Group, q *pair) Reason {
	if q.absent && g.Kind != model.KindShare {
		return ExpiredPosition
	}
	return NoCommit
}

// bind fetches the log's edges; without them nothing can be judged.
func (j *judge) bind() (Reason, bool) {
	start, s := j.part.start.Get()
	end, e := j.part.end.Get()
	if !s || !e {
		return Unreadable, false
	}
	j.start, j.end = start, end
	if _, stuck := j.pair.stuck.Get(); stuck {
		return Recreated, false
	}
	if j.pair.beyond >= 2 {
		return BeyondEnd, false
	}
	return 0, true
}

// inputsAt is the oldest of the readings that the forecast stands on; a log start that rests is as
// new as the poll that let it.
func (j *judge) inputsAt() model.Instant {
	at, _ := j.pair.position.At()
	s, _ := j.part.startAs.Get()
	e, _ := j.part.end.At()
	return min(at, s, e)
}

func (j *judge) lost() (model.Instant, bool) { return j.pair.loss.at.Get() }

// from is the first offset that is still there and not yet read.
func (j *judge) from() model.Offset { return max(j.position, j.start) }

func (j *judge) unread() bool { return j.from() < j.end }

// instants fills in floor, runway, loss and its band; the reason is given where there is no loss.
func (j *judge) instants(f *Forecast) (Reason, bool) {
	if at, lost := j.lost(); lost {
		j.all(f, at)
		return 0, true
	}
	if reason, doubtful := j.doubt(); doubtful {
		return reason, false
	}
	if j.position < j.start && !j.onMarker() { // it could not be read since, and the group may have moved
		return Unreadable, false
	}
	if j.part.foreign {
		return BrokerUnverified, false
	}
	if reason, ok := j.limits(); !ok {
		j.floor(f)
		return reason, false
	}
	if !limited(j.settings) {
		j.all(f, model.Forever)
		return 0, true
	}
	j.floor(f)
	runway, ok := j.plan.deadline(j.from())
	ok = ok && j.runwayKnown(runway)
	if ok {
		f.Stopped = model.Known(j.expected(runway.due))
		f.Rule = runway.rule
	}
	if !j.unread() {
		f.Loss, f.Earliest, f.Latest = infinite(), infinite(), infinite()
		return 0, true
	}
	if !ok {
		return j.whyNoRunway(), false
	}
	reason, ok := j.loss(f, runway)
	order(f)
	return reason, ok
}

// doubt is why it cannot be told whether a position below the log start is a loss.
func (j *judge) doubt() (Reason, bool) {
	if s := j.pair.sharing; s != nil {
		return s.doubt, s.doubt != 0
	}
	return SingleOffsetGap, j.start-j.position == 1 && !j.onMarker()
}

// onMarker tells that all that was deleted before the group read it is a transaction's marker.
func (j *judge) onMarker() bool {
	marker, read := j.part.below(j.start)
	return read && marker && j.start-j.position == 1 && j.pair.sharing == nil
}

func infinite() model.Maybe[model.Instant] { return model.Known(model.Forever) }

// limited tells whether any limit acts. A retention.ms whose end lies beyond every clock is none:
// the largest there is, 2^63-1, is in use for "keep".
func limited(s model.Settings) bool {
	age, timed := s.TimeLimit()
	_, sized := s.SizeLimit()
	return timed && age < math.MaxInt64/2 || sized
}

// limits resolves the settings in force.
func (j *judge) limits() (Reason, bool) {
	set, ok := j.part.settings.Get()
	if !ok {
		return ConfigUnreadable, false
	}
	j.settings = set
	if _, sized := set.SizeLimit(); sized {
		if _, _, seen := j.part.volume.Last(); !seen || set.Tiered {
			return SizeUnreadable, false
		}
	}
	return 0, true
}

// all sets the five instants to one.
func (j *judge) all(f *Forecast, at model.Instant) {
	one := model.Known(at)
	f.Loss, f.Earliest, f.Latest, f.Stopped, f.Floor = one, one, one, one, one
}

func (j *judge) floor(f *Forecast) {
	if lo, ok := j.plan.floorOf(j.from()); ok {
		f.Floor = model.Known(lo.Add(-j.cfg.ClockTolerance))
	}
}

// runwayKnown asks for two looks at the partition before the runway of a position in the active
// segment is told: one look does not show whether anything arrives.
func (j *judge) runwayKnown(d deadline) bool {
	return d.due == model.Forever || d.due <= j.now || d.closed || j.part.ends.Span() > 0
}

func (j *judge) whyNoRunway() Reason {
	if _, ok := j.part.times.FirstPoint(); !ok && j.part.ends.Span() > 0 {
		if _, timed := j.settings.TimeLimit(); timed {
			return NoTimestamps
		}
	}
	return NotEnoughHistory
}

// expected is the pass that is expected to act on what is due.
func (j *judge) expected(due model.Instant) model.Instant { return j.part.actsOn(due, j.now) }

// order enforces what holds by meaning: floor <= stopped, floor <= earliest <= loss <= latest.
func order(f *Forecast) {
	floor, ok := f.Floor.Get()
	if !ok {
		floor = math.MinInt64
	}
	raise := func(m *model.Maybe[model.Instant], least model.Instant) model.Instant {
		v, ok := m.Get()
		if !ok {
			return least
		}
		*m = model.Known(max(v, least))
		return max(v, least)
	}
	raise(&f.Stopped, floor)
	loss := raise(&f.Loss, floor)
	if early, ok := f.Earliest.Get(); ok {
		f.Earliest = model.Known(min(max(early, floor), loss))
	}
	raise(&f.Latest, loss)
}
