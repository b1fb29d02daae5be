package predictor_test

import (
	"math/rand"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// A burst brings batches larger by far than those of the segments seen before it, so that they roll
// segments earlier than those would. The floor must not be later for it.
func TestFloorHoldsThroughABurstOfLargeBatches(t *testing.T) {
	random := rand.New(rand.NewSource(9))
	close := 0
	for range 20 {
		close += burstWorld(t, random)
	}
	if close == 0 {
		t.Error("no floor stands on a segment: the burst meets nothing that it could break")
	}
}

// burstWorld plays one and tells how many floors are later than the record's own stamp gives.
func burstWorld(t *testing.T, random *rand.Rand) (close int) {
	const retention = model.Millis(200_000)
	set := settings(retention, -1, 7*86_400_000)
	set.SegmentBytes = model.Bytes(20_000 + random.Intn(10_000))
	from := epoch.Add(3*retention + model.Millis(random.Intn(100))*tick)
	until := from.Add(model.Millis(3+random.Intn(30)) * second)
	w := &world{t: t, settings: set, poll: 1000, check: 1000, phase: model.Millis(random.Intn(10)) * 100,
		state: "Stable", proto: "consumer", probes: []float64{0.3, 0.6, 0.8, 0.9, 0.95, 0.99}}
	w.moves = paced(10, 500)
	w.produce = func(now model.Instant) []model.Instant {
		if now.Sub(from)%second != 0 {
			return nil
		}
		n := 10
		if now >= from && now < until {
			n = 50 + random.Intn(30)
		}
		stamps := make([]model.Instant, n)
		for i := range stamps {
			stamps[i] = now
		}
		return stamps
	}
	w.run(4*retention + retention/2)
	for _, f := range w.made {
		floor, ok := f.Floor.Get()
		truth, gone := w.lossOf(f.position)
		state, _ := f.State.Get()
		if !ok || !gone || state == predictor.Lost || f.position >= w.endAt(f.at) {
			continue
		}
		if floor > truth {
			t.Errorf("%+v: at %d the floor of %v is %d, but it went at %d", set, f.at.Sub(epoch), f.position, floor.Sub(epoch), truth.Sub(epoch))
		}
		if next, ok := f.NextStamp.Get(); ok && floor.Sub(next) > retention+second {
			close++
		}
	}
	return close
}
