package sim

import (
	"hash/fnv"
	"math"
	"math/rand"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// Plan is everything that is drawn for one episode before it is played.
type Plan struct {
	Family  string
	Axis    track.Axis
	Tuned   bool
	Episode int
	Seed    int64
	// Draws are the entries that were drawn on the four axes, by name.
	Draws [4]string

	Retention model.Millis // R
	Check     model.Millis
	Backoff   model.Millis // of the cleaner threads
	Regime    Regime
	Rule      track.Rule
	Settings  model.Settings

	Producer  Producer
	Reader    Reader
	Incidents []Incident
	Exporter  Exporter
	// Replicated gives the partition a follower with passes of its own.
	Replicated           bool
	Phase, FollowerPhase model.Millis
	Tiered               bool

	// Begin is when the log is made, Start when the exporter starts, and Watch for how long it runs.
	Begin, Start model.Instant
	Watch        model.Millis
	Onset        model.Maybe[model.Instant]
	OnTime       bool
	Events       []track.Event
}

// Regime is what makes segments roll.
type Regime uint8

// Regimes.
const (
	RolledBySize Regime = iota + 1
	RolledByTime
	Giant // one segment holds about all
)

// String names the regime.
func (r Regime) String() string {
	return [...]string{"", "size-rolled", "time-rolled", "giant"}[r]
}

// seed is the start of one of the episode's independent sequences of random numbers: what one
// part of it draws does not change what another one does.
func (p *Plan) seed(part int) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(p.Family)) // never fails
	x := h.Sum64() ^ uint64(p.Seed)*0x9e3779b97f4a7c15 ^ uint64(p.Episode)*0xbf58476d1ce4e5b9 ^ uint64(part)*0x94d049bb133111eb
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int64((x ^ x>>31) >> 1)
}

// draw is a plan in the making.
type draw struct {
	*Plan
	*rand.Rand
	traces []Trace
	// records and bytes are what the log holds of one retention at the mean rate.
	bytes model.Bytes
	// span is about how much of the retention one segment holds, as a share.
	span float64
}

// Options are what all episodes of a run share.
type Options struct {
	Seed   int64
	Short  bool // episodes of two retentions and few polls
	Traces []Trace
}

// Draw plans an episode of a family: its own axis is what the family says, the others are drawn.
func Draw(f Family, o Options, episode int) *Plan {
	p := &Plan{Family: f.Name, Axis: f.Axis, Tuned: f.Tuned, Episode: episode, Seed: o.Seed}
	d := &draw{Plan: p, Rand: rand.New(rand.NewSource(p.seed(0))), traces: tracesFor(o.Traces, f.Tuned)}
	d.scale(o.Short)
	for i, axis := range [...]track.Axis{track.RuleAxis, track.ProducerAxis, track.GroupAxis, track.InfraAxis} {
		entry := f
		if f.Axis != axis {
			entry = d.common(axis)
		}
		p.Draws[i] = entry.Name
		entry.set(d)
		if axis == track.ProducerAxis {
			d.settle()
		}
	}
	return p
}

// scale draws what everything else is measured by.
func (d *draw) scale(short bool) {
	d.Retention = []model.Millis{6 * hour, 12 * hour, day, day, day, 2 * day, 3 * day}[d.Intn(7)]
	d.Check, d.Backoff = 300*second, 15*second
	d.Phase = model.Millis(d.Int63n(int64(d.Check)))
	d.FollowerPhase = model.Millis(d.Int63n(int64(d.Check)))
	d.Regime = Regime(d.Episode%3 + 1)
	coarse := 2.5 // how much more often polls are few than many
	d.Watch = 3 * d.Retention
	if short {
		d.Watch, coarse = 2*d.Retention, 6
	}
	const someDay = model.Instant(1_700_000_000_000)
	d.Start = someDay.Add(model.Millis(d.Int63n(int64(14 * day))))
	d.Begin = d.Start.Add(-d.share(1, 1.3))
	polls := 288 * math.Pow(10, math.Pow(d.Float64(), coarse))
	d.Exporter = Exporter{Poll: model.Millis(float64(d.Retention) / polls), Takes: model.Millis(20 + d.Intn(2000))}
	d.Exporter.Jitter = d.Exporter.Poll / 20
	if d.Intn(3) == 0 {
		d.Exporter.Missed = 0.02 * d.Float64()
	}
}

// share is a duration between two shares of the retention.
func (d *draw) share(from, to float64) model.Millis {
	return model.Millis(d.between(from, to) * float64(d.Retention))
}

func (d *draw) between(from, to float64) float64 { return from + (to-from)*d.Float64() }

// logBetween draws evenly in the logarithm.
func (d *draw) logBetween(from, to float64) float64 {
	return from * math.Pow(to/from, d.Float64())
}

func (d *draw) oneIn(n int) bool { return d.Intn(n) == 0 }

// end is when the watch ends.
func (p *Plan) end() model.Instant { return p.Start.Add(p.Watch) }

// event notes what nobody can foresee.
func (d *draw) event(at model.Instant, c track.Cause) {
	d.Events = append(d.Events, track.Event{At: at, Cause: c})
}

// settle makes the settings from the rule, the regime and what is produced. The shape is brought
// to a mean of 1 first.
func (d *draw) settle() {
	shape := d.Producer.Shape
	mean := max(1e-9, shape.mean(d.Begin, d.end()))
	d.Producer.Shape = func(t model.Instant) float64 { return shape(t) / mean }
	batches := d.between(3000, 8000)
	perBatch := d.logBetween(1, 60)
	d.Producer.Every = model.Millis(float64(d.Retention) / batches)
	d.Producer.PerMs = batches * perBatch / float64(d.Retention)
	d.Producer.Record = model.Bytes(d.logBetween(100, 4000))
	d.bytes = model.Bytes(batches * (perBatch*float64(d.Producer.Record) + overhead))
	d.limits()
	d.segments()
}

// limits turns the rule into retention.ms and retention.bytes.
func (d *draw) limits() {
	s := &d.Settings
	s.RetentionMs, s.RetentionBytes = -1, -1
	switch d.Rule {
	case track.ByTime:
		s.RetentionMs = d.Retention
	case track.BySize:
		s.RetentionBytes = d.bytes
	case track.ByBoth:
		s.RetentionMs = d.Retention
		s.RetentionBytes = model.Bytes(d.between(0.7, 1.3) * float64(d.bytes))
	}
}

// segments turns the regime into segment.bytes and segment.ms.
func (d *draw) segments() {
	s := &d.Settings
	const ample = 20
	s.SegmentMs, s.SegmentBytes = ample*d.Retention, ample*d.bytes
	switch d.Regime {
	case RolledBySize:
		d.span = d.logBetween(1.0/40, 1.0/3)
		s.SegmentBytes = model.Bytes(d.span * float64(d.bytes))
	case RolledByTime:
		d.span = d.logBetween(1.0/40, 1.0/3)
		s.SegmentMs = model.Millis(d.span * float64(d.Retention))
		if d.oneIn(8) {
			s.SegmentJitterMs = s.SegmentMs / 10
		}
	case Giant:
		d.span = d.between(1.02, 1.5)
		s.SegmentMs = model.Millis(d.span * float64(d.Retention))
	}
}
