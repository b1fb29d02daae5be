package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// line is a straight line through recent positions: the mean committed position, in offsets
// per millisecond.
type line struct {
	at       model.Instant // of position
	position float64
	perMs    float64
	stdErr   float64 // of perMs
	// stride is the time from commit to commit where that is so long that the steps matter, else
	// 0; from is what is committed, and next when it is expected to change.
	stride model.Millis
	from   float64
	next   model.Instant
}

// mean is where the line is at an instant.
func (l line) mean(t model.Instant) float64 { return l.position + l.perMs*float64(t.Sub(l.at)) }

// on is the committed position that is expected at an instant.
func (l line) on(t model.Instant) float64 {
	if l.stride <= 0 {
		return l.mean(t)
	}
	if t < l.next {
		return l.from
	}
	return l.from + l.perMs*float64(l.stride)*float64(1+t.Sub(l.next)/l.stride)
}

// fit is the line over the longest recent stretch in which the group kept one pace. ok is false
// until two advances were seen of how it moves now.
func (p *pace) fit(poll model.Millis, now model.Instant) (line, bool) {
	first := p.regimeIndex()
	if p.advances < 2 || p.trail.len()-first < 2 {
		return line{}, false
	}
	gap, _ := p.waits.quantile(0.5)
	f := fitter{trail: &p.trail, swings: &p.swings, poll: poll, wait: float64(max(gap, poll))}
	f.open(first)
	best := f.base(first, 3*gap)
	for _, n := range [...]int{4, 6, 8, 11, 15, 20, 26, maxTrail} {
		from := max(first, p.trail.len()-n)
		if from >= best {
			continue
		}
		if !f.steady(from) {
			break
		}
		best = from
	}
	l := f.line(best)
	at, position := p.trail.last()
	switch {
	case 2*gap > 7*poll:
		l.stride, l.from = gap, float64(position)
		l.next = max(at.Add(gap-poll/2), now)
	case gap > poll: // the positions seen are those right after a commit
		l.position -= l.perMs * float64(gap-poll) / 2
	}
	return l, true
}

// regimeIndex is the first of the trail that tells how the group moves now: of what was while it
// was near the end no more than three positions need.
func (p *pace) regimeIndex() int {
	i := 0
	for i < p.trail.len() && (p.trail.at(i) < p.regime || p.trail.at(i) < p.behind && i < p.trail.len()-3) {
		i++
	}
	return i
}

// fitter fits lines to the newest part of a trail. A pair is fitted at every poll, and many lines
// are tried: x and y are the trail's times after the newest and its positions, converted once.
type fitter struct {
	trail  *trail
	swings *swings
	poll   model.Millis
	wait   float64 // between commits, no less than a poll
	x, y   [maxTrail]float64
}

// open takes in the trail from an index on.
func (f *fitter) open(first int) {
	t := f.trail
	for i := first; i < t.len(); i++ {
		f.x[i], f.y[i] = float64(t.after[i]-t.after[t.n-1]), float64(t.position(i))
	}
}

// base is the start of the shortest stretch a line is laid through: three positions, and the
// given time.
func (f *fitter) base(first int, span model.Millis) int {
	i := max(first, f.trail.len()-3)
	for i > first && f.span(i) < float64(span) {
		i--
	}
	return i
}

func (f *fitter) span(i int) float64 {
	return float64(f.trail.after[f.trail.len()-1] - f.trail.after[i])
}

// slack is how far off a position may be for no other reason than when it was committed and when
// that was seen.
func (f *fitter) slack() float64 { return 0.65*f.wait + 0.6*float64(f.poll) }

// steady tells whether the group kept one pace from a position on: no position is off the line by
// more than the slack, or of no span is its speed lately further from that of the whole than the
// usual ups and downs explain.
func (f *fitter) steady(first int) bool {
	l := f.leastSquares(first)
	if f.near(l, first, l.perMs*f.slack()) {
		return true
	}
	tip, position := f.trail.last()
	whole := float64(position-f.trail.position(first)) / f.span(first)
	for k := range swingScales {
		span := f.swings.span(k, f.poll)
		if float64(span) < 3*f.wait || 2*float64(span) > f.span(first) {
			continue
		}
		lately := (float64(position) - f.trail.where(tip.Add(-span), first)) / float64(span)
		usual := 2.5*f.swings.of(float64(span), f.poll)*whole + whole*f.slack()/float64(span)
		if math.Abs(lately-whole) > usual {
			return false
		}
	}
	return f.trail.len()-first >= 8
}

// line is the straight line from a position on, with the error of its speed: what the scatter of
// the positions leaves open, and the ups and downs of the speed itself. It goes through the
// newest positions: those ups and downs have made it as fast or slow as they have.
func (f *fitter) line(first int) line {
	l := f.leastSquares(first)
	l.stdErr = f.slopeError(l, first)
	if n := f.trail.len() - first; n >= 8 {
		l.position += f.newest(l)
	}
	least := 0.3 * l.perMs * f.wait / max(f.span(first), 1)
	l.stdErr = math.Hypot(max(l.stdErr, least), l.perMs*f.swings.of(max(f.span(first), 1), f.poll))
	return l
}

// newest is how far the last four positions are off a line on average.
func (f *fitter) newest(l line) float64 {
	sum := 0.0
	for i := f.trail.len() - 4; i < f.trail.len(); i++ {
		sum += f.off(l, i)
	}
	return sum / 4
}

func (f *fitter) off(l line, i int) float64 { return f.y[i] - (l.position + l.perMs*f.x[i]) }

// near tells whether no position from an index on is further off a line than that.
func (f *fitter) near(l line, i int, most float64) bool {
	for ; i < f.trail.len(); i++ {
		if math.Abs(f.off(l, i)) > most {
			return false
		}
	}
	return true
}

func (f *fitter) leastSquares(first int) line {
	n := f.trail.len()
	tip, y := f.trail.at(n-1), f.y[n-1]
	var st, sc, stt, stc float64
	for i := first; i < n; i++ {
		x, c := f.x[i], f.y[i]-y
		st, sc, stt, stc = st+x, sc+c, stt+x*x, stc+x*c
	}
	m := float64(n - first)
	slope := max(0, (stc-st*sc/m)/(stt-st*st/m))
	return line{at: tip, position: y + (sc-slope*st)/m, perMs: slope}
}

// slopeError is the error of a line's slope by how far the positions are off it.
func (f *fitter) slopeError(l line, first int) float64 {
	m := float64(f.trail.len() - first)
	if m < 3 {
		return l.perMs
	}
	var off, st, stt float64
	for i := first; i < f.trail.len(); i++ {
		e, x := f.off(l, i), f.x[i]
		off, st, stt = off+e*e, st+x, stt+x*x
	}
	return math.Sqrt(off / (m - 2) / (stt - st*st/m))
}
