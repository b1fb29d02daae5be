package score

import (
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/track"
)

// pageTally is how a player pages in an episode.
type pageTally struct {
	loss, recalled bool
	lead           float32 // of the first page, in shares of R; judged where recalled
	premature      bool

	right, wrong int16 // pages whose outcome is known

	fault bool // the episode has one
	flaps int16

	sound       float64 // time without a fault, in shares of R
	soundWrong  int16   // of the wrong ones, those in that time
	healthy     float64 // of that time, while the pair was healthy
	falseAlarms int16   // of the wrong ones, those in that time

	onTime      bool // a nightly batch that is never late
	onTimePages int16
	skipped     bool    // a nightly batch that skipped a run
	slackLeft   float32 // share of its slack that was left when it was announced
}

// A page is of use if it comes this much before the loss, as a share of R.
const useful = 48

// fate is what becomes of the group in an episode, as far as pages are concerned.
type fate struct {
	polls   int           // those that are judged
	loss    model.Instant // the first loss
	lost    bool
	onset   model.Instant // of the fault, or the first poll
	seen    model.Instant // the first poll that saw a position: before, there is none to lose
	faulty  bool
	skipped bool
}

// fate finds it. What follows the first loss is an old story.
func (tr *trial) fate() fate {
	t := tr.t
	f := fate{polls: len(t.Polls)}
	if f.polls == 0 {
		return f
	}
	for i := range t.Polls {
		p := &t.Polls[i]
		if at, ok := p.Loss.Get(); ok && at != model.Forever && at > p.At && !isLost(p) {
			f.loss, f.lost = at, true
			break
		}
	}
	f.onset, f.faulty = t.Onset.Get()
	if !f.faulty {
		f.onset = t.Polls[0].At
	}
	for i := 0; i < len(t.Polls) && (i == 0 || t.Polls[i-1].Seen.Committed < 0); i++ {
		f.seen = t.Polls[i].At
	}
	if f.lost {
		f.polls = 0
		for f.polls < len(t.Polls) && t.Polls[f.polls].At < f.loss {
			f.polls++
		}
	}
	for i := range t.Polls {
		if t.Polls[i].At < f.onset && f.faulty && slices.Contains(t.Polls[i].States, predictor.Batch) {
			f.skipped = f.lost
			break
		}
	}
	return f
}

// pages judges the pages of all players.
func (tr *trial) pages() []pageTally {
	f := tr.fate()
	all := make([]pageTally, len(tr.players))
	for player := range all {
		tally := &all[player]
		tr.edges(tally, f, player)
		tr.ahead(tally, f, player)
		tr.batch(tally, f, player)
	}
	return all
}

func (tr *trial) horizon() model.Millis { return tr.t.Retention / pagePart }

// edges judges every page that begins.
func (tr *trial) edges(tally *pageTally, f fate, player int) {
	last, on := model.Instant(0), false
	for i := range tr.t.Polls[:f.polls] {
		p := &tr.t.Polls[i]
		sound := f.faulty && p.At < f.onset || !f.faulty && !f.lost
		healthy := sound && !tr.exposed(p)
		if i > 0 {
			tally.sound += count(sound) * tr.share(p.At.Sub(last))
			tally.healthy += count(healthy) * tr.share(p.At.Sub(last))
		}
		last = p.At
		begins := tr.said[i][player].page && !on
		on = tr.said[i][player].page
		if !begins || isLost(p) {
			continue
		}
		switch right, judged := tr.pageRight(i); {
		case right && judged:
			tally.right++
		case judged:
			tally.wrong++
			tally.soundWrong += int16(count(sound))
			tally.falseAlarms += int16(count(healthy))
		}
	}
}

// exposed tells that what the group is to read next is deleted within the horizon. It may read it before:
// who pages then is wrong, but the pair was near to losing something, and not well.
func (tr *trial) exposed(p *track.Poll) bool {
	gone, known := p.Gone.Get()
	return known && gone.Sub(p.At) <= tr.horizon()
}

// pageRight tells whether the loss follows within two horizons.
func (tr *trial) pageRight(i int) (right, judged bool) {
	p := &tr.t.Polls[i]
	until := p.At.Add(2 * tr.horizon())
	at, known := p.Loss.Get()
	if !known {
		at = model.Forever
		if tr.seen[i] < until {
			return false, false
		}
	}
	if tr.t.Disturbed(p.At, min(at, until)) {
		return false, false
	}
	return at <= until, true
}

// ahead judges whether the loss was announced, and how steadily.
func (tr *trial) ahead(tally *pageTally, f fate, player int) {
	begin := f.onset
	end := model.Forever
	if f.lost {
		end = f.loss
	}
	for _, e := range tr.t.Events {
		if e.At <= end {
			begin = max(begin, e.At)
		}
	}
	h := tr.horizon()
	last := f.loss.Add(-tr.t.Retention / useful) // for a page
	// The page was due with the group as it was, and somebody watched: the fault began before, and
	// nothing else did. A group that commits for the first time later than that had nothing to lose.
	due := f.lost && f.polls > 0 && f.loss.Sub(max(f.onset, f.seen)) > h && tr.t.Polls[f.polls-1].At >= last-model.Instant(tr.t.Poll) &&
		!tr.t.Disturbed(f.loss.Add(-2*h), f.loss)
	tally.loss = due
	tally.fault = due || f.faulty && !f.lost && !tr.t.Disturbed(f.onset, model.Forever)
	edges, on := 0, false
	for i := range tr.t.Polls[:f.polls] {
		p := &tr.t.Polls[i]
		page := tr.said[i][player].page
		if page && !on && p.At >= begin || page && edges == 0 && p.At >= begin {
			if edges++; edges == 1 {
				tally.lead = float32(tr.share(f.loss.Sub(p.At)))
			}
		}
		on = page
		if due && page && p.At >= f.loss.Add(-2*h) && p.At <= last {
			tally.recalled = true
		}
	}
	tally.premature = tally.recalled && tally.lead > float32(tr.share(2*h))
	if tally.fault {
		tally.flaps = int16(max(0, edges-1))
	}
}

// cameTrue tells that the loss did follow: a job may be on time and too rare all the same, where so much comes
// that retention.bytes takes its records before its next run. Who is woken for that is not woken for nothing.
func (tr *trial) cameTrue(i int) bool {
	right, judged := tr.pageRight(i)
	return right && judged
}

// batch judges nightly batches: silence when they are on time and will make it, and notice of a skipped run.
func (tr *trial) batch(tally *pageTally, f fate, player int) {
	tally.onTime = tr.t.OnTime
	tally.skipped = f.skipped && !tr.t.Disturbed(f.onset, f.loss)
	on := false
	for i := range tr.t.Polls[:f.polls] {
		p, s := &tr.t.Polls[i], &tr.said[i][player]
		if tally.onTime && s.page && !on && !tr.cameTrue(i) {
			tally.onTimePages++
		}
		on = s.page
		if tally.skipped && p.At >= f.onset && (s.page || s.warn) && tally.slackLeft == 0 {
			tally.slackLeft = float32(f.loss.Sub(p.At)) / float32(f.loss.Sub(f.onset))
		}
	}
}
