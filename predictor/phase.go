package predictor

import "kafka-retention-exporter/model"

// phase learns when within its check interval a broker runs its passes. LogManager schedules
// kafka-log-retention at a fixed rate on a monotonic clock, so that every step of every log
// start it leads happens at the same remainder; only a restart moves it.
type phase struct {
	period model.Millis
	votes  []interval // of the remainders, the newest last
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

// step takes in that a pass happened after the first and not after the second instant.
func (f *phase) step(period model.Millis, after, until model.Instant) {
	if period != f.period {
		f.period, f.votes = period, nil
	}
	width := until.Sub(after)
	if period <= 0 || width <= 0 || width >= period {
		return
	}
	f.votes = append(f.votes, interval{remainder(after, period), width})
	if len(f.votes) > maxVotes {
		f.votes = append(f.votes[:0], f.votes[1:]...)
	}
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

// middle is the middle of the remainders that most votes agree on; ok is false with less than
// three votes or where they agree on no more than half a period.
func (f *phase) middle() (model.Millis, bool) {
	if len(f.votes) < 3 {
		return 0, false
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
	if best*3 < len(f.votes)*2 || width*2 > f.period {
		return 0, false
	}
	return wrap(from+width/2, f.period), true
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
