package predictor

import "kafka-retention-exporter/model"

// phase learns when within its check interval a broker runs its passes. LogManager schedules
// kafka-log-retention at a fixed rate on a monotonic clock, so that every step of every log
// start it leads happens at the same remainder; only a restart moves it.
type phase struct {
	period model.Millis
	votes  []interval // of the remainders, the newest last
	// agreed is the plateau of the votes, once it was asked for: every pair asks, and to find it is
	// as many steps as the square of the votes.
	agreed model.Maybe[plateau]
	// misses is at how many polls in a row log starts moved when no pass was expected, missed the
	// last of them.
	misses int
	missed model.Instant
}

// phases is the phase of each broker.
type phases map[model.BrokerID]*phase

func (f phases) of(b model.BrokerID) *phase {
	if f[b] == nil {
		f[b] = &phase{}
	}
	return f[b]
}

// interval is a stretch of remainders [from, from+width), both below the period.
type interval struct{ from, width model.Millis }

const maxVotes = 64

// mostMisses is after how many polls in a row that contradict it a phase is given up: the broker
// was restarted.
const mostMisses = 3

// step takes in that a pass happened after the first and not after the second instant. A step that
// was seen too late to tell the phase may still contradict it.
func (f *phase) step(period model.Millis, after, until model.Instant) {
	if period != f.period {
		*f = phase{period: period}
	}
	width := until.Sub(after)
	if period <= 0 || width <= 0 || width >= period {
		return
	}
	vote := interval{remainder(after, period), width}
	if f.contradicts(vote, until); width*2 > period {
		return
	}
	f.vote(vote)
}

// vote takes one in, and lets go of the oldest where there are too many.
func (f *phase) vote(v interval) {
	f.votes, f.agreed = append(f.votes, v), model.Maybe[plateau]{}
	if len(f.votes) > maxVotes {
		f.votes = append(f.votes[:0], f.votes[1:]...)
	}
}

// contradicts counts the polls in a row whose steps the phase does not explain.
func (f *phase) contradicts(vote interval, at model.Instant) {
	known, ok := f.plateau()
	switch {
	case !ok || vote.overlaps(known, f.period):
		f.misses = 0
	case f.misses == 0 || at != f.missed:
		f.misses, f.missed = f.misses+1, at
		if f.misses >= mostMisses {
			f.votes, f.misses, f.agreed = nil, 0, model.Maybe[plateau]{}
		}
	}
}

func (v interval) overlaps(w interval, period model.Millis) bool {
	return wrap(w.from-v.from, period) < v.width || wrap(v.from-w.from, period) < w.width
}

// next is the first pass at or after t. While the phase is not sharp that is half a period on,
// the mean wait.
func (f *phase) next(t model.Instant, period model.Millis) model.Instant {
	middle, ok := f.middle()
	if !ok || period != f.period {
		return t.Add(period / 2)
	}
	return t.Add(wrap(middle-remainder(t, period), period))
}

// middle is the middle of the remainders that most votes agree on; ok is false while the phase is
// not sharp.
func (f *phase) middle() (model.Millis, bool) {
	known, ok := f.plateau()
	if !ok {
		return 0, false
	}
	return wrap(known.from+known.width/2, f.period), true
}

// over is the first instant after t at which a pass has certainly ended, give or take a hundredth
// of a period for the pass itself; ok is false while the phase is not sharp.
func (f *phase) over(t model.Instant, period model.Millis) (at model.Instant, ok bool) {
	known, ok := f.plateau()
	if !ok || period != f.period {
		return 0, false
	}
	end := known.from + known.width + period/100
	return t.Add(1 + wrap(end-remainder(t, period)-1, period)), true
}

// plateau is a stretch of remainders, sharp if it can be gone by.
type plateau struct {
	interval
	sharp bool
}

// plateau is the remainders that most votes agree on; ok is false with less than three votes or
// where they agree on no more than half a period.
func (f *phase) plateau() (interval, bool) {
	known, ok := f.agreed.Get()
	if !ok {
		known = f.agree()
		f.agreed = model.Known(known)
	}
	return known.interval, known.sharp
}

func (f *phase) agree() plateau {
	if len(f.votes) < 3 {
		return plateau{}
	}
	best, from, width := 0, model.Millis(0), model.Millis(0)
	for _, v := range f.votes { // the plateau begins where some vote begins
		count, end := 0, f.period
		for _, w := range f.votes {
			if into := wrap(v.from-w.from, f.period); into < w.width {
				count++
				end = min(end, w.width-into)
			}
		}
		if count > best {
			best, from, width = count, v.from, end
		}
	}
	return plateau{interval{from, width}, best*3 >= len(f.votes)*2 && width*2 <= f.period}
}

func remainder(t model.Instant, period model.Millis) model.Millis {
	return wrap(model.Millis(t), period)
}

func wrap(d, period model.Millis) model.Millis {
	if d %= period; d < 0 {
		d += period
	}
	return d
}
