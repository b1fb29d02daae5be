package predictor

import "kafka-retention-exporter/model"

// partition is what was learned of one partition: its curves, its segment chain and its growth.
type partition struct {
	key      model.PartitionKey
	id       model.TopicID
	leader   model.BrokerID
	led      bool
	onBase   bool // the log start is believed to be a segment base
	foreign  bool // the leader's retention is not Apache Kafka's code
	proof    proof
	vigil    vigil
	takes    bool // ledFrom is to be read
	start    model.Read[model.Offset]
	startAs  model.Maybe[model.Instant] // until when the log start stands for the present
	end      model.Read[model.Offset]
	settings common
	check    model.Millis // interval of the passes over this partition, 0 if not known
	phase    *phase       // of the leader; nil for compacted topics, whose passes have none
	poll     model.Millis

	times  model.TimeCurve
	bytes  model.ByteCurve
	ends   model.Growth // high watermark
	volume model.Growth // bytes appended
	peak   ceiling
	past   *past // of the bytes, under retention.bytes
	burst  burst
	chain  chain
	local  *model.LocalReplica // of the leader, as its files were in the last poll; nil without them
	// ledFrom is the end of the log when its leader was first seen to lead: before it, the segments
	// of one replica among several are those of a follower, which appends in chunks of its own.
	ledFrom model.Offset
	rules   *rules   // nil until the settings changed
	strides *strides // nil until the settings did not tell where a segment ends
	blocks  *blocks  // nil but of compacted logs
	suspect *suspect // nil but between a step of the log start and the next size
	// failover is where clients would stand after a failover (failover.go).
	failover model.Maybe[model.Offset]
	// replaced is the log that had this name before, once it was replaced.
	replaced *replacedLog
	// audit is what was told of it and is not scored yet.
	audit       audit
	calibration *calibration   // nil until something was learned
	pool        pool           // of all partitions
	targets     []model.Offset // positions of groups, of the newest poll (questions.go)
	reaches     []model.Offset // up to where their segments certainly reach

	rank int // in the order of all
	mark int // of the last gathering it was in
}

// replacedLog is the log of a deleted topic whose name lives on.
type replacedLog struct {
	id         model.TopicID
	start, end model.Offset
}

// observe takes in one poll's facts.
func (p *partition) observe(s *model.Snapshot, f model.Partition, phases phases, shelf shelf) {
	p.follow(f)
	p.configure(s, f, phases, shelf)
	start, started := f.LogStart.FreshSince(s.Started)
	end, ended := f.End.FreshSince(s.Started)
	if started && ended && start > end { // no log is like that: one of the answers is of another leader
		started, ended = false, false
	}
	if ended {
		p.observeEnd(f.End, end)
	}
	if started {
		p.observeStart(f.LogStart, start, s.At)
		p.keepVigil()
	}
	if at, ok := f.LogStartAsOf(); ok {
		p.startAs = model.Known(at)
	}
	if size, ok := f.Size.FreshSince(s.Started); ok {
		p.observeSize(f.Size, size)
	}
	oldest, told := f.Oldest.Get()
	if since, known := p.start.Get(); told && known && oldest.Offset >= since {
		p.times.LearnOldest(oldest)
		p.observeFirst(oldest)
	}
	p.failover = failoverStart(s, f, p.poll)
	p.outlives()
	p.extend(s.At)
	p.observeLocal(s, f)
}

// follow notices a new log under the same name, and a new leader: its segments are other ones.
func (p *partition) follow(f model.Partition) {
	if p.id != f.TopicID && p.id != (model.TopicID{}) {
		old := replacedLog{id: p.id}
		old.start, _ = p.start.Get()
		old.end, _ = p.end.Get()
		*p = partition{key: p.key, rank: p.rank, poll: p.poll, peak: p.peak, pool: p.pool, replaced: &old}
	}
	p.id = f.TopicID
	if f.LeaderKnown && p.led && f.Leader != p.leader {
		p.forgetSegments()
	}
	if f.LeaderKnown {
		p.takes = p.takes || len(f.Replicas) > 1 && !(p.led && f.Leader == p.leader)
		p.leader, p.led = f.Leader, true
	}
}

// forgetSegments drops what was of the segments of one replica.
func (p *partition) forgetSegments() {
	p.bytes.Reset()
	p.volume, p.past = model.Growth{}, nil
	p.chain, p.proof, p.vigil, p.local, p.suspect = chain{}, proof{}, vigil{}, nil, nil
}

// observeEnd takes in the high watermark. One that went back means a truncated log: what was
// known of its records may be wrong.
func (p *partition) observeEnd(r model.Read[model.Offset], end model.Offset) {
	if old, ok := p.end.Get(); ok && end < old {
		p.forgetSegments()
		p.times.Reset()
		p.ends = model.Growth{}
	}
	if old, ok := p.end.Get(); ok {
		before, _ := p.end.At()
		at, _ := r.At()
		p.burst.come(end-old, end, max(at.Sub(before), p.poll))
		if mean := p.bytes.PerOffset(); mean > 0 { // sizes are read less often
			p.burst.bytes = max(p.burst.bytes, model.Bytes(mean*float64(end-old)))
		}
	}
	if p.takes {
		p.ledFrom, p.takes = end, false
	}
	p.end = r
	at, _ := r.At()
	p.ends.Add(at, int64(end))
}

// observeStart takes in the log start. One that retention set is a segment base; one that
// DeleteRecords set need not be, and stays so until retention moves it.
func (p *partition) observeStart(r model.Read[model.Offset], start model.Offset, until model.Instant) {
	old, known := p.start.Get()
	before, _ := p.start.At()
	at, _ := r.At()
	p.start = r
	switch {
	case !known || len(p.chain.bases) == 0 || start < old:
		if known && start > old {
			p.noteStep(start, before, until, false)
		}
		p.onBase = true
		p.chain.anchor(start)
	case start > old:
		var after model.Instant
		p.onBase, after = p.wasDue(start, before, at)
		if p.onBase && p.phase != nil {
			p.phase.step(p.check, after, at.Add(1))
		}
		p.noteStep(start, before, until, p.onBase)
		_, learned := p.strides.long()
		if p.onBase {
			p.verify(start)
			p.teach(start, until)
			p.observeBlock(start, until)
			if p.suspect == nil {
				p.suspect = p.chain.suspect(start)
			}
		}
		if p.chain.step(start, p.onBase); p.onBase {
			p.relay(learned)
		}
	}
	p.chain.keep(&p.times)
	p.times.Trim(start)
}

// wasDue tells a retention step from DeleteRecords: by the rules, could a pass have taken what
// lay below the new start? after is the latest instant at which it is known not to have run yet.
func (p *partition) wasDue(start model.Offset, before, at model.Instant) (due bool, after model.Instant) {
	settings, ok := p.settings.Get()
	if !ok {
		return false, before
	}
	due = p.filled(start)
	if limit, ok := settings.TimeLimit(); ok {
		newest, _ := p.times.Newest(start - 1)
		stamp, known := newest.Get()
		expired := stamp.Add(limit).Add(1)
		if !known || expired <= at.Add(p.poll) {
			return true, max(before, min(expired, at))
		}
	}
	return due, before
}

// observeSize takes in the size of the leader's log.
func (p *partition) observeSize(r model.Read[model.SizeRead], size model.SizeRead) {
	p.acquit(size)
	before, known := p.bytes.Base()
	if !p.bytes.Observe(size, p.onBase) {
		return
	}
	if base, ok := p.bytes.Base(); ok && known && p.onBase && base > before {
		set, _ := p.settings.Get()
		p.burst.fill(size.LogStart, base-before, set.SegmentBytes)
	}
	if total, ok := p.bytes.Total(); ok {
		at, _ := r.At()
		if old, _, had := p.volume.Last(); had {
			p.burst.bytes = max(p.burst.bytes, total-model.Bytes(old))
		}
		p.volume.Add(at, int64(total))
		p.peak.observe(&p.volume)
		p.index()
	}
}

// index takes in how fast records came by the log's own stamps.
func (p *partition) index() {
	set, ok := p.settings.Get()
	if _, sized := set.SizeLimit(); !ok || !sized {
		p.past = nil
		return
	}
	p.notePast(set)
	if seen := p.history(set); seen > 0 {
		p.peak.index(&p.times, max(seen/24, p.poll), seen, p.bytes.PerOffset())
	}
}

// configure resolves the settings in force, as the leader tells them. Until a new leader was
// asked, the shortest of what other brokers tell is assumed.
func (p *partition) configure(s *model.Snapshot, f model.Partition, phases phases, shelf shelf) {
	topic := s.Topics[f.Key.Topic]
	before, had := p.settings.Get()
	var now model.Maybe[model.Settings]
	if set, ok := topic.Settings[f.Leader].Get(); ok {
		now = model.Known(set)
	} else {
		for _, r := range topic.Settings {
			if set, ok := r.Get(); ok {
				now = shortest(now, set)
			}
		}
	}
	if topic.Unreadable { // refused by now: what was true before the right was taken away may have changed since
		now = model.Maybe[model.Settings]{}
	}
	p.settings = shelf.take(now)
	if set, ok := p.settings.Get(); ok && had && rollsOtherwise(before, set) {
		p.proof.drop()
		end, _ := p.end.Get()
		p.rules = &rules{from: end, before: before}
	}
	broker := s.Brokers[f.Leader]
	p.foreign = broker.Unverified != ""
	p.check, p.phase = passInterval(broker, now), nil
	if set, ok := p.settings.Get(); ok && !set.Policy.Compacts() && !set.Tiered {
		p.phase = phases.of(f.Leader)
	}
}

// rollsOtherwise tells that segments end by other rules than before.
func rollsOtherwise(a, b model.Settings) bool {
	return a.SegmentBytes != b.SegmentBytes || a.SegmentMs != b.SegmentMs || a.SegmentJitterMs != b.SegmentJitterMs ||
		a.SegmentIndexBytes != b.SegmentIndexBytes || a.IndexIntervalBytes != b.IndexIntervalBytes
}

func shortest(have model.Maybe[model.Settings], other model.Settings) model.Maybe[model.Settings] {
	h, ok := have.Get()
	a, aLimited := h.TimeLimit()
	b, bLimited := other.TimeLimit()
	if !ok || bLimited && (!aLimited || b < a) {
		return model.Known(other)
	}
	return have
}

// extend lays the chain as far as the facts reach.
func (p *partition) extend(now model.Instant) {
	if g, ok := p.ground(now); ok {
		p.chain.extend(g)
	}
}

// ground is what the chain is laid upon; ok is false where there is none.
func (p *partition) ground(now model.Instant) (g ground, ok bool) {
	set, ok := p.settings.Get()
	end, known := p.end.Get()
	if !ok || !known || set.Policy.Compacts() {
		return ground{}, false
	}
	long, _ := p.strides.long()
	return ground{
		times: &p.times, bytes: &p.bytes, settings: set, end: end, now: now, lack: p.burst.usualLack(), long: long, rules: p.rules,
	}, true
}

// newest is the newest stamp in the log as nearly as it is known: while records keep coming it
// runs with the clock, else it is where the answers put it.
func (p *partition) newest(now model.Instant) (model.Instant, bool) {
	end, ok := p.end.Get()
	if !ok {
		return 0, false
	}
	at, below := p.times.Newest(end - 1)
	known, ok := at.Get()
	if !ok {
		return 0, false
	}
	if limit, bounded := below.Get(); bounded {
		return max(known, min(now, limit-1)), true
	}
	if rose, risen := p.ends.Rose(); risen {
		return max(known, rose), true
	}
	return known, true
}
