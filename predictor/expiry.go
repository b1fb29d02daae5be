package predictor

import "kafka-retention-exporter/model"

// tenure is what was seen of a group as a whole: the clocks of offset expiry start with a group
// losing its members, or with a commit, and no request tells either (broker.md 8.2). What is
// kept are instants after which they can only have happened, so that every expiry told from them
// is the earliest there can be.
type tenure struct {
	group model.Group
	// busy is the last instant at which the group was known to have members.
	busy model.Maybe[model.Instant]
	// read is when its offsets were last answered; before is the same of one answer earlier.
	read, before model.Maybe[model.Instant]
	// gone is when the group was found to be listed no more, its offsets having expired.
	gone model.Maybe[model.Instant]
}

// observe takes in how the group is listed. A group whose coordinator is silent is as it was.
func (t *tenure) observe(s *model.Snapshot, g model.Group) {
	t.group, t.gone = g, model.Maybe[model.Instant]{}
	t.before = t.read
	if _, ok := g.OffsetsRead.FreshSince(s.Started); !ok {
		return
	}
	at, _ := g.OffsetsRead.At()
	t.read = model.Known(at)
	if g.HasMembers() {
		t.busy = model.Known(s.Started)
	}
}

// noteCommit keeps after when the last commit that was seen happened: when it was made where that is
// told, else after the answer before the one that shows it. A commit of the same position again is
// then not seen, and only later.
func (q *pair) noteCommit(commit model.Commit, before model.Maybe[model.Instant]) {
	at, had := q.position.At()
	switch {
	case commit.At.IsKnown():
		q.committedAfter = commit.At
	case !q.seen || q.absent || !had:
		q.committedAfter = before
	case !sameCommit(commit, q.commit.all()):
		q.committedAfter = model.Known(at)
	}
	q.commit = keep(commit)
}

// keptCommit is a commit in little room: of most nothing but offset and epoch is told.
type keptCommit struct {
	offset model.Offset
	epoch  int32
	more   *model.Commit // nil where there is no more
}

// keep keeps all but when it was made.
func keep(c model.Commit) keptCommit {
	k := keptCommit{offset: c.Offset, epoch: c.LeaderEpoch}
	if c.Unfinished.IsKnown() || c.Expires.IsKnown() {
		k.more = &model.Commit{Offset: c.Offset, LeaderEpoch: c.LeaderEpoch, Unfinished: c.Unfinished, Expires: c.Expires}
	}
	return k
}

func (k keptCommit) all() model.Commit {
	if k.more != nil {
		return *k.more
	}
	return model.Commit{Offset: k.offset, LeaderEpoch: k.epoch}
}

// sameCommit leaves aside whether it is told when a commit was made.
func sameCommit(a, b model.Commit) bool {
	a.At, a.Expires = b.At, b.Expires
	return a == b
}

// expiryClock is what the coordinators go by.
type expiryClock struct {
	retention model.Millis // offsets.retention.minutes
	byCommit  bool         // before Kafka 2.1 every kind of group is judged by its commits (KIP-211)
}

// expiryClock is the shortest retention any broker tells; ok is false while none does.
func (p *Predictor) expiryClock() (c expiryClock, ok bool) {
	for _, b := range p.snapshot.Brokers {
		set, known := b.Settings.Get()
		if known && set.OffsetsRetention > 0 && (!ok || set.OffsetsRetention < c.retention) {
			c.retention, ok = set.OffsetsRetention, true
		}
		if r := releaseOf(b); r.Known() && r.Before(2, 1) {
			c.byCommit = true
		}
	}
	return c, ok
}

// releaseOf is the release a broker runs, as nearly as it is known.
func releaseOf(b model.Broker) model.Release {
	version, told := b.Version.Get()
	if !told {
		return model.Release{}
	}
	r, err := model.ParseRelease(version)
	if err != nil {
		return model.Release{}
	}
	return r
}

// expires is the earliest instant at which the coordinator may drop one of the group's offsets,
// Forever while it cannot; unknown where the clock was not seen to start.
func (c expiryClock) expires(t *tenure, pairs map[string]commits) model.Maybe[model.Instant] {
	g := t.group
	switch {
	case c.byCommit, g.Kind == model.KindClassic && g.ProtocolType == "":
		return c.afterCommits(pairs[g.Name], nil)
	case g.HasMembers():
		return c.whileMembers(g, pairs[g.Name])
	case g.Kind == model.KindClassic && len(pairs[g.Name]) == 0:
		return c.after(t.busy)
	case g.Kind == model.KindClassic:
		return c.sinceEmptied(t.busy, pairs[g.Name])
	}
	// Consumer and streams groups without members are subscribed to nothing: commit by commit.
	earliest := c.afterCommits(pairs[g.Name], nil)
	if at, ok := earliest.Get(); ok {
		if busy, seen := t.busy.Get(); seen { // what it was subscribed to was kept that long at least
			return model.Known(max(at, busy))
		}
	}
	return earliest
}

// whileMembers: what is subscribed is kept, and a classic group that rebalances keeps everything.
// Groups that are not consumers have no subscriptions and keep everything as well.
func (c expiryClock) whileMembers(g model.Group, last commits) model.Maybe[model.Instant] {
	if g.Kind == model.KindClassic && (g.ProtocolType != "consumer" || g.State != "Stable") {
		return infinite()
	}
	if g.Subscribed == nil {
		return model.Maybe[model.Instant]{} // not described yet
	}
	return c.afterCommits(last, g.Subscribed)
}

func (c expiryClock) after(start model.Maybe[model.Instant]) model.Maybe[model.Instant] {
	at, ok := start.Get()
	if !ok {
		return model.Maybe[model.Instant]{}
	}
	return model.Known(at.Add(c.retention))
}

// afterCommits is the earliest expiry of the offsets on topics that are not kept. One whose
// commit was not seen makes the whole unknown: it may be the first to go.
func (c expiryClock) afterCommits(last commits, kept map[string]bool) model.Maybe[model.Instant] {
	earliest := model.Forever
	for _, l := range last {
		if kept[l.topic] {
			continue
		}
		at, ok := c.of(l, l.after).Get()
		if !ok {
			return model.Maybe[model.Instant]{}
		}
		earliest = min(earliest, at)
	}
	return model.Known(earliest)
}

// sinceEmptied is the earliest expiry of the offsets of a group that lost its members.
func (c expiryClock) sinceEmptied(emptied model.Maybe[model.Instant], last commits) model.Maybe[model.Instant] {
	earliest := model.Forever
	for _, l := range last {
		at, ok := c.of(l, emptied).Get()
		if !ok {
			return model.Maybe[model.Instant]{}
		}
		earliest = min(earliest, at)
	}
	return model.Known(earliest)
}

// of is when one offset expires whose clock started then. One that was committed with an expiry of its
// own has no other clock.
func (c expiryClock) of(l committed, start model.Maybe[model.Instant]) model.Maybe[model.Instant] {
	if l.expires.IsKnown() {
		return l.expires
	}
	return c.after(start)
}

// commits are the instants after which a group's offsets were last committed, as far as seen.
type commits []committed

type committed struct {
	topic          string
	after, expires model.Maybe[model.Instant]
}

// commitsByGroup lists them for the positions that are there, or for those that were as well.
func (p *Predictor) commitsByGroup(absentToo bool) map[string]commits {
	out := make(map[string]commits, len(p.tenures))
	for key, q := range p.pairs {
		if q.seen && (absentToo || !q.absent) {
			out[key.Group] = append(out[key.Group], committed{key.Topic, q.committedAfter, q.commit.all().Expires})
		}
	}
	return out
}

// groupOutlooks are those of the groups that have offsets to expire. The coordinator of share
// groups keeps theirs, and positions kept elsewhere are not Kafka's to expire.
func (p *Predictor) groupOutlooks() map[string]GroupOutlook {
	out := map[string]GroupOutlook{}
	clock, ok := p.expiryClock()
	byGroup := p.commitsByGroup(false)
	for name, t := range p.tenures {
		kept := t.group.Kind == model.KindShare || t.group.Kind == model.KindExternal
		if ok && len(byGroup[name]) > 0 && !t.gone.IsKnown() && !kept {
			out[name] = GroupOutlook{OffsetsExpire: clock.expires(t, byGroup)}
		}
	}
	return out
}
