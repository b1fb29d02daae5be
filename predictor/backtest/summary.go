package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/track"
)

// summary is a first look at how good the forecasts were, by family.
type summary struct {
	names    []string
	families map[string]*familySum
	late     []string // floors that were late, the first of each episode
	gross    []gross
	log      io.Writer
}

type familySum struct {
	episodes, polls    int
	present, lates     int // lates: episodes with a late floor
	stopped, loss      [3]errors
	known, knownLoss   [3]errors // of the oracle
	tight              []float64
	states, right      int
	surged             int // floors that were late because more came than the ceiling
	lostTrue, lostSaid int64
	losses             int
}

type errors []float64

// ceiling is how many times the most bytes ever seen in a poll the size rule's floor stands on.
const ceiling = 1.5

// horizons are the edges of near, mid and far, as shares of the retention.
var horizons = [...]float64{0, 0.1, 0.3, 1}

// newSummary begins one that tells of late floors as soon as they are found.
func newSummary(log io.Writer) *summary {
	return &summary{families: map[string]*familySum{}, log: log}
}

func (s *summary) add(t *track.Track) {
	f := s.families[t.Family]
	if f == nil {
		f = &familySum{}
		s.families[t.Family] = f
		s.names = append(s.names, t.Family)
	}
	f.episodes++
	f.lostTrue += t.LostTrue
	f.lostSaid += t.LostSaid
	lates, losses := 0, 0
	for i := range t.Polls {
		p := &t.Polls[i]
		f.poll(p)
		if i%(1+len(t.Polls)/sampled) == 0 {
			f.sample(t, p)
		}
		if loss, ok := p.Loss.Get(); ok && loss != model.Forever {
			losses = 1
		}
		by, late := lateBy(t, p)
		surge, _ := p.Surge.Get()
		switch {
		case late && t.Rule != track.ByTime && surge > ceiling:
			f.surged++
		case late && lates == 0:
			lates = 1
			line := lateLine(t, i, by)
			fmt.Fprintln(s.log, line)
			s.late = append(s.late, line)
		}
	}
	f.lates += lates
	s.gross = worst(append(s.gross, grossOf(t)))
	f.losses += losses
}

func lateLine(t *track.Track, i int, by model.Millis) string {
	p := &t.Polls[i]
	surge, _ := p.Surge.Get()
	return fmt.Sprintf("%s/%d seed %d: rule %v, poll %d at %.1f s: floor late by %.3f s, surge %.2f", t.Family, t.Episode, t.Seed, ruleWords[t.Rule], i,
		float64(p.At.Sub(t.Polls[0].At))/1000, float64(by)/1000, surge)
}

var ruleWords = map[track.Rule]string{track.ByTime: "time", track.BySize: "size", track.ByBoth: "both"}

// unread is for how long a change of settings, or a topic created again, may not have shown: the
// collector reads both once a minute.
const unread = model.Millis(60_000)

// across tells that something nobody can foresee lies between a poll and an instant, or just before
// it and could not be seen yet.
func across(t *track.Track, from, to model.Instant) bool {
	return slices.ContainsFunc(t.Events, func(e track.Event) bool {
		since := from
		if e.Cause == track.ConfigChanged || e.Cause == track.Recreated {
			since = from.Add(-unread)
		}
		return e.At >= since && e.At <= to
	})
}

// lateBy is by how much a floor was later than the truth.
func lateBy(t *track.Track, p *track.Poll) (model.Millis, bool) {
	floor, ok := p.Said.Floor.Get()
	gone, happened := p.Gone.Get()
	if !ok || !happened || floor <= gone || isLost(p) || slices.Contains(p.States, predictor.Lost) {
		return 0, false
	}
	if across(t, p.At, gone) && !slices.ContainsFunc(t.Events, func(e track.Event) bool { return e.Cause == track.ProducerStopped }) {
		return 0, false
	}
	by := floor.Sub(gone)
	return by, by > max(t.Skew, -t.Skew) // the promise is one on the brokers' clock
}

func isLost(p *track.Poll) bool {
	state, _ := p.Said.State.Get()
	return state == predictor.Lost
}

func (f *familySum) poll(p *track.Poll) {
	f.polls++
	if p.Said.Floor.IsKnown() {
		f.present++
	}
	if state, ok := p.Said.State.Get(); ok && len(p.States) > 0 {
		f.states++
		if slices.Contains(p.States, state) {
			f.right++
		}
	}
}

// sampled is about how many polls of an episode the medians are taken over.
const sampled = 60

// sample measures the errors of a poll.
func (f *familySum) sample(t *track.Track, p *track.Poll) {
	if isLost(p) || slices.Contains(p.States, predictor.Lost) {
		return
	}
	f.measure(t, p, p.Said.Stopped, p.Gone, &f.stopped)
	f.measure(t, p, p.Knowing.Stopped, p.Gone, &f.known)
	f.measure(t, p, p.Said.Loss, p.Loss, &f.loss)
	f.measure(t, p, p.Knowing.Loss, p.Loss, &f.knownLoss)
	gone, ok := p.Gone.Get()
	floor, has := p.Said.Floor.Get()
	if ok && has && gone > p.At && !across(t, p.At, gone) {
		f.tight = append(f.tight, max(0, float64(floor.Sub(p.At))/float64(gone.Sub(p.At))))
	}
}

func (f *familySum) measure(t *track.Track, p *track.Poll, said, truth model.Maybe[model.Instant], to *[3]errors) {
	at, ok := said.Get()
	real, happened := truth.Get()
	if !ok || !happened || real == model.Forever || real <= p.At || across(t, p.At, real) {
		return
	}
	left := float64(real.Sub(p.At))
	share := left / float64(t.Retention)
	for i := range to {
		if share > horizons[i] && share <= horizons[i+1] {
			to[i] = append(to[i], min(9.99, math.Abs(float64(at.Sub(real)))/left))
		}
	}
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	slices.Sort(v)
	return v[len(v)/2]
}

func (s *summary) print(w io.Writer) {
	fmt.Fprintf(w, "%-22s %5s %7s %6s %6s %6s %6s %6s | %-20s | %-20s | %-20s | %-20s | %-6s %s\n", "family", "eps", "polls", "losses", "floor", "late", "surged", "tight",
		"stopped near mid far", "knowing", "loss near mid far", "knowing", "state", "lost true/said")
	for _, name := range s.names {
		f := s.families[name]
		fmt.Fprintf(w, "%-22s %5d %7d %6d %6.4f %6d %6d %6.3f | %6.3f %6.3f %6.3f | %6.3f %6.3f %6.3f | %6.3f %6.3f %6.3f | %6.3f %6.3f %6.3f | %6.4f %d/%d\n", name, f.episodes, f.polls, f.losses,
			float64(f.present)/float64(f.polls), f.lates, f.surged, median(f.tight),
			median(f.stopped[0]), median(f.stopped[1]), median(f.stopped[2]), median(f.known[0]), median(f.known[1]), median(f.known[2]),
			median(f.loss[0]), median(f.loss[1]), median(f.loss[2]), median(f.knownLoss[0]), median(f.knownLoss[1]), median(f.knownLoss[2]), float64(f.right)/float64(max(1, f.states)), f.lostTrue, f.lostSaid)
	}
	for _, line := range s.late {
		fmt.Fprintln(w, line)
	}
	for _, g := range s.gross {
		fmt.Fprintln(w, g)
	}
}
