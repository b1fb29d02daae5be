package predictor

import (
	"cmp"
	"slices"

	"kafka-retention-exporter/model"
)

// How near is near, in polls: a floor that is no further away may be reached before what rests
// could be woken.
const nearPolls = 3

// scouts is on how many partitions of a broker a pass is watched poll by poll, to learn and check
// its phase, where nothing else looks that often.
const scouts = 8

// attention tells the collector what may rest. Log starts move at the passes of retention, which
// come once per check interval and broker, so those that no group is near are read once after each
// pass, or while the phase is not known once per interval. Log starts that groups are near, or
// may be as far as can be told, are read at every poll.
func (p *Predictor) attention(r *Report, who *roster) model.Attention {
	a := model.Attention{
		LogStarts: make(map[model.PartitionKey]model.Instant, len(p.partitions)),
		Sizes:     map[model.PartitionKey]model.Instant{},
	}
	near, runways := p.nearLosses(r, who)
	awake := p.scouts(r)
	for i, part := range p.ranked {
		key := part.key
		sweep := p.sweep(part.leader)
		if sweep <= 2*p.cfg.Poll {
			continue // passes come as often as polls
		}
		if at, read := part.start.At(); read && !near[i] && !awake[key] {
			a.LogStarts[key] = p.afterPass(part.leader, sweep, at)
		}
		if at, ok := part.sizeRests(r.At, runways[i], sweep); ok {
			a.Sizes[key] = at
		}
	}
	return a
}

// sweep is how often a broker runs the passes of uncompacted topics.
func (p *Predictor) sweep(leader model.BrokerID) model.Millis {
	known, _ := p.snapshot.Brokers[leader].Settings.Get()
	return orDefault(known.CheckInterval, defaultCheckInterval)
}

// afterPass is the first instant after a reading at which a pass is over that it did not see. An
// unknown phase is taken to be 0, so that all partitions of a broker are read together.
func (p *Predictor) afterPass(leader model.BrokerID, sweep model.Millis, read model.Instant) model.Instant {
	if f := p.phases[leader]; f != nil {
		if at, ok := f.over(read, sweep); ok {
			return at
		}
	}
	return read.Add(sweep - remainder(read, sweep))
}

// nearLosses are the partitions on which a group may lose records within the next polls, and for
// the others how soon a group would if it stopped, 0 where none can: by their ranks.
func (p *Predictor) nearLosses(r *Report, who *roster) (near []bool, runways []model.Instant) {
	near, runways = make([]bool, len(p.ranked)), make([]model.Instant, len(p.ranked))
	for i := range r.Pairs {
		f, e := &r.Pairs[i], who.entries[i]
		rank := e.part.rank
		near[rank] = near[rank] || p.isNear(f, e.pair, r.At)
		if at, ok := f.Stopped.Get(); ok && at != model.Forever && !e.pair.isLost() {
			if first := runways[rank]; first == 0 || at < first {
				runways[rank] = at
			}
		}
	}
	return near, runways
}

// isNear holds as well where it cannot be told how far away the loss is, and for a position that
// was never held against the log start.
func (p *Predictor) isNear(f *Forecast, q *pair, now model.Instant) bool {
	if !f.Position.IsKnown() {
		return false
	}
	if q == nil || !q.loss.started || q.isLost() {
		return true
	}
	lag, ok := f.Lag.Get()
	if reason, _ := f.Reason.Get(); !ok || reason == SingleOffsetGap {
		return true
	}
	floor, known := f.Floor.Get()
	return lag > 0 && (!known || floor <= now.Add(nearPolls*p.cfg.Poll))
}

func (q *pair) isLost() bool { return q != nil && q.loss.at.IsKnown() }

// scouts picks, of each broker, some of the partitions that its next pass is expected to act on.
func (p *Predictor) scouts(r *Report) map[model.PartitionKey]bool {
	type candidate struct {
		key model.PartitionKey
		at  model.Instant
	}
	byBroker := map[model.BrokerID][]candidate{}
	for key, outlook := range r.Partitions {
		part := p.partitions[key]
		at, ok := outlook.NextDeletion.Get()
		if !ok || part.phase == nil {
			continue
		}
		ahead := nearPolls * p.cfg.Poll
		if _, sharp := part.phase.plateau(); !sharp {
			ahead += part.check / 2 // what an unknown phase is taken to add (nextPass)
		}
		if at <= r.At.Add(ahead) {
			byBroker[part.leader] = append(byBroker[part.leader], candidate{key, at})
		}
	}
	picked := make(map[model.PartitionKey]bool, scouts*len(byBroker))
	for _, list := range byBroker {
		slices.SortFunc(list, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.at, b.at), a.key.Compare(b.key)) })
		for _, c := range list[:min(scouts, len(list))] {
			picked[c.key] = true
		}
	}
	return picked
}

// sizeShare is how many sizes a runway is worth: what arrives in so small a part of it between two
// readings moves neither the forecast nor the ceiling of the floor by more than that.
const sizeShare = 200

// sizeRests is until when the size of a partition under retention.bytes may rest: for a small part
// of the shortest runway on it, and never for longer than from pass to pass. The intervals are
// powers of two of a poll, so that the readings of many partitions fall into the same polls.
func (p *partition) sizeRests(now model.Instant, runway model.Instant, sweep model.Millis) (model.Instant, bool) {
	set, _ := p.settings.Get()
	_, sized := set.SizeLimit()
	if _, _, seen := p.volume.Last(); !sized || !seen || p.volume.Span() == 0 {
		return 0, false
	}
	longest := sweep
	if runway != 0 {
		longest = min(longest, runway.Sub(now)/sizeShare)
	}
	every := p.poll
	for every*2 <= longest {
		every *= 2
	}
	if every == p.poll {
		return 0, false
	}
	_, at, _ := p.volume.Last()
	return at.Add(every - remainder(at, every)), true
}
