package predictor

import (
	"math"
	"slices"
	"sort"

	"kafka-retention-exporter/model"
)

// horizons are how long before a deadline it is remembered, as parts of the time a record lives:
// at a day of retention 15 minutes, an hour, six hours and the day.
var horizons = [...]model.Millis{96, 24, 4, 1}

// maxMarks is how many forecasts of one horizon are remembered of a partition at a time. They are
// made half the horizon apart, so that by and large no more are open.
const maxMarks = 2

// audit is what one partition remembers of its own forecasts until the log start tells the truth.
// There may be a hundred thousand partitions: it is kept small.
type audit struct {
	events events
	plans  [len(horizons)]plan
	marks  []mark
	step   *stepped // of the log start in this poll
}

// plan is when to take down the next forecast of a horizon, and of what.
type plan struct {
	next model.Instant
	upTo model.Maybe[model.Offset] // positions up to here have been within the horizon
}

// mark is a forecast of the deadline of one position, as it was told.
type mark struct {
	offset      model.Offset
	made        model.Instant
	floor       model.Instant
	due, lo, hi ahead // the pass that was expected to delete it, with the 90 % band
	horizon     uint8
	rule        uint8
	empty       bool // for a record yet to come to an empty log: only its floor was told
}

// ahead is milliseconds from when a forecast was made, +Inf for no end.
type ahead float32

func (m *mark) ahead(t model.Instant) ahead {
	if t == model.Forever {
		return ahead(math.Inf(1))
	}
	return ahead(t.Sub(m.made))
}

// remember takes down some of what was told of the partition at the poll before: now is the
// instant of that, and nothing newer has been taken in yet. Of each horizon it is a position
// whose time left has just become less than the horizon, anywhere in its segment; of the longest
// the newest record.
func (p *partition) remember(cfg Config, now model.Instant, s *schedule) {
	a := &p.audit
	wanted := a.wanted(now)
	if !slices.Contains(wanted[:], true) {
		return
	}
	s.lay(p, now)
	life, ok := s.life()
	if !ok {
		return
	}
	for i, parts := range horizons {
		plan, left := &a.plans[i], life/parts
		if !wanted[i] || left < p.poll {
			continue
		}
		plan.next = now.Add(max(left/maxMarks, p.poll))
		pick := s.entering
		if parts == 1 {
			pick = s.newcomer
		}
		o, ok := pick(plan, left)
		if !ok {
			continue
		}
		if m, ok := s.told(o, cfg); ok {
			m.horizon = uint8(i)
			a.add(m)
		}
	}
}

// wanted tells of which horizons a forecast is to be taken down.
func (a *audit) wanted(now model.Instant) (wanted [len(horizons)]bool) {
	var open [len(horizons)]int
	for _, m := range a.marks {
		open[m.horizon]++
	}
	for i := range wanted {
		wanted[i] = now >= a.plans[i].next && open[i] < maxMarks
	}
	return wanted
}

func (a *audit) add(m mark) {
	if a.marks == nil {
		a.marks = make([]mark, 0, maxMarks*len(horizons))
	}
	a.marks = append(a.marks, m)
}

// life is how long a record is kept that arrives now: the unit of the horizons.
func (s *schedule) life() (model.Millis, bool) {
	_, started := s.start.Get()
	_, ended := s.end.Get()
	if !started || !ended || !s.known || !limited(s.set) {
		return 0, false
	}
	age, timed := s.set.TimeLimit()
	if _, sized := s.set.SizeLimit(); !sized {
		return age, timed
	}
	d, ok := s.due(s.last - 1)
	switch bySize := d.at.Sub(s.now); {
	case !ok || d.at <= s.now:
		return 0, false
	case !timed:
		return bySize, d.at != model.Forever
	default:
		return min(age, bySize), true
	}
}

// newcomer is the newest record, if there was none of it at the last look; of an empty log the
// one that comes next.
func (s *schedule) newcomer(plan *plan, _ model.Millis) (model.Offset, bool) {
	start, _ := s.start.Get()
	o := max(start, s.last-1)
	if last, had := plan.upTo.Get(); had && o <= last {
		return 0, false
	}
	plan.upTo = model.Known(o)
	return o, true
}

// entering is a position among those whose time left has become less than left since the last
// look; ok is false where these are not a good part of a segment. At the first look there is none:
// what is within the horizon by then has been so for an unknown time.
func (s *schedule) entering(plan *plan, left model.Millis) (o model.Offset, ok bool) {
	upTo, long, ok := s.within(left)
	if !ok {
		return 0, false
	}
	start, _ := s.start.Get()
	last, had := plan.upTo.Get()
	last = max(last, start-1)
	if had && upTo-last < max(1, long/4) {
		return 0, false
	}
	plan.upTo = model.Known(upTo)
	if !had {
		return 0, false
	}
	return last + 1 + scatter(upTo, upTo-last), true
}

// scatter spreads offsets evenly over [0, n), so that no place in a segment is preferred.
func scatter(seed, n model.Offset) model.Offset {
	const golden = 0x9E3779B97F4A7C15
	return model.Offset((uint64(seed) * golden >> 11) % uint64(n))
}

// within is the last offset that is due within the time left, and how long its row is; ok is
// false where nothing is.
func (s *schedule) within(left model.Millis) (upTo, long model.Offset, ok bool) {
	start, _ := s.start.Get()
	i := sort.Search(len(s.rows), func(i int) bool {
		d, ok := s.due(max(s.rows[i].from, start))
		return !ok || d.at > s.now.Add(left)
	})
	if i == 0 || start >= s.last {
		return 0, 0, false
	}
	up := s.last
	if i < len(s.rows) {
		up = s.rows[i].from
	}
	return up - 1, up - s.rows[i-1].from, up > start
}

// told is what is served for a group that stopped at an offset.
func (s *schedule) told(o model.Offset, cfg Config) (mark, bool) {
	j := judge{pair: &pair{}, part: s.partition, plan: s, now: s.now, cfg: cfg, position: o, times: 1}
	if _, ok := j.bind(); !ok {
		return mark{}, false
	}
	if _, ok := j.limits(); !ok {
		return mark{}, false
	}
	var f Forecast
	j.floor(&f)
	m := mark{offset: o, made: s.now, empty: j.start >= j.end}
	m.floor, _ = f.Floor.Get()
	if m.empty {
		return m, f.Floor.IsKnown()
	}
	runway, ok := s.deadline(o)
	if !ok || !j.runwayKnown(runway) || runway.due <= s.now || runway.due == model.Forever {
		return mark{}, false
	}
	f.Stopped = model.Known(j.expected(runway.due))
	j.stoppedLoss(&f, runway)
	order(&f)
	stopped, _ := f.Stopped.Get()
	earliest, _ := f.Earliest.Get()
	latest, _ := f.Latest.Get()
	rule, _ := runway.rule.Get()
	m.due, m.lo, m.hi, m.rule = m.ahead(stopped), m.ahead(earliest), m.ahead(latest), uint8(rule)
	return m, true
}
