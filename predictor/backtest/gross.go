package main

import (
	"fmt"
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/track"
)

// gross is how far the deadlines of an episode were off where the oracle's were not: what may be
// put right.
type gross struct {
	family  string
	episode int
	seed    int64
	rule    track.Rule
	excess  float64 // mean of the error beyond the oracle's, in shares of R
	most    float64
	at      model.Millis // of the largest, since the first poll
}

// grossKept is how many episodes are listed.
const grossKept = 12

// coldPolls are left out: what is to be learned is not known yet.
const coldPolls = 5

func grossOf(t *track.Track) gross {
	g := gross{family: t.Family, episode: t.Episode, seed: t.Seed, rule: t.Rule}
	n := 0
	for i := range t.Polls {
		p := &t.Polls[i]
		real, ok := p.Gone.Get()
		state, _ := p.Said.State.Get()
		if i < coldPolls || !ok || real <= p.At || state == predictor.Lost || t.Compacts || t.Disturbed(p.At, real) {
			continue
		}
		said, known := p.Said.Stopped.Get()
		oracle, _ := p.Knowing.Stopped.Get()
		if !known || said == model.Forever && blocked(t) { // +Inf is what a future stamp calls for
			continue
		}
		excess := share(t, said, real) - share(t, oracle, real)
		g.excess += max(0, excess)
		n++
		if excess > g.most {
			g.most, g.at = excess, p.At.Sub(t.Polls[0].At)
		}
	}
	g.excess /= float64(max(1, n))
	return g
}

func blocked(t *track.Track) bool {
	return slices.ContainsFunc(t.Events, func(e track.Event) bool { return e.Cause == track.FutureStamp })
}

// share is how far apart two instants are, in retentions, ten at most.
func share(t *track.Track, a, b model.Instant) float64 {
	return min(10, float64(max(a.Sub(b), b.Sub(a)))/float64(t.Retention))
}

// worst keeps those that are furthest off.
func worst(all []gross) []gross {
	slices.SortStableFunc(all, func(a, b gross) int {
		switch {
		case a.excess > b.excess:
			return -1
		case a.excess < b.excess:
			return 1
		}
		return 0
	})
	return all[:min(len(all), grossKept)]
}

// String tells where to look.
func (g gross) String() string {
	return fmt.Sprintf("%s/%d seed %d: rule %s, deadlines off by %.3f R more than the oracle's, by %.3f R at most, %.1f s after the first poll",
		g.family, g.episode, g.seed, map[track.Rule]string{track.ByTime: "time", track.BySize: "size", track.ByBoth: "both"}[g.rule], g.excess, g.most, float64(g.at)/1000)
}
