package predictor_test

import (
	"math"
	"sort"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Durations of the cases, in milliseconds.
const (
	second = model.Millis(1000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// Sizes of the cases.
const (
	kib = model.Bytes(1024)
	mib = 1024 * kib
	gib = 1024 * mib
)

// scene is one partition and its groups as a broker would tell of them: facts are set by hand,
// then looked at. Instants are given as the time since epoch, "t" in the cases.
type scene struct {
	t        *testing.T
	pred     *predictor.Predictor
	settings model.Settings
	check    model.Millis
	poll     model.Millis
	id       model.TopicID

	start, end model.Offset
	// first is a record below which compaction took all.
	first model.Offset
	// newest is the running newest stamp: what ListOffsets by time goes by.
	newest func(model.Offset) model.Instant
	record model.Bytes // of one record; 0 where sizes are denied
	groups map[string]*reader
	change func(*model.Snapshot) // last touches to what the poll read

	now    model.Instant
	report *predictor.Report
}

// reader is a group as it is listed.
type reader struct {
	state, proto string
	position     model.Offset
	none         bool // it has no committed offset
	gone         bool // it is not listed
	kind         model.GroupKind
	subscribed   map[string]bool
	unfinished   model.Maybe[model.Offset] // of share groups
}

const pollGap = 30 * second

// newScene is a log under the given settings without groups: records of 100 bytes stamped one a
// second since t=0, of which none is there yet.
func newScene(t *testing.T, s model.Settings) *scene { return newSceneAt(t, s, pollGap) }

// newSceneAt is the same with another interval of the polls.
func newSceneAt(t *testing.T, s model.Settings, poll model.Millis) *scene {
	return &scene{
		t: t, settings: s, check: 300 * second, poll: poll, id: model.TopicID{1}, record: 100,
		pred:   predictor.New(predictor.Config{Poll: poll}),
		newest: rising(0, second), groups: map[string]*reader{},
	}
}

// rising stamps records evenly: offset 0 at t, one every gap.
func rising(t, gap model.Millis) func(model.Offset) model.Instant {
	return func(o model.Offset) model.Instant { return epoch.Add(t + gap*model.Millis(o)) }
}

// stamped gives every record one stamp.
func stamped(t model.Millis) func(model.Offset) model.Instant {
	return func(model.Offset) model.Instant { return epoch.Add(t) }
}

// reads adds a stable consumer group that has committed a position.
func (s *scene) reads(name string, position model.Offset) *reader {
	r := &reader{state: "Stable", proto: "consumer", position: position, kind: model.KindClassic}
	s.groups[name] = r
	return r
}

// at polls once at t, answers all questions, and reports.
func (s *scene) at(t model.Millis) *predictor.Report {
	s.now = epoch.Add(t)
	s.pred.Observe(s.snapshot())
	for range 3000 {
		questions := s.pred.Questions(10)
		if len(questions) == 0 {
			break
		}
		var answers []model.TimeAnswer
		for _, q := range questions {
			answers = append(answers, s.answer(q))
		}
		s.pred.Learn(answers)
	}
	s.report = s.pred.Report(s.now)
	return s.report
}

// during polls from one instant to another, with the facts set anew before each poll.
func (s *scene) during(from, to model.Millis, set func(t model.Millis)) {
	for t := from; t <= to; t += s.poll {
		set(t)
		s.at(t)
	}
}

func (s *scene) answer(q model.TimeQuestion) model.TimeAnswer {
	a := model.TimeAnswer{TimeQuestion: q, Asked: s.now}
	from := s.oldest()
	n := sort.Search(int(s.end-from), func(i int) bool { return s.newest(from+model.Offset(i)) >= q.At })
	if o := from + model.Offset(n); o < s.end {
		a.Stamped = model.Stamped{Offset: o, Stamp: s.newest(o), Found: true}
	}
	return a
}

func (s *scene) snapshot() *model.Snapshot {
	snap := &model.Snapshot{
		Started: s.now, At: s.now, Reached: true,
		Brokers: map[model.BrokerID]model.Broker{1: {ID: 1, Up: true,
			Settings: model.ReadAt(model.BrokerSettings{CheckInterval: s.check, OffsetsRetention: 7 * day}, s.now)}},
		Topics: map[string]model.Topic{"t": {Name: "t", Partitions: 1, ID: s.id,
			Settings: map[model.BrokerID]model.Read[model.Settings]{1: model.ReadAt(s.settings, s.now)}}},
		Partitions: map[model.PartitionKey]model.Partition{key: s.partition()},
		Groups:     map[string]model.Group{},
	}
	for name, r := range s.groups {
		if r.gone {
			continue
		}
		g := model.Group{Name: name, Kind: r.kind, State: r.state, ProtocolType: r.proto, Subscribed: r.subscribed,
			OffsetsRead: model.ReadAt(struct{}{}, s.now), Offsets: map[model.PartitionKey]model.Read[model.Commit]{}}
		if !r.none {
			g.Offsets[key] = model.ReadAt(model.Commit{Offset: r.position, Unfinished: r.unfinished}, s.now)
		}
		snap.Groups[name] = g
	}
	if s.change != nil {
		s.change(snap)
	}
	return snap
}

func (s *scene) partition() model.Partition {
	p := model.Partition{Key: key, TopicID: s.id, Leader: 1, LeaderKnown: true,
		LogStart: model.ReadAt(s.start, s.now), End: model.ReadAt(s.end, s.now)}
	if s.record > 0 {
		size := model.SizeRead{Bytes: s.record * model.Bytes(s.end-s.start), EndBefore: s.end, EndAfter: s.end, LogStart: s.start, Still: true}
		p.Size = model.ReadAt(size, s.now)
	}
	if o := s.oldest(); o < s.end {
		p.Oldest = model.ReadAt(model.Stamped{Offset: o, Stamp: s.newest(o), Found: true}, s.now)
	}
	return p
}

// oldest is the first record that is there.
func (s *scene) oldest() model.Offset { return max(s.start, s.first) }

// of is the forecast of a group.
func (s *scene) of(group string) saying {
	s.t.Helper()
	for _, f := range s.report.Pairs {
		if f.Key.Group == group {
			return saying{s.t, f}
		}
	}
	s.t.Fatalf("at %v nothing is said about %s", s.now, group)
	return saying{}
}

// saying is a forecast with checks that speak the language of the cases.
type saying struct {
	t *testing.T
	predictor.Forecast
}

// between checks an instant, both edges given as time since epoch and included.
func (f saying) between(what string, got model.Maybe[model.Instant], from, to model.Millis) {
	f.t.Helper()
	at, ok := got.Get()
	switch {
	case !ok:
		f.t.Errorf("%s is unknown, want %v to %v (%+v)", what, from.Duration(), to.Duration(), f.Reason)
	case at < epoch.Add(from) || at > epoch.Add(to):
		f.t.Errorf("%s at t=%v, want %v to %v", what, at.Sub(epoch).Duration(), from.Duration(), to.Duration())
	}
}

func (f saying) forever(what string, got model.Maybe[model.Instant]) {
	f.t.Helper()
	if at, ok := got.Get(); !ok || at != model.Forever {
		f.t.Errorf("%s is %v (known %v), want no loss in sight", what, at, ok)
	}
}

func (f saying) reads(lag model.Offset, lost int64) {
	f.t.Helper()
	if got, ok := f.Lag.Get(); !ok || got != lag {
		f.t.Errorf("lag is %v (known %v), want %v", got, ok, lag)
	}
	if f.LostOffsets != lost {
		f.t.Errorf("%d offsets are counted lost, want %d", f.LostOffsets, lost)
	}
}

// used checks the ratio to within a hundredth of its value.
func (f saying) used(want float64) {
	f.t.Helper()
	if got, ok := f.Used.Get(); !ok || math.Abs(got-want) > 0.01*want {
		f.t.Errorf("used ratio is %v (known %v), want %v", got, ok, want)
	}
}

func (f saying) state(want predictor.State) {
	f.t.Helper()
	if got, ok := f.State.Get(); !ok || got != want {
		f.t.Errorf("state is %v (known %v), want %v", got, ok, want)
	}
}

func (f saying) notLost() {
	f.t.Helper()
	if got, _ := f.State.Get(); got == predictor.Lost {
		f.t.Error("state is lost")
	}
}

// unknown checks that there is no loss instant, for the given reason.
func (f saying) unknown(want predictor.Reason) {
	f.t.Helper()
	if got, ok := f.Reason.Get(); !ok || got != want {
		f.t.Errorf("reason is %v (known %v), want %v", got, ok, want)
	}
	if f.Loss.IsKnown() || f.Earliest.IsKnown() || f.Latest.IsKnown() {
		f.t.Errorf("loss %v, earliest %v, latest %v, but it cannot be known", f.Loss, f.Earliest, f.Latest)
	}
}
