package committed

import (
	"slices"

	"kafka-retention-exporter/model"
)

// commit is one position of a pair.
type commit struct {
	offset  model.Offset
	first   model.Instant // when it was committed for the first time
	at      model.Instant // and the last, which is what counts for expiry
	expires model.Maybe[model.Instant]
	wait    model.Maybe[model.Millis] // from the position before to this one
	begins  bool                      // it came after a pause, and the next one soon after it
}

// How many positions of a pair are kept, before and after its way was told.
const (
	maxKept = 12
	recent  = 2
)

// history is the newest positions of a pair, oldest first.
type history struct {
	partition int32 // of the topic
	told      bool
	commits   []commit
}

// add takes in a commit. The same position again only has a new instant.
func (h *history) add(c commit) {
	c.first = c.at
	if n := len(h.commits); n > 0 {
		last := &h.commits[n-1]
		if last.offset == c.offset {
			last.at, last.expires = c.at, c.expires
			return
		}
		wait := max(0, c.at.Sub(last.first))
		c.wait = model.Known(wait)
		before, ok := last.wait.Get()
		last.begins = ok && before > pause*wait
	}
	h.commits = append(h.commits, c)
	switch n := len(h.commits); {
	case h.told && n > recent:
		h.drop(0)
	case n > maxKept:
		h.drop(h.leastTelling())
	}
}

func (h *history) drop(i int) { h.commits = slices.Delete(h.commits, i, i+1) }

// A position that a run begins with, which came after a wait of so many times the next one, tells so many times
// as much: of a job that works now and then they are its rhythm.
const (
	pause      = 4
	startsTell = 8
)

// leastTelling is the one of the older ones whose neighbours are closest, in proportion to its age.
func (h *history) leastTelling() int {
	last := len(h.commits) - 1
	best, least := 1, 0.0
	for i := 1; i < last-recent; i++ {
		age := float64(max(1, h.commits[last].first.Sub(h.commits[i].first)))
		gap := float64(h.commits[i+1].first.Sub(h.commits[i-1].first)) / age
		if h.commits[i].begins {
			gap *= startsTell
		}
		if i == 1 || gap < least {
			best, least = i, gap
		}
	}
	return best
}

// find is the newest commit of a position.
func (h *history) find(offset model.Offset) (_ commit, ok bool) {
	for _, c := range slices.Backward(h.commits) {
		if c.offset == offset {
			return c, true
		}
	}
	return commit{}, false
}

// tell gives the way and keeps only its end.
func (h *history) tell() []model.Passed {
	way := make([]model.Passed, 0, len(h.commits))
	for _, c := range h.commits {
		way = append(way, model.Passed{At: c.first, Offset: c.offset, Wait: c.wait})
	}
	h.told = true
	h.commits = slices.Clone(h.commits[max(0, len(h.commits)-recent):])
	return way
}
