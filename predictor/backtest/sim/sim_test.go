package sim

import (
	"reflect"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/track"
)

// short are the options of tests: the same everywhere, with no traces.
var short = Options{Seed: 7, Short: true}

func family(t *testing.T, name string) Family {
	t.Helper()
	for _, f := range Families() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no family %q", name)
	return Family{}
}

func TestAnEpisodeIsTheSameEachTime(t *testing.T) {
	for _, name := range []string{"leader_change", "exporter_restarts"} {
		f := family(t, name)
		a, b := Play(Draw(f, short, 3)), Play(Draw(f, short, 3))
		a.Spent, b.Spent = 0, 0
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: two plays of one episode differ", name)
		}
		other := short
		other.Seed++
		if c := Play(Draw(f, other, 3)); reflect.DeepEqual(a.Polls, c.Polls) {
			t.Errorf("%s: another seed gives the same polls", name)
		}
	}
}

func TestForecastsDoNotKnowTheFuture(t *testing.T) {
	for _, name := range []string{"time", "size", "both", "daily", "slow_0.8", "missed_polls"} {
		f := family(t, name)
		as, changed := Draw(f, short, 5), Draw(f, short, 5)
		turn := as.Start.Add(40 * as.Exporter.Poll)
		shape := changed.Producer.Shape
		changed.Producer.Shape = func(at model.Instant) float64 {
			if at > turn {
				return 20 * shape(at)
			}
			return shape(at)
		}
		changed.Incidents = append(changed.Incidents, Incident{At: turn + 1, Kind: RecordsAreDeleted, Times: 0.9})
		a, b := Play(as), Play(changed)
		same, differ := 0, false
		for i := range min(len(a.Polls), len(b.Polls)) {
			p, q := a.Polls[i], b.Polls[i]
			alike := p.At == q.At && p.Seen == q.Seen && reflect.DeepEqual(p.Said, q.Said) && reflect.DeepEqual(p.Knowing, q.Knowing)
			switch {
			case p.At < turn.Add(-as.Exporter.Takes) && !alike:
				t.Fatalf("%s: poll %d, before anything changed, differs:\n%+v\n%+v", name, i, p, q)
			case p.At < turn:
				same++
			case !alike:
				differ = true
			}
		}
		if same == 0 || !differ {
			t.Errorf("%s: %d polls before the change, and a difference after it: %v", name, same, differ)
		}
	}
}

func TestFamiliesAreHeldOutByHalves(t *testing.T) {
	tuned, all, names := map[track.Axis]int{}, map[track.Axis]int{}, map[string]bool{}
	for _, f := range Families() {
		if names[f.Name] {
			t.Errorf("two families are named %s", f.Name)
		}
		names[f.Name] = true
		all[f.Axis]++
		if f.Tuned {
			tuned[f.Axis]++
		}
	}
	for axis, n := range all {
		if off := 2*tuned[axis] - n; off < -1 || off > 1 {
			t.Errorf("axis %d: %d of %d families are tuned on", axis, tuned[axis], n)
		}
	}
}

// plain is a plan by hand: a record of 100 bytes a second, retention 1 h, a pass each minute.
func plain(group Reader) *Plan {
	s := model.DefaultSettings()
	s.RetentionMs, s.SegmentMs = hour, 10*minute
	const begin = model.Instant(1_700_000_000_000)
	group.Born, group.Expires = begin, model.Forever
	return &Plan{
		Family: "by hand", Retention: hour, Check: minute, Phase: 30 * second, Regime: RolledByTime, Rule: track.ByTime, Settings: s,
		Producer: Producer{Shape: Flat, PerMs: 0.001, Every: 10 * second, Record: 100, Stop: model.Forever},
		Reader:   group,
		Exporter: Exporter{Poll: 10 * second},
		Begin:    begin, Start: begin.Add(70 * minute), Watch: 2 * hour,
	}
}

func TestLabelsOfAGroupThatStops(t *testing.T) {
	const after = 80 * minute
	p := plain(Reader{PerMs: 1, Gap: 10 * second, Protocol: "consumer", Kind: model.KindClassic})
	p.Reader.Spells = []Spell{{interval: interval{p.Begin.Add(after), model.Forever}}}
	got := Play(p)
	// Batches come every ten seconds or so, so segments hold a little more than ten minutes. It stops
	// in minute 80, in the eighth one, whose newest stamp is of minute 81: gone an hour after that.
	var gone model.Instant
	for _, poll := range got.Polls {
		at := poll.At.Sub(p.Begin)
		loss, ok := poll.Loss.Get()
		if !ok || loss == model.Forever {
			t.Fatalf("at %v the loss is not told", at.Duration())
		}
		if at < after+minute {
			continue
		}
		gone, _ = poll.Gone.Get()
		if gone != loss {
			t.Fatalf("at %v: gone at %v, lost at %v", at.Duration(), gone, loss)
		}
		want := predictor.Stalled
		if poll.At >= loss {
			want = predictor.Lost
		}
		if at > after+3*minute && (len(poll.States) != 1 || poll.States[0] != want) {
			t.Errorf("at %v: states %v", at.Duration(), poll.States)
		}
	}
	if at := gone.Sub(p.Begin); at < 141*minute || at > 143*minute {
		t.Errorf("it lost at %v", at.Duration())
	}
	if got.LostTrue < 30 || got.LostTrue > 120 || got.LostTrue != got.LostSaid {
		t.Errorf("lost %d, said %d", got.LostTrue, got.LostSaid)
	}
}

func TestLabelsOfAHealthyGroup(t *testing.T) {
	got := Play(plain(Reader{PerMs: 1, Gap: 10 * second, Protocol: "consumer", Kind: model.KindClassic, Sound: true}))
	for _, poll := range got.Polls {
		if loss, ok := poll.Loss.Get(); !ok || loss != model.Forever {
			t.Fatalf("loss %v at %v", poll.Loss, poll.At)
		}
		gone, ok := poll.Gone.Get()
		if left := gone.Sub(poll.At); !ok || left < hour || left > 72*minute {
			t.Errorf("a position at the end lives for %v", left.Duration())
		}
		if len(poll.States) != 1 || poll.States[0] != predictor.CaughtUp {
			t.Errorf("states %v", poll.States)
		}
	}
	if got.LostTrue != 0 {
		t.Errorf("lost %d", got.LostTrue)
	}
}

func TestTheLogIsTheModels(t *testing.T) {
	p := Draw(family(t, "disorder"), short, 1)
	w := newWorld(p)
	for w.now < p.end() {
		w.advance(w.now.Add(10 * p.Check))
		segments := w.log.Segments()
		last := segments[len(segments)-1]
		if last.Size == 0 {
			continue
		}
		for i, s := range segments {
			newest := model.Instant(0)
			for o := max(s.Base, w.log.Start()); o < model.Upper(segments, i, w.log.End()); o++ {
				at, _ := w.records.stampOf(o).Get()
				newest = max(newest, at)
			}
			if newest > s.Largest {
				t.Fatalf("segment %d holds a record of %v, and says %v", i, newest, s.Largest)
			}
			if s.Base >= w.log.Start() && newest != s.Largest {
				t.Fatalf("segment %d says %v, and holds no record newer than %v", i, s.Largest, newest)
			}
		}
	}
	if w.log.Start() == 0 {
		t.Error("nothing was deleted")
	}
}

func TestFirstSinceIsWhatASearchFinds(t *testing.T) {
	p := Draw(family(t, "disorder"), short, 2)
	w := newWorld(p)
	w.advance(p.Start.Add(p.Retention / 2))
	start, end := w.log.Start(), w.log.End()
	for i := range 50 {
		at := w.now.Add(-p.Retention / 40 * model.Millis(i))
		want := model.Stamped{}
		for o := start; o < end; o++ {
			if stamp, _ := w.records.stampOf(o).Get(); stamp >= at {
				want = model.Stamped{Offset: o, Stamp: stamp, Found: true}
				break
			}
		}
		if got := w.records.firstSince(at, start); got != want {
			t.Fatalf("first since %v: %v, want %v", at, got, want)
		}
	}
}
