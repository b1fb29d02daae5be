package predictor

import (
	"math"
	"slices"

	"kafka-retention-exporter/model"
)

// maxSamples bounds the positions kept of a pair; maxGaps the commit gaps.
const (
	maxSamples = 64
	maxGaps    = 16
)

// pace is how a group moves: its recent positions, and how long it waits between commits.
type pace struct {
	samples  []sample
	gaps     []model.Millis // between polls that saw it advance, the newest last
	advances int            // since the start, or since the last rewind
	moved    model.Maybe[model.Instant]
	since    model.Maybe[model.Instant] // when the watch began, or the last rewind was seen
	rewound  bool
}

// sample is a position at a poll.
type sample struct {
	at       model.Instant
	position model.Offset
}

// observe takes in one poll's position. Going back is a rewind: what was known of the pace was
// of another reading.
func (p *pace) observe(at model.Instant, position model.Offset) {
	n := len(p.samples)
	switch {
	case n == 0:
		p.since = model.Known(at)
	case at <= p.samples[n-1].at:
		return
	case position < p.samples[n-1].position:
		*p = pace{rewound: true, since: model.Known(at)}
	case position > p.samples[n-1].position:
		p.advance(at)
	}
	p.samples = append(p.samples, sample{at, position})
	if len(p.samples) > maxSamples {
		p.thin()
	}
}

func (p *pace) advance(at model.Instant) {
	if last, ok := p.moved.Get(); ok {
		p.gaps = append(p.gaps, at.Sub(last))
		if len(p.gaps) > maxGaps {
			p.gaps = append(p.gaps[:0], p.gaps[1:]...)
		}
	}
	p.moved = model.Known(at)
	p.advances++
	if p.advances >= 2 {
		p.rewound = false
	}
}

// thin drops the sample that tells least, leaving the newest ones as they are.
func (p *pace) thin() {
	best, recent := 1, len(p.samples)-maxSamples/2
	for i := 2; i < recent; i++ {
		if p.span(i) < p.span(best) {
			best = i
		}
	}
	p.samples = append(p.samples[:best], p.samples[best+1:]...)
}

func (p *pace) span(i int) model.Millis { return p.samples[i+1].at.Sub(p.samples[i-1].at) }

// gap is the given quantile of the commit gaps; ok is false before one was seen.
func (p *pace) gap(q float64) (model.Millis, bool) {
	if len(p.gaps) == 0 {
		return 0, false
	}
	sorted := slices.Clone(p.gaps)
	slices.Sort(sorted)
	return sorted[int(math.Ceil(q*float64(len(sorted))))-1], true
}

// idle is how long the group has not advanced.
func (p *pace) idle(now model.Instant) model.Millis {
	if at, ok := p.moved.Get(); ok {
		return now.Sub(at)
	}
	if at, ok := p.since.Get(); ok {
		return now.Sub(at)
	}
	return 0
}

// patience is how long a group may stand still before it is called stalled: somewhat longer than
// the longest of its usual commit gaps. Before any were seen, a small share of the retention.
func (p *pace) patience(poll, retention model.Millis) model.Millis {
	if gap, ok := p.gap(0.85); ok {
		return max(model.Millis(1.3*float64(gap)+1.5*float64(poll)), 3*poll+poll/2)
	}
	return max(4*poll, min(retention, 1<<40)/288)
}

// line is a straight line through recent positions: the mean committed position, in offsets
// per millisecond.
type line struct {
	at       model.Instant // of position
	position float64
	perMs    float64
	stdErr   float64 // of perMs
}

func (l line) on(t model.Instant) float64 { return l.position + l.perMs*float64(t.Sub(l.at)) }

// fit is the line over the longest recent stretch in which the group kept one pace, that is, in
// which no commit is off by more than a commit gap's worth. ok is false until two advances were seen.
func (p *pace) fit(poll model.Millis) (line, bool) {
	if p.advances < 2 || len(p.samples) < 3 {
		return line{}, false
	}
	gap, _ := p.gap(0.5)
	slack := 0.65*float64(max(gap, poll)) + 0.6*float64(poll)
	best := p.leastSquares(max(3, min(len(p.samples), p.cover(3*gap))))
	for _, n := range [...]int{4, 6, 8, 11, 15, 20, 27, 36, 48, maxSamples} {
		if n > len(p.samples) {
			break
		}
		l := p.leastSquares(n)
		if p.worstResidual(l, n) > l.perMs*slack {
			break
		}
		if p.samples[len(p.samples)-n].at <= best.at.Add(-2*gap) {
			best = l
		}
	}
	return best, true
}

// cover is how many of the newest samples reach back at least d.
func (p *pace) cover(d model.Millis) int {
	tip := p.samples[len(p.samples)-1].at
	for n := 3; n < len(p.samples); n++ {
		if tip.Sub(p.samples[len(p.samples)-n].at) >= d {
			return n
		}
	}
	return len(p.samples)
}

func (p *pace) leastSquares(n int) line {
	recent := p.samples[len(p.samples)-n:]
	tip := recent[n-1]
	var st, sc, stt, stc float64
	for _, s := range recent {
		t, c := float64(s.at.Sub(tip.at)), float64(s.position-tip.position)
		st, sc, stt, stc = st+t, sc+c, stt+t*t, stc+t*c
	}
	m := float64(n)
	den := m*stt - st*st
	if den <= 0 {
		return line{at: tip.at, position: float64(tip.position)}
	}
	slope := max(0, (m*stc-st*sc)/den)
	l := line{at: tip.at, position: float64(tip.position) + (sc-slope*st)/m, perMs: slope}
	l.stdErr = p.slopeError(l, recent, den/m)
	return l
}

func (p *pace) slopeError(l line, recent []sample, spread float64) float64 {
	if len(recent) < 3 || spread <= 0 {
		return l.perMs
	}
	sum := 0.0
	for _, s := range recent {
		e := float64(s.position) - l.on(s.at)
		sum += e * e
	}
	return math.Sqrt(sum / float64(len(recent)-2) / spread)
}

func (p *pace) worstResidual(l line, n int) float64 {
	worst := 0.0
	for _, s := range p.samples[len(p.samples)-n:] {
		worst = max(worst, math.Abs(float64(s.position)-l.on(s.at)))
	}
	return worst
}
