package compressed

import (
	"slices"
	"testing"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/track"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/scenario"
)

var origin = time.UnixMilli(1_000_000_000_000)

// at is a number of seconds after the origin.
func at(seconds float64) time.Time {
	return origin.Add(time.Duration(seconds * float64(time.Second)))
}

func when(seconds float64) model.Instant { return model.InstantOf(at(seconds)) }

func known(seconds float64) model.Maybe[model.Instant] { return model.Known(when(seconds)) }

// recorded is a group that commits 5 at 0 s and 40 at 35 s, under a log start that moves to 10, 20, ... at 10.1 s,
// 20.1 s and so on until 60 s.
func recorded() *scenario.Record {
	r := &scenario.Record{
		Pair:     scenario.Pair{Group: "s.g", Topic: "s"},
		Scenario: scenario.Scenario{Name: "s", Rule: scenario.ByTime, Retention: time.Minute, Configs: map[string]string{"retention.ms": "60000"}},
		Group:    scenario.Group{Name: "g"}, PollEvery: time.Second, Check: time.Second,
		Commits: []scenario.Commit{{Offset: 5, Sent: at(0), Acked: at(0.01)}, {Offset: 40, Sent: at(35), Acked: at(35.01)}},
	}
	for i := 1; i <= 6; i++ {
		r.Moves = append(r.Moves, kafkatest.Change{From: int64(10 * (i - 1)), To: int64(10 * i), After: at(float64(10 * i)), Before: at(float64(10*i) + 0.2)})
	}
	return r
}

func TestWhatBecameOfAPosition(t *testing.T) {
	truth := truthOf(recorded())
	none := model.Maybe[model.Instant]{}
	for _, c := range []struct {
		what     string
		position model.Offset
		at       float64
		promised model.Maybe[model.Instant]
		want     model.Maybe[model.Instant]
	}{
		{"the middle of the window", 25, 1, none, known(30.1)},
		{"a base goes with the segment after it", 30, 1, none, known(40.1)},
		{"a promise within the window may have been kept", 25, 1, known(30.15), known(30.2)},
		{"a promise beyond the window was not", 25, 1, known(30.3), known(30.1)},
		{"gone already", 5, 15, none, known(10.1)},
		{"beyond all that happened", 60, 1, none, none},
	} {
		if got := truth.gone(c.position, when(c.at), c.promised); got != c.want {
			t.Errorf("%s: got %v, want %v", c.what, got, c.want)
		}
	}
}

func TestAMoveOverAPauseOfTheBrokerIsAtItsEnd(t *testing.T) {
	if got, want := instant(kafkatest.Change{After: at(10), Before: at(18)}), when(17.9); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestFallsAndReturns(t *testing.T) {
	r := recorded()
	want := []fall{{when(10.1), when(35.01)}, {when(50.1), model.Forever}}
	if got := truthOf(r).falls; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	r.Commits = append(r.Commits, scenario.Commit{Offset: 50, Sent: at(49.9), Acked: at(50.1)})
	if got := truthOf(r).falls; len(got) != 2 || got[1].from != when(60.1) {
		t.Errorf("a commit under way while the log start moved: got %v", got)
	}
}

// seenEvery is a poll a second, each with the position of its time.
func seenEvery(r *scenario.Record) []track.Poll {
	var all []track.Poll
	for s := range 60 {
		p := track.Poll{At: when(float64(s) + 0.5), Seen: track.Seen{Committed: 5}}
		if s >= 35 {
			p.Seen.Committed = 40
		}
		p.Seen.Start = model.Offset(truthOf(r).startAt(p.At))
		all = append(all, p)
	}
	return all
}

func TestEpisodesEndWithAReturnAndWithHelp(t *testing.T) {
	r := recorded()
	r.Happened = []scenario.Happening{
		{Kind: scenario.PaceChanged, Group: "g", Begin: at(2), End: at(2)},
		{Kind: scenario.PaceChanged, Group: "other", Begin: at(3), End: at(3)},
		{Kind: scenario.PaceChanged, Group: "g", Mends: true, Begin: at(40), End: at(40)},
	}
	all := tracks(r, seenEvery(r), 7, 1)
	if len(all) != 3 {
		t.Fatalf("%d episodes", len(all))
	}
	first, helped, last := all[0], all[1], all[2]
	if first.Onset != known(2) || helped.Onset.IsKnown() || last.Onset.IsKnown() {
		t.Errorf("onsets %v, %v, %v", first.Onset, helped.Onset, last.Onset)
	}
	if got := first.Polls[0]; got.Loss != known(10.1) || got.Gone != known(10.1) || len(got.States) != 0 {
		t.Errorf("before the loss: %+v", got)
	}
	if got := first.Polls[20]; got.Loss != known(10.1) || got.Gone != known(10.1) || !slices.Equal(got.States, []predictor.State{predictor.Lost}) {
		t.Errorf("after it: %+v", got)
	}
	if got := helped.Polls[0]; got.Loss != model.Known(model.Forever) || got.Gone != known(50.1) {
		t.Errorf("before help: %+v", got)
	}
	if got := last.Polls[0]; got.Loss != known(50.1) {
		t.Errorf("after it: %+v", got)
	}
}

func TestAnEventIsWhereItMovedTheLogStart(t *testing.T) {
	r := recorded()
	r.Happened = []scenario.Happening{
		{Kind: scenario.RecordsDeleted, Begin: at(9.9), End: at(10.15)},
		{Kind: scenario.TopicConfigured, Begin: at(19.9), End: at(20.15)},
		{Kind: scenario.PositionReset, Group: "other", Begin: at(21), End: at(21)},
	}
	want := []track.Event{{At: when(10.1), Cause: track.RecordsDeleted}, {At: when(19.9), Cause: track.ConfigChanged}}
	if got := truthOf(r).events(episode{from: when(0), to: when(60)}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestWhatNobodyCouldKnowToCome(t *testing.T) {
	r := recorded()
	for i := range 100 { // one offset each 200 ms, and twenty at once at 12 s
		s := kafkatest.Sample{Got: at(float64(i) / 5), End: int64(i)}
		if i >= 60 {
			s.End += 20
		}
		r.Samples = append(r.Samples, s)
	}
	truth := truthOf(r)
	polls := []track.Poll{
		{At: when(5), Seen: track.Seen{End: 25}},
		{At: when(6), Seen: track.Seen{End: 30}, Gone: known(11), Said: predictor.Forecast{Floor: known(12)}},
		{At: when(7), Seen: track.Seen{End: 35}, Gone: known(13), Said: predictor.Forecast{Floor: known(14)}},
		{At: when(8), Seen: track.Seen{End: 40}, Gone: known(13), Said: predictor.Forecast{Floor: known(12.5)}},
	}
	truth.surge(polls)
	want := []model.Maybe[float64]{{}, model.Known(1.0), model.Known(5.0), {}}
	for i, p := range polls {
		if p.Surge != want[i] {
			t.Errorf("poll %d: got %v, want %v", i, p.Surge, want[i])
		}
	}
}
