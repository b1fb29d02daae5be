package predictor_test

import (
	"fmt"
	"math/rand"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// world is one partition on one broker and one group, played second by second against the
// broker's own rules (package model). The predictor sees what an exporter sees: edges, size,
// position and answers by time.
type world struct {
	t        *testing.T
	settings model.Settings
	check    model.Millis
	phase    model.Millis
	poll     model.Millis
	// produce is the stamps of the batch that arrives in the tick that begins at now, if any.
	produce func(now model.Instant) []model.Instant
	// moves is where the group's committed offset goes in this tick.
	moves func(now model.Instant, at, start, end model.Offset) model.Offset
	state string
	proto string
	// probes are more groups, that stand at such shares of the way from log start to end.
	probes []float64
	// restart is when the predictor is started anew, with nothing known; 0 for never.
	restart model.Instant
	polled  func() // after each poll; may be nil

	now      model.Instant
	log      *model.Log
	stamps   []model.Instant
	position model.Offset
	pred     *predictor.Predictor
	starts   []step
	made     []forecast
	snapshot *model.Snapshot
	edges    map[model.Instant]edge // as polled
	bytes    []model.Bytes          // appended by the end of each tick
}

type edge struct{ start, end model.Offset }

type step struct {
	at    model.Instant
	start model.Offset
}

type forecast struct {
	at       model.Instant
	position model.Offset
	predictor.Forecast
}

const (
	tick        = model.Millis(100)
	recordBytes = 120
)

var key = model.PartitionKey{Topic: "t"}

func (w *world) run(length model.Millis) {
	w.now = 1_700_000_000_000
	w.log = model.NewLog(w.settings, w.now)
	w.edges = map[model.Instant]edge{}
	w.pred = predictor.New(predictor.Config{Poll: w.poll, ClockTolerance: 0})
	for end := w.now.Add(length); w.now < end; w.now = w.now.Add(tick) {
		w.tick()
	}
}

func (w *world) tick() {
	before := w.written(w.now)
	w.bytes = append(w.bytes, before)
	if batch := w.produce(w.now); len(batch) > 0 {
		w.append(batch)
	}
	if (model.Millis(w.now)-w.phase)%w.check == 0 {
		w.log.SetHighWatermark(w.log.End())
		w.log.Pass(w.now)
		w.starts = append(w.starts, step{w.now, w.log.Start()})
	}
	w.position = w.moves(w.now, w.position, w.log.Start(), w.log.End())
	if w.now == w.restart {
		w.pred = predictor.New(predictor.Config{Poll: w.poll, ClockTolerance: 0})
	}
	if model.Millis(w.now)%w.poll == 50 || model.Millis(w.now)%w.poll == 0 {
		w.observe()
	}
}

func (w *world) append(batch []model.Instant) {
	newest := batch[0]
	for _, s := range batch {
		newest = max(newest, s)
	}
	n := model.Offset(len(batch))
	err := w.log.Append(w.now, model.Batch{
		Base: w.log.End(), Last: w.log.End() + n - 1,
		Size: model.Bytes(61 + recordBytes*len(batch)), MaxStamp: newest, Stamped: true,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.log.SetHighWatermark(w.log.End())
	w.stamps = append(w.stamps, batch...)
	w.bytes[len(w.bytes)-1] += model.Bytes(61 + recordBytes*len(batch))
}

// written is how many bytes were appended before an instant.
func (w *world) written(at model.Instant) model.Bytes {
	i := min(int(at.Sub(epoch)/tick), len(w.bytes))
	if i <= 0 {
		return 0
	}
	return w.bytes[i-1]
}

func (w *world) observe() {
	w.snapshot = w.look()
	w.pred.Observe(w.snapshot)
	for range 12 {
		questions := w.pred.Questions(100)
		if len(questions) == 0 {
			break
		}
		var answers []model.TimeAnswer
		for _, q := range questions {
			answers = append(answers, w.answer(q))
		}
		w.pred.Learn(answers)
	}
	for _, f := range w.pred.Report(w.now).Pairs {
		position, _ := f.Position.Get()
		w.made = append(w.made, forecast{w.now, position, f})
	}
	if w.polled != nil {
		w.polled()
	}
}

func (w *world) answer(q model.TimeQuestion) model.TimeAnswer {
	a := model.TimeAnswer{TimeQuestion: q, Asked: w.now}
	for o := w.log.Start(); o < w.log.End(); o++ {
		if w.stamps[o] >= q.At {
			a.Stamped = model.Stamped{Offset: o, Stamp: w.stamps[o], Found: true}
			break
		}
	}
	return a
}

func (w *world) look() *model.Snapshot {
	start, end := w.log.Start(), w.log.End()
	w.edges[w.now] = edge{start, end}
	oldest := model.Stamped{}
	if start < end {
		oldest = model.Stamped{Offset: start, Stamp: w.stamps[start], Found: true}
	}
	size := model.SizeRead{Bytes: w.log.Size(), EndBefore: end, EndAfter: end, LogStart: start, Still: true}
	snap := &model.Snapshot{
		Started: w.now, At: w.now, Reached: true,
		Brokers: map[model.BrokerID]model.Broker{1: {ID: 1, Up: true,
			Settings: model.ReadAt(model.BrokerSettings{CheckInterval: w.check}, w.now)}},
		Topics: map[string]model.Topic{"t": {Name: "t", Partitions: 1, ID: model.TopicID{1},
			Settings: map[model.BrokerID]model.Read[model.Settings]{1: model.ReadAt(w.settings, w.now)}}},
		Partitions: map[model.PartitionKey]model.Partition{key: {
			Key: key, TopicID: model.TopicID{1}, Leader: 1, LeaderKnown: true,
			LogStart: model.ReadAt(start, w.now), End: model.ReadAt(end, w.now),
			Size: model.ReadAt(size, w.now), Oldest: model.ReadAt(oldest, w.now),
		}},
		Groups: map[string]model.Group{"g": w.group("g", w.position)},
	}
	for i, share := range w.probes {
		name := fmt.Sprint("probe", i)
		snap.Groups[name] = w.group(name, start+model.Offset(share*float64(end-start)))
	}
	return snap
}

func (w *world) group(name string, position model.Offset) model.Group {
	return model.Group{Name: name, Kind: model.KindClassic, State: w.state, ProtocolType: w.proto,
		OffsetsRead: model.ReadAt(struct{}{}, w.now),
		Offsets:     map[model.PartitionKey]model.Read[model.Commit]{key: model.ReadAt(model.Commit{Offset: position}, w.now)}}
}

// lossOf is when the log start really passed a position; ok is false if it did not in this run.
func (w *world) lossOf(position model.Offset) (model.Instant, bool) {
	for _, s := range w.starts {
		if s.start > position {
			return s.at, true
		}
	}
	return 0, false
}

func settings(retention model.Millis, size model.Bytes, segment model.Millis) model.Settings {
	s := model.DefaultSettings()
	s.RetentionMs, s.RetentionBytes, s.SegmentMs = retention, size, segment
	return s
}

// steadily produces n records every so often, stamped now.
func steadily(every model.Millis, n int) func(model.Instant) []model.Instant {
	return func(now model.Instant) []model.Instant {
		if model.Millis(now)%every != 0 {
			return nil
		}
		batch := make([]model.Instant, n)
		for i := range batch {
			batch[i] = now
		}
		return batch
	}
}

func until(stop model.Instant, f func(model.Instant) []model.Instant) func(model.Instant) []model.Instant {
	return func(now model.Instant) []model.Instant {
		if now >= stop {
			return nil
		}
		return f(now)
	}
}

// paced is a group that follows the end at most so many records a second and commits every gap.
func paced(perSecond float64, gap model.Millis) func(model.Instant, model.Offset, model.Offset, model.Offset) model.Offset {
	read := 0.0
	return func(now model.Instant, at, start, end model.Offset) model.Offset {
		read = min(max(read, float64(start), float64(at))+perSecond*float64(tick)/1000, float64(end))
		if model.Millis(now)%gap != 0 {
			return at
		}
		return model.Offset(read)
	}
}

func stopsAt(stop model.Instant, f func(model.Instant, model.Offset, model.Offset, model.Offset) model.Offset) func(model.Instant, model.Offset, model.Offset, model.Offset) model.Offset {
	return func(now model.Instant, at, start, end model.Offset) model.Offset {
		if now >= stop {
			return at
		}
		return f(now, at, start, end)
	}
}

const epoch = model.Instant(1_700_000_000_000)

func TestForecastsAgainstTheModel(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, c := range []struct {
		name  string
		world world
	}{
		{"stopped, time", world{settings: settings(60_000, -1, 6000), produce: steadily(100, 1), moves: stopsAt(epoch+70_000, paced(100, 1000))}},
		{"stopped, time, batches", world{settings: settings(60_000, -1, 6000), produce: steadily(500, 7), moves: stopsAt(epoch+70_000, paced(100, 1000))}},
		{"healthy, time", world{settings: settings(60_000, -1, 6000), produce: steadily(100, 1), moves: paced(100, 1000)}},
		{"slow, time", world{settings: settings(60_000, -1, 6000), produce: steadily(100, 1), moves: paced(6, 1000)}},
		{"idle producer", world{settings: settings(60_000, -1, 6000), produce: until(epoch+50_000, steadily(100, 1)), moves: stopsAt(epoch+30_000, paced(100, 1000))}},
		{"stopped, size", world{settings: settings(-1, 100_000, 6000), produce: steadily(100, 1), moves: stopsAt(epoch+70_000, paced(100, 1000))}},
		{"slow, size", world{settings: settings(-1, 100_000, 6000), produce: steadily(100, 1), moves: paced(7, 1000)}},
		{"stopped, both, size first", world{settings: settings(120_000, 100_000, 6000), produce: steadily(100, 1), moves: stopsAt(epoch+70_000, paced(100, 1000))}},
		{"stopped, both, time first", world{settings: settings(40_000, 150_000, 6000), produce: steadily(100, 1), moves: stopsAt(epoch+70_000, paced(100, 1000))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := c.world
			w.t, w.check, w.poll, w.phase, w.state = t, 1000, 1000, model.Millis(random.Intn(10))*100, "Empty"
			w.run(240_000)
			w.judge()
		})
	}
}

// judge checks floors, and prints how good the runway was.
func (w *world) judge() {
	var late, present, n, good, judged int
	worst := model.Millis(0)
	age, timed := w.settings.TimeLimit()
	for i, f := range w.made {
		if st, _ := f.State.Get(); st == predictor.Lost {
			continue
		}
		n++
		floor, ok := f.Floor.Get()
		if ok || i < 4 {
			present++
		}
		truth, happened := w.lossOf(f.position)
		if ok && happened && floor > truth {
			late++
			if late < 4 {
				w.t.Errorf("at %v floor %v of %d is later than the loss %v", f.at, floor, f.position, truth)
			}
		}
		if !happened || f.position == w.log.End() {
			continue
		}
		stopped, ok := f.Stopped.Get()
		left := truth.Sub(f.at)
		if (timed && left > age/2) || i < 6 {
			continue
		}
		judged++
		allowed := left/20 + 2000
		if !timed || w.settings.RetentionBytes > 0 {
			allowed = left/5 + 2000
		}
		if off := stopped.Sub(truth); ok && max(off, -off) <= allowed {
			good++
		} else {
			worst = max(worst, max(off, -off))
			if judged-good < 6 {
				w.t.Logf("at %d stopped of %d off by %d (left %d, ok %v, rule %v)", f.at.Sub(epoch), f.position, off, left, ok, f.Rule)
			}
		}
	}
	w.t.Logf("forecasts %d, floor present %d, late %d; runway judged %d good %d, worst %d", n, present, late, judged, good, worst)
	if judged > 0 && float64(good) < 0.98*float64(judged) {
		w.t.Errorf("only %d of %d runways are as good as they must be", good, judged)
	}
	if float64(present) < 0.99*float64(n) {
		w.t.Errorf("floor present in %d of %d", present, n)
	}
}
