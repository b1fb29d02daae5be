package predictor

import (
	"math"
	"slices"

	"kafka-retention-exporter/model"
)

// Audit is how good the deadlines were that this predictor told, by what the log start then did
// (audit_marks.go says which are remembered). A deadline is scored once the log start passes the
// position it was told for. One that something unforeseeable has overtaken, such as a change of
// settings, is not scored, but if its floor was late that is counted with its cause.
type Audit struct {
	Deadlines int64 // scored
	BandHits  int64 // of these, how many came within the 90 % band
	// Errors are how far off the estimates were, in absolute terms.
	Errors Errors
	// Violations is how many floors were late, by cause; every cause is there.
	Violations map[Cause]int64
	// Recent are the last ones that were scored.
	Recent Recent
}

// Errors are counts of absolute errors.
type Errors struct {
	Bounds []model.Millis // upper ones, rising
	Counts []int64        // at or below each bound
	All    int64
	Sum    model.Millis
}

// Recent sums up the last deadlines that were scored.
type Recent struct {
	Scored int
	Late   int // of these, how many had their floor after the deletion
	Median model.Maybe[model.Millis]
}

// maxRecent is how many scored deadlines Recent is about.
const maxRecent = 1000

// errorBounds are shares of a poll for retention of minutes up to hours for retention of weeks.
func errorBounds() []model.Millis {
	return []model.Millis{
		100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 120_000, 300_000,
		600_000, 1_800_000, 3_600_000, 10_800_000, 43_200_000,
	}
}

// score is the running Audit of all partitions.
type score struct {
	deadlines, hits int64
	violations      [causes]int64
	counts          []int64 // by errorBounds, each error in the first that holds it
	sum             model.Millis
	recent          []result // a ring
	next            int
	held            []tooEarly // floors that were late, until settings read later can tell why
	told            *Audit     // what was made of it last; nil once there is more
}

type result struct {
	off  model.Millis
	late bool
}

// late counts a floor that a deletion came before.
func (s *score) late(c Cause) {
	s.violations[c]++
	s.told = nil
}

// add takes in a deadline whose truth is known.
func (s *score) add(m mark, truth model.Instant, late bool) {
	s.deadlines++
	s.told = nil
	at := m.ahead(truth)
	if m.lo <= at && at <= m.hi {
		s.hits++
	}
	off := model.Millis(math.Abs(float64(at - m.due)))
	bounds := errorBounds()
	if s.counts == nil {
		s.counts = make([]int64, len(bounds)+1)
	}
	i, _ := slices.BinarySearch(bounds, off)
	s.counts[i]++
	s.sum += off
	if len(s.recent) < maxRecent {
		s.recent = append(s.recent, result{off, late})
		return
	}
	s.recent[s.next] = result{off, late}
	s.next = (s.next + 1) % maxRecent
}

// audit sums it up, for as many reports as nothing is added.
func (s *score) audit() Audit {
	if s.told == nil {
		a := s.sumUp()
		s.told = &a
	}
	return *s.told
}

func (s *score) sumUp() Audit {
	a := Audit{Deadlines: s.deadlines, BandHits: s.hits, Violations: make(map[Cause]int64, causes)}
	for _, c := range Causes() {
		a.Violations[c] = s.violations[c]
	}
	a.Errors = Errors{Bounds: errorBounds(), All: s.deadlines, Sum: s.sum}
	a.Errors.Counts = make([]int64, len(a.Errors.Bounds))
	below := int64(0)
	for i := range a.Errors.Counts {
		if s.counts != nil {
			below += s.counts[i]
		}
		a.Errors.Counts[i] = below
	}
	a.Recent = s.lately()
	return a
}

func (s *score) lately() Recent {
	r := Recent{Scored: len(s.recent)}
	if r.Scored == 0 {
		return r
	}
	off := make([]model.Millis, 0, r.Scored)
	for _, one := range s.recent {
		off = append(off, one.off)
		if one.late {
			r.Late++
		}
	}
	slices.Sort(off)
	r.Median = model.Known(off[len(off)/2])
	return r
}
