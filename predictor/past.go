package predictor

import (
	"sort"

	"kafka-retention-exporter/model"
)

// How finely the past of a partition's bytes is kept: where records live for a day in steps of half an
// hour, no more than an hour, for nearly two days.
const (
	pastSteps  = 88
	pastStep   = model.Millis(1_800_000)
	pastByLife = 16 // a step is no more than this part of what the log holds
	pastLives  = 4  // of what the limit holds are kept at least, as long as steps need not be longer for it
	pastFresh  = 12 // polls in which the log's own history is still being read
)

// past is the bytes that came, by time, under retention.bytes: what was watched, and before the watch
// what the stamps of the log's records tell. It shows what came a season ago (season.go), and how far
// off the same forecast would have been at past instants (spread.go).
type past struct {
	step  model.Millis
	first model.Instant // of totals
	// totals are what had come by each step, less origin, in the count of the byte curve; tip is what had
	// by until. There are many: they are kept to a ten millionth.
	totals []float32
	origin float64
	tip    float64
	until  model.Instant
	odds   odds
}

// notePast takes in the newest size. In the first polls, in which the log's history is being read, it
// begins anew with each.
func (p *partition) notePast(set model.Settings) {
	limit, sized := set.SizeLimit()
	total, at, seen := p.volume.Last()
	if !sized || !seen {
		p.past = nil
		return
	}
	switch q := p.past; {
	case q == nil, p.volume.Span() <= pastFresh*p.poll, float64(total) < q.tip:
		p.past = p.readPast(set)
	default:
		q.add(at, float64(total))
	}
	p.past.reckon(float64(limit))
}

// readPast begins one with what the log itself tells of the time before the watch.
func (p *partition) readPast(set model.Settings) *past {
	began, total, _ := p.volume.First()
	oldest, known := p.times.FirstPoint()
	from := began
	if known && oldest.Stamp < began {
		from = oldest.Stamp
	}
	held := max(p.history(set), began.Sub(from))
	q := &past{step: min(max(held/pastByLife, p.poll), pastStep), totals: make([]float32, 0, pastSteps)}
	from = max(from, began.Add(-(pastSteps-pastFresh)*q.step))
	q.first, q.until = from, from
	for t := from; ; t = t.Add(q.step) {
		o, ok := p.times.Reached(t)
		if !ok || t >= began {
			break
		}
		bytes, _ := p.bytes.At(model.Offset(o))
		q.until, q.tip = t, min(float64(bytes), float64(total))
		q.append(q.tip)
	}
	if len(q.totals) == 0 {
		q.first, q.until, q.tip = began, began, float64(total)
		q.append(q.tip)
	}
	q.add(began, float64(total))
	last, at, _ := p.volume.Last()
	q.add(at, float64(last))
	return q
}

// add takes in what had come by an instant: evenly since the one before.
func (q *past) add(at model.Instant, total float64) {
	if at <= q.until {
		return
	}
	rate := (total - q.tip) / float64(at.Sub(q.until))
	for next := q.edge(len(q.totals)); next <= at; next = q.edge(len(q.totals)) {
		by := q.tip + rate*float64(next.Sub(q.until))
		if len(q.totals) == pastSteps {
			if q.forget(); q.edge(len(q.totals)) > next {
				continue
			}
		}
		q.append(by)
	}
	q.until, q.tip = at, total
}

func (q *past) append(total float64) {
	if len(q.totals) == 0 {
		q.origin = total
	}
	q.totals = append(q.totals, float32(total-q.origin))
}

func (q *past) total(i int) float64 { return q.origin + float64(q.totals[i]) }

// forget makes room: of what does not reach back for pastLives times the limit every other step goes,
// else the oldest one.
func (q *past) forget() {
	if q.step > pastStep || q.tip-q.total(0) >= pastLives*q.odds.limit {
		gone := q.totals[1]
		for i := range pastSteps - 1 {
			q.totals[i] = q.totals[i+1] - gone
		}
		q.totals, q.first, q.origin = q.totals[:pastSteps-1], q.first.Add(q.step), q.origin+float64(gone)
		return
	}
	for i := range pastSteps / 2 {
		q.totals[i] = q.totals[2*i]
	}
	q.totals, q.step = q.totals[:pastSteps/2], 2*q.step
}

func (q *past) edge(i int) model.Instant { return q.first.Add(q.step * model.Millis(i)) }

// at is what had come by an instant that it reaches back to.
func (q *past) at(t model.Instant) float64 {
	i := min(int(t.Sub(q.first)/q.step), len(q.totals)-1)
	if t <= q.first || i < 0 {
		return q.total(0)
	}
	from, a, up, b := q.edge(i), q.total(i), q.until, q.tip
	if i+1 < len(q.totals) {
		up, b = q.edge(i+1), q.total(i+1)
	}
	if t >= up || up <= from {
		return b
	}
	return a + (b-a)*float64(t.Sub(from))/float64(up.Sub(from))
}

// when is when so much had come; ok is false where that was before it reaches back to, or has not yet.
func (q *past) when(total float64) (t model.Instant, ok bool) {
	i := sort.Search(len(q.totals), func(i int) bool { return q.total(i) >= total })
	switch {
	case i == 0 || total > q.tip:
		return q.first, i == 0 && q.total(0) == total
	case i == len(q.totals):
		a, from := q.total(i-1), q.edge(i-1)
		if q.tip <= a {
			return q.until, true
		}
		return from.Add(model.Millis(float64(q.until.Sub(from)) * (total - a) / (q.tip - a))), true
	}
	a, b := q.total(i-1), q.total(i)
	return q.edge(i - 1).Add(model.Millis(float64(q.step) * (total - a) / (b - a))), true
}
