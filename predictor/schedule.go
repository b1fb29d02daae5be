package predictor

import (
	"sort"

	"kafka-retention-exporter/model"
)

// schedule is when the segments of a partition go, as things stand at one instant. Each row is
// worked out once, when it is first asked for, and serves every group on the partition and
// whoever else asks: within a segment all offsets go at the same time.
type schedule struct {
	*partition
	now      model.Instant
	set      model.Settings
	known    bool // the settings, without which nothing is
	last     model.Offset
	newest   model.Instant
	stamped  bool
	earlier  model.Maybe[float64]
	segments int // how many of the rows are segments; the others are pieces
	rows     []row
	walks    bool // along the fences
	survey   survey
	files    files
}

// row is one segment, or a piece of a log whose bases are not known to its end.
type row struct {
	from   model.Offset
	worked working
	rule   model.Maybe[Rule]
	due    model.Instant
}

// working tells whether a row was worked out.
type working int8

const (
	notYet working = iota
	told
	cannotTell
)

// pieces is into how many the rest of a log is cut whose bases are not known to its end.
const pieces = 16

// schedule lays one out.
func (p *partition) schedule(now model.Instant) *schedule {
	s := &schedule{}
	s.lay(p, now)
	return s
}

// lay begins anew with a partition, in the memory of the one before.
func (s *schedule) lay(p *partition, now model.Instant) {
	*s = schedule{partition: p, now: now, rows: s.rows[:0], files: s.files, survey: survey{fences: s.survey.fences[:0], over: true}}
	s.files.open(p.local)
	s.set, s.known = p.settings.Get()
	s.last, _ = p.end.Get()
	s.newest, s.stamped = p.newest(now)
	if n := len(s.files.stamps); n > 0 && !s.stamped {
		s.newest, s.stamped = s.files.stamps[n-1], true
	}
	s.earlier = p.earlierRate(now)
	for _, base := range p.chain.bases {
		s.rows = append(s.rows, row{from: base})
	}
	if len(s.rows) == 0 {
		start, _ := p.start.Get()
		s.rows = append(s.rows, row{from: start})
	}
	s.segments = len(s.rows)
	if !p.laid() {
		s.cut()
	}
}

// cut adds the pieces.
func (s *schedule) cut() {
	from := s.rows[s.segments-1].from
	step := (s.last - from) / pieces
	for i := model.Offset(1); step > 0 && i < pieces; i++ {
		s.rows = append(s.rows, row{from: from + i*step})
	}
}

// certainTo is how far the segment of an offset reaches at least, as long as the steps of the log start
// proved the fences.
func (s *schedule) certainTo(o model.Offset) (upTo model.Offset, ok bool) {
	if !s.walks && s.surveys() {
		s.survey.begin(s.partition)
	}
	s.walks = true
	return s.survey.within(o)
}

// index is the row an offset lies in.
func (s *schedule) index(o model.Offset) int {
	return max(0, sort.Search(len(s.rows), func(i int) bool { return s.rows[i].from > o })-1)
}

// row is one of the rows, worked out; ok is false where it cannot be told.
func (s *schedule) row(i int) (r *row, ok bool) {
	r = &s.rows[i]
	if r.worked == notYet {
		r.worked = cannotTell
		if d, ok := s.dueOf(s.segment(i, s.speaker(i))); ok {
			r.worked, r.due, r.rule = told, d.at, d.rule
		}
	}
	return r, r.worked == told
}

// speaker is an offset that speaks for a row: the last of a segment, the middle of a piece.
func (s *schedule) speaker(i int) model.Offset {
	from, up := s.rows[i].from, s.last
	if i+1 < len(s.rows) {
		up = s.rows[i+1].from
	}
	if i+1 < s.segments || s.laid() {
		return max(from, up-1)
	}
	return from + (up-from)/2
}

// borderAfter is where a row ends.
func (s *schedule) borderAfter(i int) model.Offset {
	if i+1 < len(s.rows) {
		return s.rows[i+1].from
	}
	return s.last
}

// speaks tells whether an offset goes when its row does.
func (s *schedule) speaks(i int, o model.Offset) bool {
	return s.known && o < s.last && (i+1 < s.segments || s.laid())
}

// due is when the log start passes an offset; ok is false where it cannot be told.
func (s *schedule) due(o model.Offset) (d due, ok bool) {
	i := s.index(o)
	if s.speaks(i, o) {
		r, ok := s.row(i)
		return due{at: r.due, rule: r.rule}, ok
	}
	return s.dueOf(s.segment(min(i, s.segments-1), o))
}

// deadline is when the log start passes an offset, with bounds.
func (s *schedule) deadline(o model.Offset) (deadline, bool) {
	at, ok := s.due(o)
	if !ok {
		return deadline{}, false
	}
	seg := s.segment(min(s.index(o), s.segments-1), o)
	d := deadline{due: at.at, lo: at.at, hi: at.at, rule: at.rule, closed: seg.next.IsKnown()}
	s.bound(&d, seg)
	return d, true
}
