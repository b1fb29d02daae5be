package baseline

import "kafka-retention-exporter/model"

// window keeps the samples of a span of time, and the sums that a least squares line needs. A
// sample costs constant time: the sums are only taken anew when half of what is kept is old,
// which also keeps rounding from adding up.
type window struct {
	span model.Millis
	kept []sample
	old  int // how many of kept have left the window
	same int // how many of the newest have one value

	from         sample // what the sums are relative to
	x, y, xx, xy float64
}

type sample struct {
	at    model.Instant
	value float64
}

// add takes a sample and drops those that are no longer younger than the span.
func (w *window) add(at model.Instant, value float64) {
	if n := len(w.kept); n > w.old && w.kept[n-1].value == value {
		w.same++
	} else {
		w.same = 1
	}
	if len(w.kept) == w.old {
		w.from = sample{at, value}
	}
	w.kept = append(w.kept, sample{at, value})
	w.sum(sample{at, value}, 1)
	for at.Sub(w.kept[w.old].at) > w.span {
		w.sum(w.kept[w.old], -1)
		w.old++
	}
	if w.old > len(w.kept)/2 {
		w.again()
	}
}

func (w *window) sum(s sample, sign float64) {
	x, y := float64(s.at.Sub(w.from.at)), s.value-w.from.value
	w.x += sign * x
	w.y += sign * y
	w.xx += sign * x * x
	w.xy += sign * x * y
}

// again lets go of old samples and takes the sums anew.
func (w *window) again() {
	w.kept = w.kept[:copy(w.kept, w.kept[w.old:])]
	w.old, w.from = 0, w.kept[0]
	w.x, w.y, w.xx, w.xy = 0, 0, 0, 0
	for _, s := range w.kept {
		w.sum(s, 1)
	}
}

// first is the oldest sample.
func (w *window) first() sample { return w.kept[w.old] }

// line is the least squares line: its value at an instant and its slope per millisecond. Two
// samples make one. Values that are all the same have slope 0 exactly, as in Prometheus.
func (w *window) line(at model.Instant) (level, slope float64, ok bool) {
	n := len(w.kept) - w.old
	if n < 2 {
		return 0, 0, false
	}
	if w.same >= n {
		return w.kept[w.old].value, 0, true
	}
	count := float64(n)
	slope = (count*w.xy - w.x*w.y) / (count*w.xx - w.x*w.x)
	level = (w.y-slope*w.x)/count + slope*float64(at.Sub(w.from.at)) + w.from.value
	return level, slope, true
}
