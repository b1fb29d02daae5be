package predictor_test

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

const roomyWorlds = 90

// TestFloorStaysCloseWhereSegmentsAreTold plays worlds in which segments last many polls, as they do
// in earnest, so that their borders can be told: the floor must be close to the real instant, and
// late nowhere.
func TestFloorStaysCloseWhereSegmentsAreTold(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	tight := map[string][]float64{}
	for i := range roomyWorlds {
		w, kind := roomyWorld(t, random)
		w.run(4 * w.retention())
		for _, f := range w.made {
			floor, ok := f.Floor.Get()
			truth, gone := w.lossOf(f.position)
			state, _ := f.State.Get()
			if !ok || !gone || state == predictor.Lost || f.position == w.endAt(f.at) {
				continue
			}
			if left := truth.Sub(f.at); left > 0 && f.at > max(epoch, w.restart).Add(w.retention()*3/2) {
				tight[kind] = append(tight[kind], float64(floor.Sub(f.at))/float64(left))
			}
			if floor > truth && !w.surged(f.at, truth) {
				t.Fatalf("world %d, %s, %+v: at %d the floor of %v is %d, but it went at %d",
					i, kind, w.settings, f.at.Sub(epoch), f.position, floor.Sub(epoch), truth.Sub(epoch))
			}
		}
	}
	for kind, shares := range tight {
		slices.Sort(shares)
		t.Logf("%s: %d floors, at %.3f of the time left in the median, at %.3f in the lowest tenth",
			kind, len(shares), shares[len(shares)/2], shares[len(shares)/10])
	}
	for _, kind := range []string{"time, rolls by bytes", "time, rolls by time", "time, rolls by either"} {
		if shares := tight[kind]; len(shares) == 0 || shares[len(shares)/2] < 0.8 {
			t.Errorf("%s: the floor is not close", kind)
		}
	}
}

// retention is how long a record stays, about.
func (w *world) retention() model.Millis {
	if w.settings.RetentionMs > 0 {
		return w.settings.RetentionMs
	}
	return 80_000
}

// roomyWorld draws how segments end, what stamps look like and which limits act.
func roomyWorld(t *testing.T, r *rand.Rand) (w *world, kind string) {
	const perSecond = 10 * (recordBytes + 61)
	retention := model.Millis(40_000 + r.Intn(80_000))
	set := settings(retention, -1, 7*86_400_000)
	set.SegmentBytes = 1 << 30
	share := model.Millis(2 + r.Intn(12)) // segments in a retention
	rolls := []string{"by bytes", "by time", "by either"}[r.Intn(3)]
	if rolls != "by time" {
		set.SegmentBytes = perSecond * model.Bytes(retention/share) / 1000
	}
	if rolls != "by bytes" {
		set.SegmentMs = retention / share
	}
	kind = "time, rolls " + rolls
	if r.Intn(4) == 0 {
		set.RetentionBytes = model.Bytes(perSecond*(0.5+r.Float64())) * model.Bytes(retention) / 1000
		if kind = "both, rolls " + rolls; r.Intn(2) == 0 {
			set.RetentionMs, kind = -1, "size, rolls "+rolls
		}
	}
	w = &world{t: t, settings: set, poll: 1000, check: 1000, phase: model.Millis(r.Intn(10)) * 100,
		state: "Stable", proto: "consumer", probes: []float64{0, 0.05, 0.2, 0.4, 0.7, 0.95}}
	if r.Intn(2) == 0 {
		w.restart = epoch.Add(model.Millis(r.Intn(3*int(retention))/100) * tick)
	}
	w.moves = paced(float64(1+r.Intn(20)), model.Millis(500*(1+r.Intn(4))))
	w.produce = roomyProducer(r, retention)
	return w, kind
}

// roomyProducer sends ten records a second on average, by day and night or evenly, with stamps in
// order or some of them late.
func roomyProducer(r *rand.Rand, retention model.Millis) func(model.Instant) []model.Instant {
	batch := 1 + r.Intn(3)
	late, most := 0.0, 1
	switch r.Intn(4) {
	case 0:
		late, most = 0.1, int(retention)/24
	case 1:
		late, most = 1, 300
	}
	season, depth := float64(retention)*(0.3+r.Float64()), 0.0
	switch r.Intn(3) {
	case 0:
		depth = 0.7
	case 1:
		depth = 1.5 // with a night in which nothing comes
	}
	due := 0.0
	return func(now model.Instant) []model.Instant {
		due += max(0, 1+depth*math.Sin(2*math.Pi*float64(now.Sub(epoch))/season)) * float64(tick) / 100
		if due < float64(batch) {
			return nil
		}
		stamps := make([]model.Instant, batch)
		for i := range stamps {
			due--
			stamps[i] = now
			if r.Float64() < late {
				stamps[i] = now.Add(-model.Millis(r.Intn(most)))
			}
		}
		return stamps
	}
}
