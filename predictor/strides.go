package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// strides is how many offsets segments hold that end for no reason that can be read: their size is a
// hidden setting, their index is full, or nobody may read sizes, or does too rarely. It is learned from
// the steps of the log start from one base to another, held against each later one, and gone by only
// where it tells them clearly better than what the settings say. Floors do not stand on it.
type strides struct {
	offsets float64 // of one segment
	seen    int     // how many steps it was learned from
	joint   int     // how many of the last ones were several segments long
	// off is how far off the bases were lately that it told, in shares of a segment, and stated how
	// far off those were that the settings told.
	off, stated float64
}

const (
	// strays is how far off a base may be, in shares of a segment, that was told right.
	strays = 0.2
	// hopeless is how far off those are that the settings told where nothing is known of what ends segments:
	// bytes that were not seen to come are a smaller fault, and steps tell less of those than sizes do.
	hopeless = 0.5
	// mostJoint is after how many steps of several segments those are taken for one.
	mostJoint = 3
	// strideMemory is how many steps the means are taken of.
	strideMemory = 4
)

// long is how many offsets a segment is taken to have; ok is false where the settings are gone by.
func (l *strides) long() (model.Offset, bool) {
	if l == nil || l.seen < 2 || l.stated <= hopeless || 4*l.off >= l.stated {
		return 0, false
	}
	return model.Offset(math.Round(l.offsets)), true
}

// teach takes in a step of the log start from a base to a base.
func (p *partition) teach(to model.Offset, now model.Instant) {
	g, ok := p.ground(now)
	from, exact := p.chain.exactBase()
	if !ok || !exact || from >= to || p.chain.whole || g.settings.Tiered {
		return
	}
	g.long = 0
	stated, known := p.chain.strays(g, to)
	if p.strides == nil {
		if !known || stated <= strays {
			return
		}
		p.strides = &strides{stated: stated}
	}
	p.strides.check(&p.chain, g, to, stated, known)
	if known && stated > strays {
		p.strides.learn(float64(to - from))
	}
}

// check holds a step against what was learned, and against what the settings tell if that is known.
func (l *strides) check(c *chain, g ground, to model.Offset, stated float64, known bool) {
	if l.seen == 0 {
		return
	}
	g.long = max(1, model.Offset(math.Round(l.offsets)))
	off, told := c.strays(g, to)
	if !told || known && math.Abs(off-stated) < strays/4 {
		return // both tell the same
	}
	l.off += (off - l.off) / float64(min(l.seen, strideMemory))
	if known {
		l.stated += (stated - l.stated) / float64(min(l.seen+1, strideMemory))
	}
}

// learn takes in the length of a step that the settings do not explain.
func (l *strides) learn(step float64) {
	several := max(1, math.Round(step/max(1, l.offsets)))
	if l.joint++; several == 1 {
		l.joint = 0
	}
	if l.seen == 0 || step < l.offsets/2 || l.joint > mostJoint {
		l.offsets, l.seen, l.joint = step, 1, 0
		return
	}
	l.seen = min(l.seen+1, strideMemory)
	l.offsets += (step/several - l.offsets) / float64(l.seen)
}

// strays is how far off a base is to which the rules lead from the first one of the chain, in shares of a
// segment; ok is false where what they lead to must still be asked for.
func (c *chain) strays(g ground, base model.Offset) (share float64, ok bool) {
	ask := c.ask
	defer func() { c.ask = ask }()
	c.ask = model.Maybe[model.Instant]{}
	last := c.bases[0]
	off, long := base-last, base-last
	for range maxBases {
		next, found := c.next(g, last)
		if c.ask.IsKnown() {
			return 0, false
		}
		if !found {
			break
		}
		off, long = min(off, max(next-base, base-next)), min(base-c.bases[0], next-last)
		if next >= base {
			break
		}
		last = next
	}
	return min(1, float64(off)/float64(long)), true
}

// relay tells that bases behind the first one were laid by what is no longer held.
func (p *partition) relay(gone bool) {
	if _, learned := p.strides.long(); learned || gone {
		p.chain.bases = p.chain.bases[:1]
	}
}
