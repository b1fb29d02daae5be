package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// deletion is what a pass really did.
type deletion struct {
	at    model.Instant
	bytes model.Bytes
}

// watcher notes what a world deletes and what was said about it.
type watcher struct {
	deletions []deletion
	said      []struct {
		at model.Instant
		predictor.Outlook
	}
	appended, size model.Bytes
	start          model.Offset
}

// watch makes the world report every second and note its deletions.
func (o *watcher) watch(w *world) {
	produce, moves := w.produce, w.moves
	w.produce = func(now model.Instant) []model.Instant {
		batch := produce(now)
		if n := len(batch); n > 0 {
			o.appended += model.Bytes(61 + recordBytes*n)
		}
		return batch
	}
	w.moves = func(now model.Instant, at, start, end model.Offset) model.Offset {
		if start != o.start {
			o.deletions = append(o.deletions, deletion{now, o.size + o.appended - w.log.Size()})
		}
		o.appended, o.size, o.start = 0, w.log.Size(), start
		if model.Millis(now)%1000 == 50 || model.Millis(now)%1000 == 0 {
			o.said = append(o.said, struct {
				at model.Instant
				predictor.Outlook
			}{now, w.pred.Report(now).Partitions[key]})
		}
		return moves(now, at, start, end)
	}
}

// next is the deletion at or after an instant: what is said in a tick stands on the poll before it.
func (o *watcher) next(at model.Instant) (deletion, bool) {
	for _, d := range o.deletions {
		if d.at >= at {
			return d, true
		}
	}
	return deletion{}, false
}

func TestNextDeletionAgainstTheModel(t *testing.T) {
	for _, c := range []struct {
		name  string
		world world
	}{
		{"time", world{settings: settings(60_000, -1, 6000), produce: steadily(100, 1), moves: paced(100, 1000)}},
		{"time, nobody reads", world{settings: settings(60_000, -1, 6000), produce: steadily(100, 1), moves: paced(0, 1000)}},
		{"size", world{settings: settings(-1, 100_000, 6000), produce: steadily(100, 1), moves: paced(100, 1000)}},
		{"producer stops", world{settings: settings(60_000, -1, 6000), produce: until(epoch+50_000, steadily(100, 1)), moves: paced(100, 1000)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, o := c.world, &watcher{}
			w.t, w.check, w.poll, w.state = t, 1000, 1000, "Stable"
			o.watch(&w)
			w.run(200_000)
			o.judge(t)
		})
	}
}

// judge holds the outlooks of the later part against what happened: the instant within two
// passes, the bytes within a tenth.
func (o *watcher) judge(t *testing.T) {
	judged, late, wrong := 0, 0, 0
	for _, s := range o.said {
		truth, ok := o.next(s.at)
		if !ok || s.at < epoch+20_000 {
			continue
		}
		judged++
		at, known := s.NextDeletion.Get()
		if off := at.Sub(truth.at); !known || max(off, -off) > 2000 {
			late++
			if late < 5 {
				t.Logf("at %d: next deletion %v, was at %v", s.at.Sub(epoch), at, truth.at)
			}
			continue
		}
		n, known := s.NextBytes.Get()
		if off := n - truth.bytes; !known || max(off, -off)*10 > truth.bytes {
			wrong++
			if wrong < 5 {
				t.Logf("at %d: %d bytes (%t), were %d", s.at.Sub(epoch), n, known, truth.bytes)
			}
		}
	}
	if judged < 40 {
		t.Fatalf("only %d outlooks to judge, %d deletions", judged, len(o.deletions))
	}
	if late*20 > judged || wrong*20 > judged {
		t.Errorf("of %d outlooks %d are off in time, %d in bytes", judged, late, wrong)
	}
}

func TestNothingToDelete(t *testing.T) {
	off := settings(-1, -1, 6000)
	inert := settings(1000, 1000, 6000)
	inert.Policy = model.PolicyCompact
	nothing := func(model.Instant) []model.Instant { return nil }
	for name, w := range map[string]world{
		"limits off":     {settings: off, produce: steadily(100, 1)},
		"limits inert":   {settings: inert, produce: steadily(100, 1)},
		"an empty log":   {settings: settings(1000, -1, 6000), produce: nothing},
		"future blocker": {settings: settings(1000, -1, 6000), produce: ahead(steadily(100, 1), 30*24*3_600_000)},
	} {
		t.Run(name, func(t *testing.T) {
			w.t, w.check, w.poll, w.moves = t, 1000, 1000, paced(0, 1000)
			w.run(10_000)
			out := w.pred.Report(w.now).Partitions[key]
			if at, ok := out.NextDeletion.Get(); !ok || at != model.Forever {
				t.Errorf("next deletion %v (%t), want never", at, ok)
			}
			if n, ok := out.NextBytes.Get(); ok {
				t.Errorf("bytes %d of a deletion that never comes", n)
			}
		})
	}
}

// ahead stamps records later than they come.
func ahead(f func(model.Instant) []model.Instant, by model.Millis) func(model.Instant) []model.Instant {
	return func(now model.Instant) []model.Instant {
		batch := f(now)
		for i := range batch {
			batch[i] = batch[i].Add(by)
		}
		return batch
	}
}

func TestTheFirstBlockerIsNamed(t *testing.T) {
	w := world{t: t, settings: settings(60_000, -1, 6000), check: 1000, poll: 1000, moves: paced(0, 1000)}
	w.produce = func(now model.Instant) []model.Instant {
		if now == epoch+5000 {
			return []model.Instant{now.Add(2 * 24 * 3_600_000)}
		}
		return steadily(1000, 1)(now)
	}
	w.run(20_000)
	r, ok := w.pred.Report(w.now).Partitions[key].Blocker.Get()
	if want := model.Offset(5); !ok || r.Offset != want {
		t.Errorf("blocker %+v (%t), want the record at offset %d", r, ok, want)
	}
}

// TestLogsAreWhatTheBrokerHas compares the believed segments with the real ones.
func TestLogsAreWhatTheBrokerHas(t *testing.T) {
	w := world{t: t, settings: settings(60_000, -1, 6000), check: 1000, poll: 1000, produce: steadily(100, 1), moves: stopsAt(epoch+30_000, paced(100, 1000))}
	w.run(45_000)
	logs := w.pred.Logs("t", w.now)
	if len(logs) != 1 || !logs[0].Laid || !logs[0].Sized {
		t.Fatalf("logs %+v", logs)
	}
	have, want := logs[0].Segments, w.log.Segments()
	if len(have) != len(want) {
		t.Fatalf("%d segments, the broker has %d", len(have), len(want))
	}
	for i := range want {
		if have[i].Base != want[i].Base || have[i].Size != want[i].Size && i+1 < len(want) {
			t.Errorf("segment %d: %+v, the broker has %+v", i, have[i], want[i])
		}
	}
	if r := logs[0].Readers; len(r) != 1 || r[0].Group != "g" || r[0].Before != model.Bytes(r[0].Position)*181 {
		t.Errorf("readers %+v", r)
	}
}

// TestSegmentsGoWhenItWasSaid holds the front drawn ahead against what the broker then does.
func TestSegmentsGoWhenItWasSaid(t *testing.T) {
	for name, set := range map[string]model.Settings{
		"by time": settings(60_000, -1, 6000),
		"by size": settings(-1, 60*10*181, 6000),
	} {
		t.Run(name, func(t *testing.T) {
			w := world{t: t, settings: set, check: 1000, poll: 1000, produce: steadily(100, 1), moves: paced(100, 1000)}
			w.run(90_000)
			said := w.pred.Logs("t", w.now)[0]
			for until := w.now.Add(50_000); w.now < until; w.now = w.now.Add(tick) {
				w.tick()
			}
			if len(said.Goes) != len(said.Segments) || len(said.Goes) < 8 {
				t.Fatalf("%d instants for %d segments", len(said.Goes), len(said.Segments))
			}
			for i := range 7 {
				gone, ok := w.lossOf(said.Segments[i].Base)
				if off := gone.Sub(said.Goes[i]); !ok || max(off, -off) > 2*w.check {
					t.Errorf("segment %d: said %v, gone %v (%t)", i, said.Goes[i], gone, ok)
				}
			}
		})
	}
}
