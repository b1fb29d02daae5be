package sim

import (
	"math/rand"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/track"
)

// Exporter is how the partition is watched.
type Exporter struct {
	Poll     model.Millis
	Jitter   model.Millis // of the instant of a poll
	Takes    model.Millis // from the first read of a poll to the last, at most
	Missed   float64      // share of polls that do not happen
	Away     []interval   // when none happens
	Fails    float64      // share of facts that a poll cannot renew
	Restarts []model.Instant
	Remember bool         // it has a state file
	Skew     model.Millis // of its clock
}

// Names in the snapshots.
const (
	topicName = "t"
	groupName = "g"
)

var key = model.PartitionKey{Topic: topicName}

// exporter polls a world and forecasts: what the collector reads, in the collector's order, and
// the rounds of questions of the exporter's loop.
type exporter struct {
	Exporter
	plan      *Plan
	random    *rand.Rand
	pred      *predictor.Predictor
	polls     int // since the start
	restarts  []model.Instant
	remembers bool  // it was started with what it knew before
	saidLost  int64 // by the counters of those that ended
	counter   int64
	spent     time.Duration
	last      model.Partition // as the poll before left it
	settings  map[model.BrokerID]model.Read[model.Settings]
	sizedAt   model.Instant
	askedAt   model.Instant // when the followers were asked
	oldestOf  model.Offset  // the log start whose record's stamp is known
	configAt  model.Instant
	metaAt    model.Instant
	topicID   model.TopicID   // as the metadata told
	look      func(read bool) // called when the commits are, or are not, read
	groups    map[string]model.Group
	sized     model.Maybe[model.Bytes] // what had come when the size was read, in this poll
	seen      track.Seen
	attention model.Attention // what may rest
	doubt     bool            // the log start is read until it is answered
}

// The cadences of the collector (collector.Default) and of the exporter's loop (exporter/run.go).
const (
	sizesEvery    = 10 * minute
	configsEvery  = minute
	metadataEvery = minute
	replicasEvery = 5 * minute
	firstPolls    = 5
	firstRounds   = 16
	laterRounds   = 3
	clockError    = second // --clock.tolerance
)

func newExporter(p *Plan) *exporter {
	e := &exporter{Exporter: p.Exporter, plan: p, random: rand.New(rand.NewSource(p.seed(8))), restarts: p.Exporter.Restarts}
	e.start()
	return e
}

// start makes it know nothing.
func (e *exporter) start() {
	e.pred = predictor.New(predictor.Config{Poll: e.Poll, ClockTolerance: clockError})
	e.polls, e.last, e.groups = 0, model.Partition{}, nil
	e.settings = map[model.BrokerID]model.Read[model.Settings]{}
	e.sizedAt, e.askedAt, e.configAt, e.metaAt, e.oldestOf = 0, 0, 0, 0, -1
	e.attention, e.doubt = model.Attention{}, false
}

// restart starts it anew, with what its state file kept if it has one: then its counters go on.
func (e *exporter) restart() {
	before := e.pred.Memory()
	e.start()
	e.remembers = e.Remember
	if e.Remember {
		e.pred.Recall(before)
		return
	}
	e.saidLost, e.counter = e.saidLost+e.counter, 0
}

// forgot tells that this is the first poll of one that knows nothing of what was before.
func (e *exporter) forgot() bool { return e.polls == 1 && !e.remembers }

// schedule is when the poll after one at the given instant begins.
func (e *exporter) schedule(due model.Instant) model.Instant {
	at := due
	if e.Jitter > 0 {
		at = at.Add(model.Millis(e.random.Int63n(int64(e.Jitter))))
	}
	return at
}

// misses tells whether there is no poll at an instant. It draws in any case, so that what happens
// at one poll changes nothing about the others.
func (e *exporter) misses(at model.Instant) bool {
	missed := e.random.Float64() < e.Missed
	return missed || within(e.Away, at)
}

// poll reads the world and forecasts. It moves the world on while it reads.
func (e *exporter) poll(w *world) (p track.Poll, ok bool) {
	if len(e.restarts) > 0 && w.now >= e.restarts[0] {
		e.restarts = e.restarts[1:]
		e.restart()
	}
	started := w.now
	wait := e.random.Float64()
	if w.down() {
		return p, false
	}
	snap := e.read(w, wait)
	e.pred.Observe(snap)
	e.narrow(w)
	began := time.Now()
	report := e.pred.Report(e.clock(w))
	e.spent += time.Since(began)
	e.polls++
	e.attention = report.Attention
	p = track.Poll{At: started, Fresh: e.forgot(), Seen: e.see(w)}
	for _, f := range report.Pairs {
		if f.Key == (model.PairKey{Group: groupName, PartitionKey: key}) {
			p.Said = f
			e.counter = f.LostOffsets
		}
	}
	return p, true
}

// clock is the exporter's own.
func (e *exporter) clock(w *world) model.Instant { return w.now.Add(e.Skew) }

// narrow asks as the exporter's loop does.
func (e *exporter) narrow(w *world) {
	rounds := laterRounds
	if e.polls < firstPolls {
		rounds = firstRounds
	}
	for range rounds {
		questions := e.pred.Questions(1000)
		if len(questions) == 0 {
			return
		}
		answers := make([]model.TimeAnswer, 0, len(questions))
		for _, q := range questions {
			s := w.records.firstSince(q.At, w.log.Start())
			answers = append(answers, model.TimeAnswer{TimeQuestion: q, Stamped: s, Asked: e.clock(w)})
		}
		e.pred.Learn(answers)
	}
}

// see completes what the rules of thumb go by. They read everything at every poll.
func (e *exporter) see(w *world) track.Seen {
	s := e.seen
	s.Committed = -1
	if commit, ok := e.groups[groupName].Offsets[key].Get(); ok {
		s.Committed = commit.Offset
	}
	s.Next = w.records.stampOf(max(s.Committed, s.Start))
	s.Oldest = w.records.stampOf(s.Start)
	return s
}
