package predictor

import (
	"slices"

	"kafka-retention-exporter/model"
)

// Questions are the record times that would narrow the forecasts most, at most one a partition
// and at most max: a broker refuses a partition twice in one request. None are left once every
// bracket is as narrow as it needs to be. Call Learn with the answers, then ask again.
func (p *Predictor) Questions(max int) []model.TimeQuestion {
	if p.snapshot == nil {
		return nil
	}
	p.round++
	p.rank()
	p.aim()
	var out []model.TimeQuestion
	first := 0 // of those in out, in the order of the partitions
	for i := range p.ranked {
		part := p.ranked[(p.turn+i)%len(p.ranked)]
		if part.rank == 0 {
			first = len(out)
		}
		if len(out) == max {
			p.turn = part.rank // so that its turn comes, however many are before it
			break
		}
		if len(part.targets) == 0 && !part.deletes() {
			continue
		}
		if q, ok := part.question(part.targets, p.snapshot.Started, p.round); ok {
			out = append(out, model.TimeQuestion{Key: part.key, At: q})
		}
	}
	return slices.Concat(out[first:], out[:first])
}

// aim notes the positions that matter at each partition, once a poll: of groups that have something
// unread. On partitions that nobody reads there are none.
func (p *Predictor) aim() {
	if p.aimed {
		return
	}
	p.aimed = true
	for _, part := range p.partitions {
		part.targets = part.targets[:0]
	}
	for key, q := range p.pairs {
		part := p.partitions[key.PartitionKey]
		position, ok := q.position.Get()
		if part == nil || !ok || q.absent {
			continue
		}
		start, _ := part.start.Get()
		part.targets = append(part.targets, max(start, position))
	}
	for _, part := range p.partitions {
		part.reach(&p.plan.survey)
	}
}

// reach notes how far the segments of the targets certainly reach: the floors stand on the newest stamps
// there.
func (p *partition) reach(walk *survey) {
	p.reaches = p.reaches[:0]
	if len(p.targets) == 0 || !p.surveys() || p.local != nil {
		return
	}
	walk.begin(p)
	for _, o := range p.targets {
		if upTo, ok := walk.within(o); ok && upTo > o+1 {
			p.reaches = append(p.reaches, upTo-1)
		}
	}
}

// deletes tells whether a limit acts on something that is there.
func (p *partition) deletes() bool {
	set, known := p.settings.Get()
	start, _ := p.start.Get()
	end, _ := p.end.Get()
	return known && limited(set) && start < end
}

// Learn takes in answers to Questions.
func (p *Predictor) Learn(answers []model.TimeAnswer) {
	for _, a := range answers {
		part := p.partitions[a.Key]
		if part == nil {
			continue
		}
		end, ok := part.end.Get()
		start, known := part.start.Get()
		if !ok || !known || a.Found && a.Offset < start || part.outdates(a) {
			continue
		}
		part.times.Learn(a, end)
		part.extend(p.snapshot.At)
	}
}

// outdates tells an answer of a log that is not as it was when its start was last read: a record is
// known below the one that is said to be the first stamped so late, and it is stamped as late. Records
// were deleted meanwhile, and what the answer says of those between would be taken for the rolling of
// segments. The same is asked again once the start was read. A cleaner takes records everywhere.
func (p *partition) outdates(a model.TimeAnswer) bool {
	set, _ := p.settings.Get()
	if !a.Found || set.Policy.Compacts() {
		return false
	}
	before, ok := p.times.Protector(a.Offset - 1)
	return ok && before.Stamp >= a.At
}

// want is an offset whose P is to be known to within a tolerance.
type want struct {
	offset    model.Offset
	tolerance model.Millis
}

// question picks one of the things worth asking, in turn, so that no one of them starves.
func (p *partition) question(positions []model.Offset, polled model.Instant, round int) (model.Instant, bool) {
	set, ok := p.settings.Get()
	end, known := p.end.Get()
	if !ok || !known {
		return 0, false
	}
	var ask []model.Instant
	if t, ok := p.chain.ask.Get(); ok && limited(set) {
		ask = append(ask, t)
	}
	if _, timed := set.TimeLimit(); timed { // without it no stamp matters but for the rolls
		for _, w := range p.wants(positions, end, set) {
			if t, ok := p.bisect(w, polled); ok && !slices.Contains(ask, t) {
				ask = append(ask, t)
			}
		}
	}
	if t, ok := p.grid(set); ok && len(ask) == 0 {
		ask = append(ask, t)
	}
	switch {
	case len(ask) == 0:
		return 0, false
	case p.chain.ask.IsKnown() && round%2 == 0: // each base leads to the next: the longest way
		return ask[0], true
	}
	return ask[round%len(ask)], true
}

// grid is an instant to ask about so that no stretch of the history is longer than a forty-eighth of
// the retention, or of the log where no age limits it: when day and night are, and how fast
// records came before the watch.
func (p *partition) grid(set model.Settings) (model.Instant, bool) {
	from, width := p.widest(set)
	if width <= max(p.stretch(set), 2*p.poll) {
		return 0, false
	}
	return from.Add(width / 2), true
}

// stretch is how much of the history may be left open at once. A compacted log, which reaches back
// for much longer than the retention, is not cut into more stretches than the curve has points.
func (p *partition) stretch(set model.Settings) model.Millis {
	first, _ := p.times.FirstPoint()
	head, _ := p.times.Head()
	usual, span := p.history(set), head.Stamp.Sub(first.Stamp)
	if p.compacts() {
		return max(usual/48, span/36)
	}
	return usual / 48
}

// widest is the longest stretch of the history in which nothing is known of how records came.
func (p *partition) widest(set model.Settings) (from model.Instant, width model.Millis) {
	from, below := p.times.Widest()
	if _, timed := set.TimeLimit(); !timed { // no question of another kind makes a second point
		if a, b := p.beforeWatch(); b.Sub(a) > below.Sub(from) {
			from, below = a, b
		}
	}
	return from, below.Sub(from)
}

// beforeWatch is the stretch between the last record that is known and the beginning of the watch.
func (p *partition) beforeWatch() (from, below model.Instant) {
	head, ok := p.times.Head()
	began, end, seen := p.ends.First()
	if !ok || !seen || head.Stamp >= began || int64(head.Offset)+1 >= end {
		return 0, 0
	}
	_, none := p.times.Newest(model.Offset(end - 1))
	if limit, ok := none.Get(); ok {
		began = min(began, limit)
	}
	return head.Stamp, began
}

// history is how far back it matters how records came.
func (p *partition) history(set model.Settings) model.Millis {
	first, ok := p.times.FirstPoint()
	head, _ := p.times.Head()
	if age, timed := set.TimeLimit(); timed {
		return min(age, 1<<40)
	}
	if !ok {
		return 0
	}
	began, _, _ := p.ends.First()
	return max(head.Stamp, began).Sub(first.Stamp)
}

// wants lists the offsets whose newest stamp matters: each position, the last record of its
// segment, and the newest record of the log.
func (p *partition) wants(positions []model.Offset, end model.Offset, set model.Settings) []want {
	fine := stampTolerance(set)
	age, _ := set.TimeLimit()
	coarse := max(fine, min(age, 1<<50)/200)
	start, _ := p.start.Get()
	if len(positions) == 0 {
		return p.wantsUnread(start, end, max(coarse, p.poll))
	}
	var out []want
	for _, o := range positions {
		if o < end {
			out = append(out, want{o, fine})
		}
		if _, next := p.chain.around(o); next.IsKnown() {
			up, _ := next.Get()
			out = append(out, want{up - 1, coarse})
		}
	}
	for _, o := range p.reaches {
		out = append(out, want{o, fine})
	}
	if end > start {
		out = append(out, want{end - 1, max(fine, p.poll)})
	}
	return out
}

// wantsUnread are the two offsets that matter where no group reads: the last record of the oldest
// segment, which decides about the next deletion, and the newest record.
func (p *partition) wantsUnread(start, end model.Offset, tolerance model.Millis) []want {
	var out []want
	if next, closed := p.baseAfter(start); closed {
		out = append(out, want{next - 1, tolerance})
	}
	if end > start {
		out = append(out, want{end - 1, tolerance})
	}
	return out
}

// bisect is the instant to ask about so that the bracket of P at an offset shrinks. Between
// known edges it aims where a straight line says, within the middle half. Without an upper edge
// it asks about the poll before, which is where a live producer's stamps are.
func (p *partition) bisect(w want, polled model.Instant) (model.Instant, bool) {
	at, below := p.times.Newest(w.offset)
	lo, ok := at.Get()
	if !ok {
		return 0, false // the oldest record is not known yet: the collector asks for it
	}
	hi, bounded := below.Get()
	if !bounded {
		if live := polled.Sub(lo); live >= 0 && live <= w.tolerance {
			return 0, false
		}
		return max(polled, lo+1), true
	}
	width := hi.Sub(lo)
	if width <= w.tolerance+1 {
		return 0, false
	}
	guess := lo.Add(width / 2)
	if end, ok := p.end.Get(); ok {
		if line, ok := p.times.Estimate(w.offset, end, hi); ok {
			guess = line
		}
	}
	return min(max(guess, lo.Add(width/4), lo+1), hi.Add(-width/4)), true
}
