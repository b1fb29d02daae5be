package score

import (
	"slices"
	"time"
)

// Span is a stretch of time, without its end.
type Span struct{ From, To time.Time }

// Fate is what became of a pair while nobody acted.
type Fate struct {
	Pair      string
	Losses    []time.Time // when the log start passed the position, oldest first
	Surprises []time.Time // when something happened that nobody could foresee, oldest first
}

// Run is a stretch of time in which alerts were evaluated.
type Run struct {
	From, To time.Time
	Scale    float64 // of its time: its retention over a day
	Fates    []Fate
}

// Alarms are when a rule set fired, by pair.
type Alarms map[string][]Span

// Terms are by what a rule set is judged, at scale 1.
type Terms struct {
	Horizon time.Duration // how near the loss is that it announces
	Notice  time.Duration // the least lead that is of use
}

// Figures are the score of a rule set.
type Figures struct {
	Episodes int // pairs that lost records, foreseeably
	Recalled int // of these, announced in time
	Flaps    int // firings of episodes beyond their first, up to the loss

	Right, Early, False int // firings that could be judged
	Open                int // firings of which the run's end or a surprise left open what would have followed
	After               int // firings that began after the first loss

	Leads []time.Duration // of the recalled, at scale 1
	Days  float64         // that all pairs together were watched, at scale 1
}

// Of scores a rule set over a run.
func Of(r Run, fired Alarms, t Terms) Figures {
	var f Figures
	for _, fate := range r.Fates {
		j := judge{run: r, fate: fate, horizon: r.scaled(t.Horizon), notice: r.scaled(t.Notice)}
		j.pair(&f, fired[fate.Pair])
	}
	f.Days = r.unscaled(r.To.Sub(r.From)).Hours() / 24 * float64(len(r.Fates))
	return f
}

// Pool adds up the scores of one rule set over several runs.
func Pool(all ...Figures) Figures {
	var sum Figures
	for _, f := range all {
		sum.Episodes += f.Episodes
		sum.Recalled += f.Recalled
		sum.Flaps += f.Flaps
		sum.Right += f.Right
		sum.Early += f.Early
		sum.False += f.False
		sum.Open += f.Open
		sum.After += f.After
		sum.Leads = append(sum.Leads, f.Leads...)
		sum.Days += f.Days
	}
	return sum
}

// Judged is how many firings count for the precision.
func (f Figures) Judged() int { return f.Right + f.Early + f.False }

// Recall is the share of episodes that were announced in time; 0 without episodes.
func (f Figures) Recall() float64 { return share(f.Recalled, f.Episodes) }

// Precision is the share of firings that were right; 0 without any.
func (f Figures) Precision() float64 { return share(f.Right, f.Judged()) }

// F1 is the harmonic mean of recall and precision.
func (f Figures) F1() float64 {
	if f.Right == 0 || f.Recalled == 0 {
		return 0
	}
	return 2 * f.Recall() * f.Precision() / (f.Recall() + f.Precision())
}

// FlapsEach are the flaps per episode.
func (f Figures) FlapsEach() float64 { return share(f.Flaps, f.Episodes) }

// Lead is a quantile of the leads; ok is false where nothing was recalled.
func (f Figures) Lead(q float64) (lead time.Duration, ok bool) {
	if len(f.Leads) == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(f.Leads))
	return sorted[int(q*float64(len(sorted)-1)+0.5)], true
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

func (r Run) scaled(d time.Duration) time.Duration   { return time.Duration(float64(d) * r.Scale) }
func (r Run) unscaled(d time.Duration) time.Duration { return time.Duration(float64(d) / r.Scale) }
