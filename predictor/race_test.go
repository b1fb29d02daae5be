package predictor_test

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"slices"
	"sort"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// race is a moving group against the log start over days, at the scale of production: a day of
// retention, polls of 30 s, passes of the broker every five minutes.
type race struct {
	retention, segment, commit model.Millis
	size                       model.Bytes
	length                     model.Millis
	// produce and read are records a second at an instant since the beginning: what arrives, and
	// what the group could read.
	produce, read func(t model.Millis) float64
	noise         float64      // of the group's speed, drawn anew every ten minutes
	starts        model.Millis // when the exporter starts to look

	log       *model.Log
	batches   []model.Stamped // first offset and stamp of each
	now       model.Instant
	position  model.Offset
	reading   float64
	speed     float64
	pred      *predictor.Predictor
	looks     []look
	steps     []passed
	random    *rand.Rand
	committed model.Instant
	owed      float64
}

// look is what was said at one poll.
type look struct {
	at       model.Instant
	position model.Offset
	end      model.Offset
	predictor.Forecast
}

// passed is one step of the log start and where the group was then.
type passed struct {
	at              model.Instant
	start, position model.Offset
}

const raceTick = 10 * second

func (r *race) run(t *testing.T, seed int64) {
	r.random = rand.New(rand.NewSource(seed))
	if r.commit == 0 {
		r.commit = raceTick
	}
	set := settings(r.retention, -1, r.segment)
	if r.size > 0 {
		set = settings(-1, r.size, r.segment)
	}
	r.log, r.now, r.speed = model.NewLog(set, epoch), epoch, 1
	r.pred = predictor.New(predictor.Config{Poll: pollGap})
	phase := model.Millis(r.random.Intn(30)) * raceTick
	for ; r.now < epoch.Add(r.length); r.now = r.now.Add(raceTick) {
		since := r.now.Sub(epoch)
		r.arrive(t, since)
		if since%(300*second) == phase {
			r.log.SetHighWatermark(r.log.End())
			r.log.Pass(r.now)
			r.steps = append(r.steps, passed{r.now, r.log.Start(), r.position})
		}
		r.consume(since)
		if since%pollGap == 0 && since >= r.starts {
			r.look(set)
		}
	}
}

func (r *race) arrive(t *testing.T, since model.Millis) {
	r.owed += r.produce(since) * float64(raceTick) / 1000
	n := model.Offset(r.owed)
	if n == 0 {
		return
	}
	r.owed -= float64(n)
	end := r.log.End()
	r.batches = append(r.batches, model.Stamped{Offset: end, Stamp: r.now, Found: true})
	err := r.log.Append(r.now, model.Batch{Base: end, Last: end + n - 1, Size: 1000 * model.Bytes(n), MaxStamp: r.now, Stamped: true})
	if err != nil {
		t.Fatal(err)
	}
	r.log.SetHighWatermark(r.log.End())
}

func (r *race) consume(since model.Millis) {
	if since%(10*minute) == 0 {
		r.speed = max(0.05, 1+r.noise*r.random.NormFloat64())
	}
	r.reading = max(r.reading, float64(r.log.Start()))
	r.reading = min(float64(r.log.End()), r.reading+r.speed*r.read(since)*float64(raceTick)/1000)
	if r.now.Sub(r.committed) >= r.commit && model.Offset(r.reading) > r.position {
		r.position, r.committed = model.Offset(r.reading), r.now
	}
}

func (r *race) look(set model.Settings) {
	start, end := r.log.Start(), r.log.End()
	snap := &model.Snapshot{
		Started: r.now, At: r.now, Reached: true,
		Brokers: map[model.BrokerID]model.Broker{1: {ID: 1, Up: true,
			Settings: model.ReadAt(model.BrokerSettings{CheckInterval: 300 * second, OffsetsRetention: 7 * day}, r.now)}},
		Topics: map[string]model.Topic{"t": {Name: "t", Partitions: 1, ID: model.TopicID{1},
			Settings: map[model.BrokerID]model.Read[model.Settings]{1: model.ReadAt(set, r.now)}}},
		Partitions: map[model.PartitionKey]model.Partition{key: {Key: key, TopicID: model.TopicID{1}, Leader: 1, LeaderKnown: true,
			LogStart: model.ReadAt(start, r.now), End: model.ReadAt(end, r.now),
			Size:   model.ReadAt(model.SizeRead{Bytes: r.log.Size(), EndBefore: end, EndAfter: end, LogStart: start, Still: true}, r.now),
			Oldest: r.oldest(),
		}},
		Groups: map[string]model.Group{"g": {Name: "g", Kind: model.KindClassic, State: "Stable", ProtocolType: "consumer",
			OffsetsRead: model.ReadAt(struct{}{}, r.now),
			Offsets:     map[model.PartitionKey]model.Read[model.Commit]{key: model.ReadAt(model.Commit{Offset: r.position}, r.now)}}},
	}
	r.pred.Observe(snap)
	rounds := 3
	if len(r.looks) == 0 {
		rounds = 200
	}
	for range rounds {
		questions := r.pred.Questions(10)
		if len(questions) == 0 {
			break
		}
		var answers []model.TimeAnswer
		for _, q := range questions {
			answers = append(answers, r.answer(q))
		}
		r.pred.Learn(answers)
	}
	for _, f := range r.pred.Report(r.now).Pairs {
		r.looks = append(r.looks, look{r.now, r.position, end, f})
	}
}

func (r *race) oldest() model.Read[model.Stamped] {
	i := sort.Search(len(r.batches), func(i int) bool { return r.batches[i].Offset >= r.log.Start() })
	if i == len(r.batches) {
		return model.Read[model.Stamped]{}
	}
	return model.ReadAt(r.batches[i], r.now)
}

func (r *race) answer(q model.TimeQuestion) model.TimeAnswer {
	a := model.TimeAnswer{TimeQuestion: q, Asked: r.now}
	first := sort.Search(len(r.batches), func(i int) bool { return r.batches[i].Offset >= r.log.Start() })
	i := first + sort.Search(len(r.batches)-first, func(i int) bool { return r.batches[first+i].Stamp >= q.At })
	if i < len(r.batches) {
		a.Stamped = r.batches[i]
	}
	return a
}

// loss is when the log start next passed the moving group after a poll; ok is false where it did
// not before the race ended.
func (r *race) loss(at model.Instant) (model.Instant, bool) {
	i := sort.Search(len(r.steps), func(i int) bool { return r.steps[i].at > at })
	for ; i < len(r.steps); i++ {
		if r.steps[i].start > r.steps[i].position {
			return r.steps[i].at, true
		}
	}
	return 0, false
}

// score sums up a race.
type score struct {
	errors          [4][]float64 // relative to the time left: within a tenth, three tenths, one and more retentions
	missing         [4]int       // no loss in sight where there is one
	unknown         map[predictor.Reason]int
	alarms          int // a loss within two retentions where there is none
	safe            int // polls of a group that is not going to lose anything
	states          map[predictor.State]int
	flips           int // between states
	flaps           int // between a loss in sight and none
	pages           int
	untrue          int // of them, with no loss within twice the horizon
	covered, judged int
}

func (r *race) score() score {
	sc := score{states: map[predictor.State]int{}, unknown: map[predictor.Reason]int{}}
	var before predictor.State
	finite, paging := false, false
	until := r.now
	for _, l := range r.looks {
		if first, ever := r.loss(epoch); ever && l.at > first {
			break // what follows is the tail of one and the same loss
		}
		state, _ := l.State.Get()
		sc.states[state]++
		if before != 0 && state != before {
			sc.flips++
		}
		before = state
		if state == predictor.Lost {
			finite, paging = false, false
			continue
		}
		said, ok := l.Loss.Get()
		if !ok {
			why, _ := l.Reason.Get()
			sc.unknown[why]++
			continue
		}
		near := said != model.Forever && said.Sub(l.at) < 2*r.retention
		if near && !finite {
			sc.flaps++
		}
		finite = near
		truth, lost := r.loss(l.at)
		page := said != model.Forever && said.Sub(l.at) < r.retention/6
		if page && !paging {
			sc.pages++
			if !lost || truth.Sub(l.at) > r.retention/3 {
				sc.untrue++
			}
		}
		paging = page
		if !lost {
			if until.Sub(l.at) > 2*r.retention {
				sc.safe++
				if near {
					sc.alarms++
				}
			}
			continue
		}
		left := truth.Sub(l.at)
		bin := slices.IndexFunc([]float64{0.1, 0.3, 1, math.Inf(1)}, func(edge float64) bool { return float64(left) <= edge*float64(r.retention) })
		if said == model.Forever {
			sc.missing[bin]++
			sc.errors[bin] = append(sc.errors[bin], 9.99)
		} else {
			sc.errors[bin] = append(sc.errors[bin], math.Abs(float64(said.Sub(truth)))/float64(left))
		}
		early, _ := l.Earliest.Get()
		late, _ := l.Latest.Get()
		sc.judged++
		if early <= truth && truth <= late {
			sc.covered++
		}
	}
	return sc
}

func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(v))
	return s[int(q*float64(len(s)-1))]
}

func (s score) String() string {
	out := ""
	for i, name := range []string{"near", "mid", "far", "beyond"} {
		if len(s.errors[i]) > 0 {
			out += fmt.Sprintf("%s %.3f/%.3f (inf %d of %d)  ", name, quantile(s.errors[i], 0.5), quantile(s.errors[i], 0.9), s.missing[i], len(s.errors[i]))
		}
	}
	return out + fmt.Sprintf("unknown %v, false %d of %d, pages %d untrue %d, flips %d, flaps %d, cover %d/%d, %v", s.unknown, s.alarms, s.safe, s.pages, s.untrue, s.flips, s.flaps, s.covered, s.judged, s.states)
}

func always(v float64) func(model.Millis) float64 { return func(model.Millis) float64 { return v } }

// daily is a day and night about a mean.
func daily(mean, swing float64) func(model.Millis) float64 {
	return func(t model.Millis) float64 {
		return mean * (1 - swing*math.Cos(2*math.Pi*float64(t%day)/float64(day)))
	}
}

// from runs one thing and then another.
func from(t model.Millis, a, b func(model.Millis) float64) func(model.Millis) float64 {
	return func(now model.Millis) float64 {
		if now < t {
			return a(now)
		}
		return b(now)
	}
}

// limits are what a race may come to at most.
type limits struct {
	far           float64 // error of nine in ten, three tenths to one retention before the loss
	flaps, untrue int
}

// TestRaces plays moving groups against the log start. Each pace goes up and down by a fifth from
// ten minutes to ten minutes.
func TestRaces(t *testing.T) {
	full := always(1e6)
	for _, c := range []struct {
		name   string
		long   bool // only in the long form
		race   race
		limits limits
	}{
		{"healthy", false, race{produce: daily(10, 0.7), read: full, length: 3 * day}, limits{flaps: 0}},
		{"healthy, commits every 10 min", false, race{produce: daily(10, 0.7), read: full, length: 3 * day, commit: 10 * minute}, limits{flaps: 1}},
		{"stops", false, race{produce: daily(10, 0.7), read: from(2*day, full, always(0)), length: 4 * day}, limits{far: 0.12, flaps: 1}},
		{"reads nineteen of twenty", true, race{produce: always(10), read: from(2*day, full, always(9.5)), length: 12 * day}, limits{flaps: 20}},
		{"reads four of five", true, race{produce: always(10), read: from(2*day, full, always(8)), length: 8 * day}, limits{far: 0.6, flaps: 35}},
		{"reads four of five, day and night", true, race{produce: daily(10, 0.7), read: from(2*day, full, always(8)), length: 8 * day}, limits{far: 0.05, flaps: 25}},
		{"reads half", false, race{produce: daily(10, 0.7), read: from(2*day, full, always(5)), length: 4 * day}, limits{far: 0.2, flaps: 9}},
		{"reads half, commits every 10 min", true, race{produce: daily(10, 0.7), read: from(2*day, full, always(5)), length: 4 * day, commit: 10 * minute}, limits{far: 0.25, flaps: 5}},
		{"reads half, commits every hour", true, race{produce: daily(10, 0.7), read: from(2*day, full, always(5)), length: 4 * day, commit: hour}, limits{far: 0.3, flaps: 5}},
		{"barely keeps up", false, race{produce: daily(10, 0.7), read: always(10.5), length: 4 * day}, limits{flaps: 6}},
		{"barely keeps up, retention of 6 h", true, race{retention: 6 * hour, produce: daily(10, 0.7), read: always(10.5), length: 5 * day}, limits{flaps: 16}},
		{"stands still for 16 h, then hurries", true, race{produce: daily(10, 0.7), read: from(3*day, full, from(3*day+16*hour, always(0), always(25))), length: 8 * day}, limits{flaps: 2}},
		{"stands still for 22 h, then hurries a little", true, race{produce: daily(10, 0.3), read: from(3*day, full, from(3*day+22*hour, always(0), always(13))), length: 8 * day}, limits{flaps: 4, untrue: 1}},
		{"reads four of five, by size", true, race{size: 1000 * 864_000, produce: daily(10, 0.7), read: from(2*day, full, always(8)), length: 8 * day}, limits{far: 1, flaps: 25, untrue: 8}},
		{"watched from its fourth day on", false, race{produce: always(10), read: from(2*day, full, always(8)), length: 6 * day, starts: 5 * day}, limits{far: 0.5, flaps: 15}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.long && os.Getenv("KRE_FULL") == "" {
				t.Skip("in the long form only: set KRE_FULL=1")
			}
			r := c.race
			if r.retention == 0 {
				r.retention = day
			}
			r.noise, r.segment = 0.2, 2*hour
			r.run(t, 1)
			s := r.score()
			t.Log(s)
			if far := s.errors[2]; len(far) > 0 && quantile(far, 0.9) > c.limits.far {
				t.Errorf("nine in ten losses are within %.3f of the time left, want %.3f", quantile(far, 0.9), c.limits.far)
			}
			if s.flaps > c.limits.flaps || s.untrue > c.limits.untrue {
				t.Errorf("a loss came in sight %d times, %d pages were untrue, want no more than %d and %d", s.flaps, s.untrue, c.limits.flaps, c.limits.untrue)
			}
		})
	}
}
