package predictor

import (
	"math"
	"slices"

	"kafka-retention-exporter/model"
)

const maxRuns = 6

// runs are the spells in which a group worked, parted by pauses with something to read: no more than
// maxRuns of them, the newest last. Most groups never pause, and have one.
type runs []run

type run struct {
	start    model.Instant // the poll that first saw it advance
	length   int32         // milliseconds until the last advance; unwatched where nobody watched
	advances int32
}

// unwatched is the length of a run of which only the end is known.
const unwatched = -1

// ended takes in that a run ended before the watch.
func (r *runs) ended(at model.Instant) { r.add(run{start: at, length: unwatched, advances: 2}) }

// advance takes in that the group advanced, parted from the advance before or not.
func (r *runs) advance(at model.Instant, parted bool) {
	if len(*r) == 0 || parted {
		r.add(run{start: at, advances: 1})
		return
	}
	last := &(*r)[len(*r)-1]
	last.length = int32(min(at.Sub(last.start), math.MaxInt32))
	last.advances = min(last.advances+1, math.MaxInt32-1)
}

func (r *runs) add(one run) {
	if len(*r) == maxRuns {
		copy(*r, (*r)[1:])
		*r = (*r)[:maxRuns-1]
	}
	*r = append(*r, one)
}

// nth is the i-th run before the newest.
func (r runs) nth(i int) run { return r[len(r)-1-i] }

// gap is from the beginning of a run to that of the one after it, the i-th before the newest. Of one that nobody
// watched the end is known: it is taken to have been as long as the one that came after it.
func (r runs) gap(i int) model.Millis {
	run, before := r.nth(i), r.nth(i+1)
	gap := run.start.Sub(before.start)
	if before.length == unwatched && run.length != unwatched {
		gap += model.Millis(run.length)
	}
	return gap
}

// rhythm is how a group works that works in runs, such as a nightly job.
type rhythm struct {
	last            model.Instant // when the newest run began
	period, longest model.Millis  // from the beginning of a run to the next
}

// rhythm finds a period in the newest runs: at least three, most of them with more than one
// advance (one advance a run is a long wait between commits), working less than half the time,
// and at regular intervals, of which some may be a multiple where a run was skipped.
func (r runs) rhythm() (rhythm, bool) {
	n := len(r)
	if n < 3 {
		return rhythm{}, false
	}
	var gaps [maxRuns - 1]model.Millis
	var working model.Millis
	long, over, watched := 0, n, 0
	if r.nth(0).advances == 1 { // it has only just begun
		over--
	}
	for i := range n {
		run := r.nth(i)
		if run.length != unwatched {
			working += model.Millis(run.length)
			watched++
		}
		if run.advances > 1 {
			long++
		}
		if i < n-1 {
			gaps[i] = r.gap(i)
		}
	}
	period, longest, ok := regular(gaps[:n-1])
	if !ok || 2*long <= over || 2*working >= model.Millis(watched)*period {
		return rhythm{}, false
	}
	return rhythm{r.nth(0).start, period, longest}, true
}

// supposed is the period that only two runs tell of, or two and the end of one before the watch. That may be
// chance: it is for a group of which more is known that makes it a job. Neither run took more than an eighth
// of it.
func (r runs) supposed() (rhythm, bool) {
	n := len(r)
	if n != 2 && (n != 3 || r.nth(2).length != unwatched) {
		return rhythm{}, false
	}
	period := r.gap(0)
	for i := range 2 {
		if one := r.nth(i); one.advances < 2 || 8*model.Millis(one.length) > period {
			return rhythm{}, false
		}
	}
	return rhythm{r.nth(0).start, period, period}, true
}

// mostSkipped is the largest multiple of the usual gap that may be runs which were skipped. Any longer
// pause is close to some multiple of a short one: a stall would be taken for a rhythm.
const mostSkipped = 3

// regular is the usual and the longest of gaps of which some may be a multiple of the usual one.
// ok is false unless two thirds of them, and no less than two of those that are no multiple, are
// within a quarter of it.
func regular(gaps []model.Millis) (usual, longest model.Millis, ok bool) {
	slices.Sort(gaps)
	usual = gaps[(len(gaps)-1)/2]
	if usual <= 0 {
		return 0, 0, false
	}
	fit, single := 0, 0
	for i, gap := range gaps {
		times := max(1, (gap+usual/2)/usual)
		gap /= times
		gaps[i] = gap
		if off := gap - usual; max(off, -off) > usual/4 || times > mostSkipped {
			continue
		}
		fit++
		longest = max(longest, gap)
		if times == 1 {
			single++
		}
	}
	slices.Sort(gaps)
	return gaps[(len(gaps)-1)/2], longest, single >= 2 && 3*fit >= 2*len(gaps)
}
