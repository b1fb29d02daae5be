package score

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"kafka-retention-exporter/predictor/backtest/track"
)

// keep is how many episodes of a family under a rule are kept: the first ones, and then each
// with the chance that makes all equally likely.
const keep = 400

// Scorer judges tracks one by one.
type Scorer struct {
	seed  int64
	trial *trial
	books map[bookKey]*book
}

type bookKey struct {
	tuned  bool
	axis   track.Axis
	family string
	rule   track.Rule
}

// book is what is known of a family under a rule.
type book struct {
	bookKey
	rng    *rand.Rand
	seen   int
	kept   []*episode
	floors []floorTally // of all episodes, of a player
	broken int          // episodes with a promise of ours that was broken without a cause
	breaks []Break
}

// Break is an episode in which the forecast's promise was broken without a cause. It is to be
// played again.
type Break struct {
	Family  string
	Rule    track.Rule
	Episode int
	Seed    int64
	// By is how late the worst was, as a share of R, and After when it was promised, in shares of R
	// from the first poll.
	By, After float64
}

// breaksKept is how many a family tells of.
const breaksKept = 5

// New begins a score. The seed is that of the bootstrap.
func New(seed int64) *Scorer { return NewOf(seed, Daily()) }

// NewOf is New with other distances of the truth for Near, Mid and Far.
func NewOf(seed int64, ranges Ranges) *Scorer {
	return &Scorer{seed: seed, trial: newTrial(ranges), books: map[bookKey]*book{}}
}

// Add judges a track.
func (s *Scorer) Add(t *track.Track) {
	if len(t.Polls) == 0 {
		return
	}
	key := bookKey{t.Tuned, t.Axis, t.Family, t.Rule}
	b := s.books[key]
	if b == nil {
		b = &book{bookKey: key, rng: rand.New(rand.NewPCG(uint64(s.seed), uint64(t.Rule))), floors: make([]floorTally, len(s.trial.players))}
		s.books[key] = b
	}
	b.add(s.trial.judge(t), t)
}

func (b *book) add(e *episode, t *track.Track) {
	for i := range e.floors {
		b.floors[i].add(&e.floors[i])
	}
	if own := e.floors[0]; own.late > 0 {
		b.broken++
		if len(b.breaks) < breaksKept {
			after := float64(own.at.Sub(t.Polls[0].At)) / float64(t.Retention)
			b.breaks = append(b.breaks, Break{t.Family, t.Rule, t.Episode, t.Seed, own.worst, after})
		}
	}
	b.seen++
	if len(b.kept) < keep {
		b.kept = append(b.kept, e)
		return
	}
	if i := b.rng.IntN(b.seen); i < keep {
		b.kept[i] = e
	}
}

// ordered lists the books of one half, by axis, family and rule.
func (s *Scorer) ordered(tuned bool) []*book {
	var all []*book
	for _, b := range s.books {
		if b.tuned == tuned {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(a, b *book) int {
		return cmp.Or(cmp.Compare(a.axis, b.axis), cmp.Compare(a.family, b.family), cmp.Compare(a.rule, b.rule))
	})
	return all
}
