package predictor_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

const worlds = 2400

// TestFloorIsNeverLate plays random small worlds against the broker's own rules: whatever the
// rates, pauses, batches, segments and the disorder of stamps, nothing unread is deleted before
// the floor, and the instants of one forecast are in order.
func TestFloorIsNeverLate(t *testing.T) {
	random := rand.New(rand.NewSource(20))
	said, happened, excused := 0, 0, 0
	tight := map[string][]float64{}
	for i := range worlds {
		w := randomWorld(t, random)
		w.run(45_000)
		for _, f := range w.made {
			if problem := disorder(f.Forecast); problem != "" {
				t.Fatalf("world %d, %v at %d: %s", i, w.settings, f.at.Sub(epoch), problem)
			}
			floor, ok := f.Floor.Get()
			truth, gone := w.lossOf(f.position)
			state, _ := f.State.Get()
			if !ok || state == predictor.Lost {
				continue
			}
			said++
			if !gone || f.position == w.endAt(f.at) && w.emptyAt(f.at) {
				continue // of a position in an empty log the floor holds only without back-dated records
			}
			happened++
			if left := truth.Sub(f.at); left > 0 {
				tight[ruleOf(w.settings)] = append(tight[ruleOf(w.settings)], float64(floor.Sub(f.at))/float64(left))
			}
			switch {
			case floor <= truth:
			case w.surged(f.at, truth):
				excused++
			default:
				t.Fatalf("world %d, %v: at %d the floor of %v is %d, but it went at %d",
					i, w.settings, f.at.Sub(epoch), f.position, floor.Sub(epoch), truth.Sub(epoch))
			}
		}
	}
	t.Logf("%d floors, %d of positions that were deleted later, %d late after a surge", said, happened, excused)
	for rule, shares := range tight {
		slices.Sort(shares)
		t.Logf("limits %s: the floor is at %.3f of the time left in the median, at %.3f in the lowest tenth", rule, shares[len(shares)/2], shares[len(shares)/10])
	}
	if happened < 10*worlds || excused > happened/100 {
		t.Errorf("%d floors were put to the test, %d excused", happened, excused)
	}
}

func ruleOf(s model.Settings) string {
	switch {
	case s.RetentionBytes < 0:
		return "time"
	case s.RetentionMs < 0:
		return "size"
	}
	return "both"
}

// disorder names the first relation between the instants of a forecast that does not hold.
func disorder(f predictor.Forecast) string {
	at := func(m model.Maybe[model.Instant], unknown model.Instant) model.Instant {
		if v, ok := m.Get(); ok {
			return v
		}
		return unknown
	}
	loss, known := f.Loss.Get()
	floor := at(f.Floor, -model.Forever)
	switch {
	case known == f.Reason.IsKnown():
		return fmt.Sprintf("loss %v and reason %v", f.Loss, f.Reason)
	case f.Closest.IsKnown() && loss != model.Forever:
		return fmt.Sprintf("loss %v and closest approach %v", f.Loss, f.Closest)
	case floor > at(f.Stopped, model.Forever):
		return fmt.Sprintf("floor %v after the runway %v", f.Floor, f.Stopped)
	case known && !(floor <= at(f.Earliest, 0) && at(f.Earliest, model.Forever) <= loss && loss <= at(f.Latest, 0)):
		return fmt.Sprintf("floor %v, earliest %v, loss %v, latest %v", f.Floor, f.Earliest, f.Loss, f.Latest)
	}
	return ""
}

func randomWorld(t *testing.T, r *rand.Rand) *world {
	set := settings(-1, -1, model.Millis(1500+r.Intn(12_000)))
	set.SegmentBytes = model.Bytes(1500 + r.Intn(30_000))
	if kind := r.Intn(3); kind != 0 {
		set.RetentionMs = model.Millis(4000 + r.Intn(16_000))
		if kind == 2 {
			set.RetentionBytes = model.Bytes(3000 + r.Intn(30_000))
		}
	} else {
		set.RetentionBytes = model.Bytes(3000 + r.Intn(30_000))
	}
	w := &world{t: t, settings: set, poll: 1000, state: "Stable", proto: "consumer"}
	w.check = model.Millis(500 * (1 + r.Intn(6)))
	w.phase = model.Millis(r.Intn(int(w.check)/100)) * 100
	w.produce = randomProducer(r)
	if r.Intn(2) == 0 {
		w.restart = epoch.Add(model.Millis(r.Intn(400)) * tick)
	}
	stop := epoch.Add(model.Millis(5000 + r.Intn(35_000)))
	w.moves = stopsAt(stop, paced(float64(1+r.Intn(120)), model.Millis(200*(1+r.Intn(10)))))
	return w
}

// randomProducer sends batches at a steady mean with pauses; stamps are in order, or out of it by
// up to a minute, or sometimes somewhat ahead of the clock.
func randomProducer(r *rand.Rand) func(model.Instant) []model.Instant {
	every := model.Millis(100 * (1 + r.Intn(10)))
	most, behind, ahead := 1+r.Intn(8), 0, 0
	switch r.Intn(4) {
	case 0:
		behind = 60_000
	case 1:
		behind = 3000
	case 2:
		behind, ahead = 2000, 5000
	}
	pause, length := epoch.Add(model.Millis(r.Intn(60_000))), model.Millis(r.Intn(20_000))
	return func(now model.Instant) []model.Instant {
		if model.Millis(now)%every != 0 || now >= pause && now < pause.Add(length) {
			return nil
		}
		batch := make([]model.Instant, 1+r.Intn(most))
		for i := range batch {
			batch[i] = now
			if behind > 0 {
				batch[i] = batch[i].Add(model.Millis(r.Intn(ahead+1) - r.Intn(behind)))
			}
		}
		return batch
	}
}

// endAt and emptyAt are the log end, and whether the log was empty, as they were polled.
func (w *world) endAt(at model.Instant) model.Offset { return w.edges[at].end }

func (w *world) emptyAt(at model.Instant) bool { return w.edges[at].start == w.edges[at].end }

// surged tells whether more came in some second than the ceiling of the size rule allows: half
// as much again as in any second before the forecast was made.
func (w *world) surged(at, until model.Instant) bool {
	if w.settings.RetentionBytes < 0 {
		return false
	}
	most := func(from, to model.Instant) model.Bytes {
		best := model.Bytes(0)
		for t := from; t.Add(1000) <= to; t = t.Add(tick) {
			best = max(best, w.written(t.Add(1000))-w.written(t))
		}
		return best
	}
	watched := epoch // what the first poll finds there was not seen to come
	if at >= w.restart {
		watched = max(watched, w.restart.Add(w.poll-1))
	}
	watched = watched.Add(tick - model.Millis(watched)%w.poll)
	return float64(most(at, until)) > 1.5*float64(most(watched, at))
}
