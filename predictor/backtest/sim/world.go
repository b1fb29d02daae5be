package sim

import (
	"math/rand"

	"kafka-retention-exporter/model"
)

// world is one partition on its brokers, with a producer and a group. It is moved from event to
// event: batches, passes, commits and incidents, each at its instant.
type world struct {
	plan      *Plan
	now       model.Instant
	log       *model.Log
	follower  *model.Log
	records   records
	producer  *producing
	group     *reading
	incidents []Incident
	random    *rand.Rand // what happens on the brokers
	cleaner   cleaner
	unfetched model.Batch // what the follower does not have yet

	topic  int // how many times it was created again
	leader model.BrokerID
	epoch  int32
	passes map[model.BrokerID]model.Instant // the next pass of each broker
	upAt   model.Instant                    // the leader answers from then on

	starts   []move
	lost     int64
	fell     []fall // of the group below the log start
	watchers bool   // somebody polls: what is lost counts
}

// move is a move of the log start. One of a topic that was deleted goes to the end of all offsets.
type move struct {
	at    model.Instant
	topic int
	start model.Offset
}

// fall is a stretch of time in which the committed offset lies below the log start.
type fall struct{ interval }

// goneForGood is beyond all offsets.
const goneForGood = model.Offset(1<<63 - 1)

// leaderID and followerID are the two brokers.
const (
	leaderID   model.BrokerID = 1
	followerID model.BrokerID = 2
)

func newWorld(p *Plan) *world {
	begin := p.Begin
	w := &world{
		plan: p, now: begin, leader: leaderID,
		random:    rand.New(rand.NewSource(p.seed(1))),
		producer:  p.Producer.begin(begin, p.seed(2)),
		group:     p.Reader.begin(begin, p.seed(3)),
		incidents: p.Incidents,
		passes:    map[model.BrokerID]model.Instant{},
	}
	w.log = w.newLog(p.seed(4))
	w.passes[leaderID] = begin.Add(p.Phase)
	if p.Replicated {
		w.follower = w.newLog(p.seed(5))
		w.passes[followerID] = begin.Add(p.FollowerPhase)
	}
	return w
}

func (w *world) newLog(seed int64) *model.Log {
	l := model.NewLog(w.plan.Settings, w.now)
	jitter := rand.New(rand.NewSource(seed))
	l.SetJitter(func(bound model.Millis) model.Millis { return model.Millis(jitter.Int63n(int64(bound))) })
	return l
}

// advance plays all events up to and including an instant.
func (w *world) advance(to model.Instant) {
	for {
		at, do := w.soonest()
		if at > to {
			w.now = to
			return
		}
		w.now = max(w.now, at)
		do()
	}
}

// soonest is the next event: what comes first in this list where several are due.
func (w *world) soonest() (at model.Instant, do func()) {
	at, do = w.producer.next(), w.produce
	if at != model.Forever {
		at = max(at, w.upAt)
	}
	if t := w.passes[w.leader]; t < at {
		at, do = t, w.pass
	}
	if w.follower != nil {
		if t := w.passes[w.other()]; t < at {
			at, do = t, w.passFollower
		}
	}
	if t := max(w.group.next(), w.upAt); w.group.due != model.Forever && t < at {
		at, do = t, w.commit
	}
	if len(w.incidents) > 0 && w.incidents[0].At < at {
		at, do = w.incidents[0].At, w.strike
	}
	return at, do
}

func (w *world) other() model.BrokerID { return leaderID + followerID - w.leader }

func (w *world) produce() {
	l := w.producer.write(w.now)
	if l.records == 0 {
		return
	}
	w.append(model.Offset(l.records), l.bytes, l.first, l.newest)
	if w.plan.Producer.Markers {
		w.append(1, markerBytes, l.newest, l.newest)
	}
}

func (w *world) append(records model.Offset, bytes model.Bytes, first, newest model.Instant) {
	base := w.log.End()
	b := model.Batch{Base: base, Last: base + records - 1, Size: bytes, MaxStamp: newest, Stamped: true}
	write(w.log, w.now, b)
	if w.follower != nil {
		w.fetch(b)
	}
	w.records.add(written{base: b.Base, last: b.Last, first: min(first, newest), newest: newest, arrived: w.now}, bytes)
}

func write(l *model.Log, now model.Instant, b model.Batch) {
	if err := l.Append(now, b); err != nil {
		panic(err) // offsets are taken from the log itself
	}
	l.SetHighWatermark(l.End())
}

// fetch is the follower's copy of a batch. It fetches several at once, which it appends as one, so
// that its segments begin elsewhere.
func (w *world) fetch(b model.Batch) {
	if w.unfetched.Size > 0 {
		b = model.Batch{
			Base: w.unfetched.Base, Last: b.Last, Size: w.unfetched.Size + b.Size,
			MaxStamp: max(w.unfetched.MaxStamp, b.MaxStamp), Stamped: true,
		}
	}
	w.unfetched = b
	if w.random.Intn(3) == 0 {
		w.catchUp()
	}
}

// catchUp lets the follower have all there is.
func (w *world) catchUp() {
	if w.unfetched.Size > 0 {
		write(w.follower, w.now, w.unfetched)
		w.unfetched = model.Batch{}
	}
}

// every is the time between passes over the leader's log: the retention task's, the cleaner's for
// compacted topics and the remote expiration's for tiered ones.
func (w *world) every() model.Millis {
	switch {
	case w.plan.Settings.Tiered:
		return remoteTask
	case w.plan.Settings.Policy.Compacts():
		return w.plan.Backoff
	}
	return w.plan.Check
}

// pass is a retention pass on the leader, and when the next one is.
func (w *world) pass() {
	w.passes[w.leader] = w.passes[w.leader].Add(w.every())
	switch {
	case w.plan.Settings.Tiered:
		expireRemote(w.log, w.now)
	case w.plan.Settings.Policy.Compacts():
		w.cleaner.clean(w.log, w.now)
	default:
		w.log.Pass(w.now)
	}
	w.moved()
}

func (w *world) passFollower() {
	w.passes[w.other()] = w.passes[w.other()].Add(w.plan.Check)
	w.follower.Pass(w.now)
}

// moved notes a move of the log start, and what the group loses by it.
func (w *world) moved() {
	start, before := w.log.Start(), model.Offset(0)
	if n := len(w.starts); n > 0 && w.starts[n-1].topic == w.topic {
		before = w.starts[n-1].start
	}
	if start <= before {
		return
	}
	w.starts = append(w.starts, move{w.now, w.topic, start})
	w.records.trim(start)
	if w.follower != nil && w.follower.Start() < start {
		w.catchUp()
		_ = w.follower.RaiseStart(start) // it has all records by now
	}
	w.loses(before, start)
}

// loses counts what lies between two log starts and was not read.
func (w *world) loses(before, start model.Offset) {
	if !w.group.exists || w.group.committed >= start {
		return
	}
	if w.watchers {
		w.lost += int64(start - max(before, w.group.committed))
	}
	if n := len(w.fell); n == 0 || w.fell[n-1].to != model.Forever {
		w.fell = append(w.fell, fall{interval{w.now, model.Forever}})
	}
}

func (w *world) commit() {
	w.group.commit(w.now, w.log.Start(), w.log.End())
	n := len(w.fell)
	if n > 0 && w.fell[n-1].to == model.Forever && w.group.committed >= w.log.Start() {
		w.fell[n-1].to = w.now
	}
}

// down tells that the leader does not answer.
func (w *world) down() bool { return w.now < w.upAt }
