package predictor

import "kafka-retention-exporter/model"

// proof is what the steps of the log start showed of the fences: that segments end by the settings that are
// told, and that the base from which fences are laid is one. A step into a fence that covers a third of the
// stride to it would be there by chance once in three times; one such step after the other leaves little to
// chance.
type proof struct {
	holds bool
	// odds are that all steps since the last one beside the fences hit them by chance: 0 is of none.
	odds float64
	// vague is that the last step could have ended nearly anywhere: until the next size tells that retention
	// made it (deleted.go), DeleteRecords may have.
	vague bool
}

// What share of the stride to it a fence covers that tells little, and that is taken for none.
const (
	vagueShare = 0.5
	leastShare = 1.0 / 1024
)

// How unlikely it must be that the fences were hit by chance: from a base that retention set, and from one
// that is only believed to be a base, which is proven by it as well: from anywhere else the rules would lead
// to a log start that is as close only by chance.
const (
	oddsOfBase  = 1.0 / 4
	oddsOfGuess = 1.0 / 16
	mostDoubt   = 16 // how much more is asked for at most after steps beside the fences
)

// hit takes in a step into a fence of a width, so far from the one before.
func (f *proof) hit(width, stride model.Offset, enough float64) {
	share := float64(width) / float64(max(1, stride))
	f.odds, f.vague = f.doubt()*min(1, max(share, leastShare)), share > vagueShare
	f.holds = f.holds || f.odds <= enough
}

// miss takes in a step beside all fences: the more of them there were, the more it takes to believe again.
func (f *proof) miss() {
	*f = proof{odds: min(max(1, f.doubt())*4, mostDoubt)}
}

// drop forgets what was proven, of a log to which other rules apply.
func (f *proof) drop() { *f = proof{} }

func (f *proof) doubt() float64 {
	if f.odds == 0 {
		return 1
	}
	return f.odds
}

// verify compares where retention left the log start with the fences. A start beyond them does not count.
func (p *partition) verify(start model.Offset) {
	if len(p.chain.bases) == 0 {
		return
	}
	enough := oddsOfBase
	if !p.chain.exact {
		enough = oddsOfGuess
	}
	var walk survey
	walk.from(p, p.chain.bases[0])
	fences := walk.reach(start)
	if len(fences) == 0 { // the base below is gone, as after DeleteRecords: what this start is, nobody can tell
		p.proof.drop()
	}
	for i := 1; i < len(fences); i++ {
		switch f := fences[i]; {
		case start < f.lo:
			p.proof.miss()
			return
		case start <= f.hi:
			p.proof.hit(f.hi-f.lo, f.lo-fences[i-1].hi, enough)
			if by, ok := f.rolled.Get(); ok && i == 1 {
				p.burst.age(start, by)
			}
			return
		}
	}
	p.proof.vague = true
}

// surveys tells whether the fences are proven.
func (p *partition) surveys() bool {
	return p.proof.holds && !(p.proof.vague && p.suspect != nil)
}
