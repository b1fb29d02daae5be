package predictor_test

import (
	"math/rand"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// resting is a world that is watched twice: once with everything read at every poll, and once
// with what the predictor says may rest left as it was.
type resting struct {
	*world
	rested    *predictor.Predictor
	attention model.Attention
	start     model.Read[model.Offset]
	size      model.Read[model.SizeRead]
	readings  int // of the log start
	sizings   int
	oldest    model.Millis // the log start's greatest age at a poll
	polls     int
}

// look is what a collector makes of the same poll under the attention of the last one.
func (r *resting) look() *model.Snapshot {
	s := *r.snapshot
	part := s.Partitions[key]
	_, limited := r.settings.SizeLimit()
	sized := limited && !r.attention.SizeRests(key, s.Started)
	if sized || !r.attention.LogStartRests(key, s.Started) {
		r.start = part.LogStart
		r.readings++
	}
	if sized {
		r.size = part.Size
		r.sizings++
	}
	part.LogStart, part.Size = r.start, r.size
	part.LogStartHolds = model.Known(s.Started)
	s.Partitions = map[model.PartitionKey]model.Partition{key: part}
	at, _ := r.start.At()
	r.oldest = max(r.oldest, s.Started.Sub(at))
	r.polls++
	return &s
}

// poll compares what both watches say of a loss.
func (r *resting) poll() {
	r.rested.Observe(r.look())
	for range 12 {
		questions := r.rested.Questions(100)
		if len(questions) == 0 {
			break
		}
		var answers []model.TimeAnswer
		for _, q := range questions {
			answers = append(answers, r.answer(q))
		}
		r.rested.Learn(answers)
	}
	report := r.rested.Report(r.now)
	r.attention = report.Attention
	everything := r.made[len(r.made)-1]
	for _, f := range report.Pairs {
		lost, lostToo := isLost(everything.Forecast), isLost(f)
		if lost != lostToo || f.LostOffsets != everything.LostOffsets {
			r.t.Fatalf("%v, check %d, at %d: lost %v with %d offsets, and %v with %d where readings rest",
				r.settings, r.check, r.now.Sub(epoch), lost, everything.LostOffsets, lostToo, f.LostOffsets)
		}
		if floor, ok := f.Floor.Get(); ok && !lost {
			if truth, gone := r.lossOf(everything.position); gone && floor > truth {
				r.t.Errorf("at %d: the floor is %d, and it went at %d", r.now.Sub(epoch), floor.Sub(epoch), truth.Sub(epoch))
			}
		}
	}
}

func isLost(f predictor.Forecast) bool {
	state, ok := f.State.Get()
	return ok && state == predictor.Lost
}

// TestWhatRestsHidesNoLoss plays random worlds whose passes are many polls apart. What a group
// loses is told in the same poll, and counted alike, whether the log start rests between passes or
// is read at every poll, and what rests is never older than an interval between passes.
func TestWhatRestsHidesNoLoss(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	readings, polls, lost := 0, 0, 0
	for range 150 {
		w := randomWorld(t, random)
		w.check = model.Millis(1000 * (6 + random.Intn(15)))
		w.phase = model.Millis(random.Intn(int(w.check)/100)) * 100
		w.restart = 0
		w.settings.RetentionMs = model.Millis(20_000 + random.Intn(100_000))
		w.settings.RetentionBytes = -1
		r := &resting{world: w, rested: predictor.New(predictor.Config{Poll: w.poll})}
		w.polled = r.poll
		w.run(200_000)
		if r.oldest > w.check+w.poll {
			t.Errorf("a log start was %v old, with passes every %v", r.oldest, w.check)
		}
		readings, polls = readings+r.readings, polls+r.polls
		if n := len(w.made); n > 0 && w.made[n-1].LostOffsets > 0 {
			lost++
		}
	}
	t.Logf("%d readings of the log start in %d polls, %d worlds with losses", readings, polls, lost)
	if lost < 40 || readings > polls*3/4 {
		t.Errorf("only %d worlds lost anything, and %d of %d log starts were read", lost, readings, polls)
	}
}

// TestSizesRestWhereTheRunwayIsLong: a size is worth a small part of the time that is left.
func TestSizesRestWhereTheRunwayIsLong(t *testing.T) {
	for _, c := range []struct {
		name       string
		limit      model.Bytes
		less, most int // sizes of 150 polls
	}{
		{"a day away", 100_000_000, 1, 20},
		{"minutes away", 400_000, 145, 150},
	} {
		w := &world{
			t: t, settings: settings(-1, c.limit, 60_000), check: 60_000, poll: 1000, state: "Empty",
			produce: steadily(100, 1), moves: stopsAt(epoch+20_000, paced(100, 1000)),
		}
		r := &resting{world: w, rested: predictor.New(predictor.Config{Poll: w.poll})}
		w.polled = r.poll
		w.run(150_000)
		if r.sizings < c.less || r.sizings > c.most {
			t.Errorf("%s: %d sizes of %d polls, want %d to %d", c.name, r.sizings, r.polls, c.less, c.most)
		}
	}
}
