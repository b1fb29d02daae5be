package predictor

import (
	"math"
	"slices"

	"kafka-retention-exporter/model"
)

// The 90 % band of a deadline is as wide as deadlines proved to be wrong. How wrong is said as a
// log ratio: of the time that was left when the forecast was made to the time it told, less what
// the instant of a pass is uncertain by anyway. Errors differ by rule and by how far ahead is looked.

// How many labels are kept, and from how many on they are believed: those of the partition itself,
// else those of all partitions together.
const (
	ownLabels  = 20
	ownLeast   = 15
	allLabels  = 200
	allLeast   = 40
	zones      = 3
	coldSpread = 0.25 // of a log ratio, before there are enough
)

// zone is how far ahead a deadline lies: near is less than a tenth of what a record lives, mid up to
// three tenths, far is beyond.
type zone uint8

const (
	near zone = iota
	mid
	far
)

func zoneOf(left, life model.Millis) zone {
	switch {
	case left*10 < life:
		return near
	case left*10 < 3*life:
		return mid
	}
	return far
}

// spread is the absolute log ratios of the newest labels, each in one byte on a scale of its own
// log: there may be a hundred thousand partitions.
type spread struct {
	count uint8
	next  uint8
	codes [ownLabels]uint8
}

func (s *spread) add(code uint8) {
	s.codes[s.next] = code
	s.next = (s.next + 1) % ownLabels
	s.count = min(s.count+1, ownLabels)
}

// calibration is what a partition learned of its own deadlines under the rule in force.
type calibration struct {
	rule    uint8
	spreads [zones]spread
}

// pool is what all partitions learned, by rule and zone.
type pool map[poolKey]*pooled

// pooled are the newest labels, the last one last, and the width that they make.
type pooled struct {
	codes []uint8
	width float64
}

func (p *pooled) add(code uint8) {
	p.codes = append(p.codes, code)
	if len(p.codes) > allLabels {
		p.codes = append(p.codes[:0], p.codes[1:]...)
	}
	p.width = nineTenths(slices.Clone(p.codes))
}

type poolKey struct {
	rule uint8
	zone zone
}

// learn takes in how a forecast turned out.
func (p *partition) learn(m mark, truth model.Instant) {
	told, off := float64(m.due), float64(m.ahead(truth)-m.due)
	if told <= 0 || m.rule == 0 {
		return
	}
	beyond := max(math.Abs(off)-float64(p.timing()), 0)
	left := told + math.Copysign(beyond, off)
	code := encode(math.Abs(math.Log(max(left, 1) / told)))
	z := [...]zone{near, near, mid, far}[m.horizon]
	if p.calibration == nil || p.calibration.rule != m.rule {
		p.calibration = &calibration{rule: m.rule}
	}
	p.calibration.spreads[z].add(code)
	key := poolKey{m.rule, z}
	if p.pool[key] == nil {
		p.pool[key] = &pooled{}
	}
	p.pool[key].add(code)
}

// timing is what the instant of a pass is uncertain by once it is known which one it will be: within
// a poll where the phase is known, else nine tenths of half the interval either way.
func (p *partition) timing() model.Millis {
	if p.phase != nil {
		if _, ok := p.phase.middle(); ok && p.phase.period == p.check {
			return p.poll * 3 / 5
		}
	}
	return p.check*9/20 + p.poll/2
}

// width is the log ratio that nine deadlines in ten by a rule stay within.
// learned is false while that is a guess.
func (p *partition) width(r Rule, z zone) (ratio float64, learned bool) {
	if own := p.calibration; own != nil && own.rule == uint8(r) && own.spreads[z].count >= ownLeast {
		codes := own.spreads[z].codes
		return nineTenths(codes[:own.spreads[z].count]), true
	}
	if all := p.pool[poolKey{uint8(r), z}]; all != nil && len(all.codes) >= allLeast {
		return all.width, true
	}
	return coldSpread, false
}

// nineTenths is the least width that held nine labels of ten, with the one to come counted against
// it. It sorts them.
func nineTenths(codes []uint8) float64 {
	slices.Sort(codes)
	i := int(math.Ceil(0.9*float64(len(codes)+1))) - 1
	return decode(codes[min(i, len(codes)-1)])
}

// least is the smallest log ratio that is told from none, and codeSteps how many codes double it:
// the largest is e^6.
const (
	least     = 1e-4
	codeSteps = 16
)

func encode(ratio float64) uint8 {
	if ratio <= least {
		return 0
	}
	return uint8(min(math.Ceil(codeSteps*math.Log2(ratio/least)), 255))
}

func decode(code uint8) float64 { return least * math.Exp2(float64(code)/codeSteps) }

// usual is how far off nine deadlines in ten are that lie at an instant, on one side of it; learned is
// false while that is a guess.
func (j *judge) usual(at model.Instant, rule Rule, side model.Millis) (off model.Millis, learned bool) {
	left := max(at.Sub(j.now), 0)
	life, ok := j.plan.life()
	if !ok {
		life = left
	}
	w, learned := j.part.width(rule, zoneOf(left, life))
	if off, ok := j.plan.borders(at); ok && !learned && rule == ByTime {
		return min(off, left/4) + j.part.timing(), false
	}
	if rule == BySize {
		w = j.part.sizeWidth(w, learned, left, life, side)
	}
	return model.Millis(math.Abs(float64(left)*math.Expm1(float64(side)*w))) + j.part.timing(), learned
}

// Before they teach how wrong they are, deadlines by time are taken to be wrong by as much as the
// borders of segments are, in shares of a segment's span: of those that fill by bytes all, of those
// that roll by time only the one that has yet to come.
const (
	filledOff = 0.22
	comingOff = 0.1
)

// borders is how far off the border is taken to be that decides about a deadline; ok is false while
// nothing is known of them.
func (s *schedule) borders(due model.Instant) (off model.Millis, ok bool) {
	first, ok := s.times.FirstPoint()
	age, timed := s.set.TimeLimit()
	if n := len(s.chain.bases); !ok || !timed || !s.stamped || n == 0 || !s.laid() {
		return 0, false
	}
	span := float64(s.newest.Sub(first.Stamp)) / float64(len(s.chain.bases))
	off = s.set.SegmentJitterMs / 2
	switch filled := 2*len(s.chain.rolls) < len(s.chain.bases)-1; {
	case filled:
		off += model.Millis(filledOff * span)
	case due > expiry(s.newest, age):
		off += model.Millis(comingOff * span)
	}
	return off, true
}

// wary is the lower edge of a deadline for who must not be told too late: while its usual error is a
// guess, the wider one of an error that grows with the time that is left.
func (j *judge) wary(runway deadline, rule Rule) model.Instant {
	expected := j.pass(runway.due)
	edge := j.soften(runway.lo, expected, rule, -1)
	if _, learned := j.usual(expected, rule, -1); learned || rule != ByTime || expected == model.Forever {
		return edge
	}
	off := model.Millis(-math.Expm1(-coldSpread)*float64(expected.Sub(j.now))) + j.part.timing()
	return min(edge, max(runway.lo, expected.Add(-off)))
}
