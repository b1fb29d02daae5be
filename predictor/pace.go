package predictor

import "kafka-retention-exporter/model"

// pace is how a group moves: where it has been, how long it waits between commits, and in which
// runs it works. There is one for each pair, so its small fields are put together.
type pace struct {
	trail  trail
	swings swings
	runs   runs
	waits  waits
	polls  int32
	// advances counts in the regime.
	advances int32
	stalled  bool          // it stood still for longer than it ever waits, and has not advanced twice since
	near     bool          // it is as far behind as its rhythm makes it
	resumed  bool          // it is as it was before a restart, and was not seen since
	rests    bool          // it had read all there was, was left without members, and has not advanced since
	seen     model.Instant // the newest poll
	// lively is the newest poll that saw it advance or with nothing unread: since then it stands
	// still before something to read. At first it is when the watch began.
	lively model.Instant
	// regime begins the part of the trail that tells how it moves now: since it was first seen,
	// went back, or went on after standing still.
	regime  model.Instant
	rewound model.Maybe[model.Instant] // when it went back, until its new pace is known
	// behind is the newest poll that saw it near. Until then it went as fast as records came, which
	// is not how fast it can.
	behind model.Instant
}

// observe takes in one poll's position. Going back is a rewind: what was known of the pace was
// of another reading.
func (p *pace) observe(at model.Instant, position model.Offset, poll, patience model.Millis) {
	if p.polls > 0 && at <= p.seen {
		return
	}
	p.resume(at, poll)
	p.seen = at
	p.polls++
	if p.polls == 1 {
		p.restart(at, position)
		return
	}
	switch _, last := p.trail.last(); {
	case position < last:
		p.restart(at, position)
		p.rewound, p.stalled = model.Known(at), false
	case position > last:
		p.advance(at, position, poll)
	case at.Sub(p.lively) > patience:
		p.stalled, p.advances = true, 0
	}
	if since, ok := p.rewound.Get(); ok && p.advances >= 2 && at.Sub(since) >= p.quiet(poll) {
		p.rewound = model.Maybe[model.Instant]{}
	}
}

// idle takes in that nothing was unread at the newest poll: standing still is all it could do.
func (p *pace) idle() {
	p.lively, p.stalled, p.rewound = p.seen, false, model.Maybe[model.Instant]{}
}

// keep takes in whether the group is near at the newest poll.
func (p *pace) keep(near bool) {
	p.near = near
	if near {
		at, position := p.trail.last()
		p.behind = at
		p.swings.begin(at, position)
	}
}

// leave takes in that the group has no members at the newest poll. One that has read all there was went to
// rest; another may have broken down.
func (p *pace) leave() {
	if p.polls > 0 && p.behind >= p.lively {
		p.rests = true
	}
}

func (p *pace) restart(at model.Instant, position model.Offset) {
	p.trail, p.behind = trail{}, at
	p.trail.add(at, position)
	p.swings.begin(at, position)
	p.lively, p.regime, p.advances, p.rests = at, at, 0, false
}

func (p *pace) advance(at model.Instant, position model.Offset, poll model.Millis) {
	parted := at.Sub(p.lively) > p.parting(poll)
	p.runs.advance(at, parted)
	if p.advances > 0 || p.stalled { // else the wait began before the watch did
		p.waits.add(at.Sub(p.lively))
	}
	if parted || p.stalled && p.advances == 0 {
		p.regime, p.advances = at, 0
		p.swings.begin(at, position)
	}
	p.swings.advance(at, position, poll)
	p.trail.add(at, position)
	p.lively, p.rests = at, false
	p.advances++
	if p.advances >= 2 {
		p.stalled = false
	}
}

// parting is the pause that ends a run: longer than eight polls, and than its usual waits. Where runs
// are short, half of the waits may be pauses between them.
func (p *pace) parting(poll model.Millis) model.Millis {
	gap, _ := p.waits.quantile(1. / 3)
	return max(8*poll, 3*gap)
}

// quiet is how long after a rewind its pace is not yet believed.
func (p *pace) quiet(poll model.Millis) model.Millis {
	gap, _ := p.waits.quantile(0.5)
	return max(4*poll, 2*gap)
}

// patience is how long a group may stand still before it is called stalled: somewhat longer than
// nearly all of its waits. ok is false before any were seen.
func (p *pace) patience(poll model.Millis) (d model.Millis, ok bool) {
	gap, ok := p.waits.quantile(0.85)
	if gap > 6*poll {
		return gap*3/2 + 2*poll, ok
	}
	return max(gap*13/10+poll*3/2, poll*7/2), ok
}
