package scenario

import (
	"slices"
	"strings"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// zero is the instant from which the tests count in seconds.
var zero = time.Unix(1_800_000_000, 0)

func at(seconds float64) time.Time { return zero.Add(time.Duration(seconds * float64(time.Second))) }

// move is a log start seen to go from one offset to another within 0.2 s.
func move(from, to int64, seconds float64) kafkatest.Change {
	return kafkatest.Change{From: from, To: to, After: at(seconds - 0.1), Before: at(seconds + 0.1)}
}

// said is a record of a group that committed offset 10 at 0 s, on a topic of which offsets below 20 go at
// 100 s, with one forecast a second made by f.
func said(until int, f func(second float64, f *Forecast)) *Record {
	r := &Record{
		Pair:      Pair{Group: "g", Topic: "t"},
		Scenario:  Scenario{Name: "t", Rule: ByTime, Retention: 100 * time.Second},
		Moves:     []kafkatest.Change{move(0, 20, 100)},
		Commits:   []Commit{{Offset: 10, Sent: at(-10), Acked: at(-10)}},
		PollEvery: time.Second,
		Check:     time.Second,
	}
	for s := range until {
		one := &Forecast{Pair: r.Pair, MadeAt: at(float64(s)), Position: 10, HasPosition: true}
		if s > 100 {
			one.State, one.Lost = "lost", 10
		}
		f(float64(s), one)
		r.Polls = append(r.Polls, Poll{At: at(float64(s)), Forecast: one})
	}
	return r
}

// perfect gives the real instant for everything.
func perfect(_ float64, f *Forecast) {
	f.Floor, f.Stopped, f.Loss = At(at(100)), At(at(100)), At(at(100))
}

func TestScore(t *testing.T) {
	for name, c := range map[string]struct {
		record *Record
		loses  bool
		broken string // part of the only line of Broken; empty for none
	}{
		"a perfect forecast breaks nothing":            {said(110, perfect), true, ""},
		"a floor after the real instant is late":       {said(110, with(func(_ float64, f *Forecast) { f.Floor = At(at(100.2)) })), true, "floor later"},
		"a floor at infinity is late":                  {said(110, with(func(_ float64, f *Forecast) { f.Floor = Never() })), true, "floor later"},
		"a floor within the sampler's window is not":   {said(110, with(func(_ float64, f *Forecast) { f.Floor = At(at(100.1)) })), true, ""},
		"an absent floor counts after the second poll": {said(110, with(func(s float64, f *Forecast) { absent(f, s >= 50 && s < 52) })), true, "floor present in 106 of 108"},
		"an absent floor in the first two does not":    {said(110, with(func(s float64, f *Forecast) { absent(f, s < 2) })), true, ""},
		"an estimate 7 % off and 2 s is right":         {said(110, with(func(s float64, f *Forecast) { f.Stopped = At(at(100 + 0.05*(100-s) + 2)) })), true, ""},
		"an estimate further off is wrong":             {said(110, with(func(s float64, f *Forecast) { f.Stopped = At(at(100 + 0.05*(100-s) + 2.2)) })), true, "stopped loss off in 50 of 50"},
		"no estimate is wrong":                         {said(110, with(func(_ float64, f *Forecast) { f.Stopped = When{} })), true, "stopped loss off in 50 of 50"},
		"early estimates are not asked":                {said(110, with(func(s float64, f *Forecast) { f.Stopped = At(at(100 + (100-s)*float64(1-min(1, int(s)/50)))) })), true, ""},
		"lost must be said":                            {said(110, with(func(_ float64, f *Forecast) { f.State = "" })), true, "lost said in 0 of 7"},
		"lost must not be said before":                 {said(90, with(func(s float64, f *Forecast) { f.State = map[bool]string{true: "lost"}[s > 80] })), false, "lost said in 9 though"},
		"the count must be right":                      {said(110, with(func(s float64, f *Forecast) { f.Lost = 11 })), true, "11 lost, in truth 10 to 10"},
		"a foreign position is wrong":                  {said(90, with(func(s float64, f *Forecast) { f.Position = 9 })), false, "not committed then"},
		"no forecast is broken":                        {&Record{Scenario: Scenario{Rule: ByTime}}, false, "no forecast at all"},
		"a script that does not lose is broken":        {said(90, perfect), true, "should have made it lose"},
		"a script that loses is broken":                {said(110, perfect), false, "should not have made it lose"},
	} {
		t.Run(name, func(t *testing.T) {
			c.record.Group.Loses = c.loses
			check(t, ScoreOf(c.record).Broken(), c.broken)
		})
	}
}

// with changes a perfect forecast.
func with(change func(second float64, f *Forecast)) func(float64, *Forecast) {
	return func(s float64, f *Forecast) {
		perfect(s, f)
		change(s, f)
	}
}

func absent(f *Forecast, is bool) {
	if is {
		f.Floor = When{}
	}
}

func check(t *testing.T, broken []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(broken) > 0:
		t.Errorf("broken: %q, want nothing", broken)
	case want != "" && (len(broken) != 1 || !strings.Contains(broken[0], want)):
		t.Errorf("broken: %q, want one with %q", broken, want)
	}
}

func TestTightnessIsJudgedOverAllPairs(t *testing.T) {
	for share, broken := range map[float64]string{0.81: "", 0.79: "at 0.79 of the time left"} {
		loose := said(90, with(func(s float64, f *Forecast) { f.Floor = At(at(s + share*(100-s))) }))
		few := said(10, with(func(s float64, f *Forecast) { f.Floor = At(at(s)) }))
		check(t, Broken(ScoreAll([]*Record{without(loose), without(few)})), broken)
	}
}

// without makes nothing of the script's own duty to lose records.
func without(r *Record) *Record {
	r.Polls = r.Polls[:min(len(r.Polls), 49)] // before estimates are asked
	return r
}

func TestWhatNobodyCouldForeseeIsNotAsked(t *testing.T) {
	r := said(110, with(func(_ float64, f *Forecast) { f.Floor, f.Stopped = At(at(200)), At(at(200)) }))
	r.Group.Loses = true
	r.Happened = []Happening{{Name: "delete records", Begin: at(95), End: at(95.9), Breaks: true}}
	if s := ScoreOf(r); s.FloorLabelled != 5 || s.StoppedAsked != 4 {
		t.Errorf("judged %d floors and %d estimates, want the five and four made after the event", s.FloorLabelled, s.StoppedAsked)
	}
	r.Happened[0].Breaks = false
	if s := ScoreOf(r); s.FloorLate != s.FloorLabelled || s.FloorLate < 100 {
		t.Errorf("%d of %d floors are late without the event, want all of 100 and more", s.FloorLate, s.FloorLabelled)
	}
}

func TestAMoveIsOfTheTopicItHappenedTo(t *testing.T) {
	r := said(110, with(func(_ float64, f *Forecast) { f.Floor = At(at(500)) }))
	r.Moves = []kafkatest.Change{{From: 5, To: 0, After: at(50), Before: at(51), Recreated: true}, move(0, 20, 100)}
	r.Happened = []Happening{{Name: "re-create topic", Begin: at(49), End: at(52), Breaks: true, Recreates: true}}
	s := ScoreOf(r)
	if s.FloorAsked != 47 { // polls 2 to 48; the commit went with the topic
		t.Errorf("floor asked in %d polls, want those before the topic went", s.FloorAsked)
	}
	if s.LostAsked != 0 || s.LostJudged {
		t.Errorf("lost asked %d times, count judged %v: the commit went with the topic", s.LostAsked, s.LostJudged)
	}
}

func TestNothingIsDeletedMeansInfinity(t *testing.T) {
	infinite := func(_ float64, f *Forecast) { f.Floor, f.Stopped, f.Loss = Never(), Never(), Never() }
	for name, c := range map[string]struct {
		say    func(float64, *Forecast)
		broken string
	}{
		"infinity":         {infinite, ""},
		"a distant floor":  {func(s float64, f *Forecast) { infinite(s, f); f.Floor = At(at(1e9)) }, "in 78 of 78"},
		"an unknown loss":  {func(s float64, f *Forecast) { infinite(s, f); f.Loss = When{} }, "in 78 of 78"},
		"a distant runway": {func(s float64, f *Forecast) { infinite(s, f); f.Stopped = At(at(1e9)) }, "in 78 of 78"},
	} {
		t.Run(name, func(t *testing.T) {
			r := said(80, c.say)
			r.Scenario.Rule, r.Moves = ByNone, nil
			check(t, ScoreOf(r).Broken(), c.broken)
		})
	}
}

func TestHealthyGroupsAreNeverNear(t *testing.T) {
	for share, broken := range map[float64]string{0.31: "", 0.29: "near loss for a healthy group in 80 of 80"} {
		r := said(80, with(func(s float64, f *Forecast) { f.Loss = At(at(s + 100*share)) }))
		r.Group.Healthy = true
		check(t, ScoreOf(r).Broken(), broken)
	}
}

func TestSilentGroupsGiveTheReasonAndNoInstant(t *testing.T) {
	for name, c := range map[string]struct {
		say    func(float64, *Forecast)
		broken string
	}{
		"the reason":         {func(_ float64, f *Forecast) { f.Reason = "no_commit" }, ""},
		"another reason":     {func(_ float64, f *Forecast) { f.Reason = "stale" }, "no_commit said in 0 of 78"},
		"an instant as well": {func(s float64, f *Forecast) { f.Reason = "no_commit"; f.Floor = Never() }, "no_commit said in 0 of 78"},
	} {
		t.Run(name, func(t *testing.T) {
			r := said(80, c.say)
			r.Group.Silent = true
			check(t, ScoreOf(r).Broken(), c.broken)
		})
	}
}

func TestLostCountOfAMovingGroupIsBounded(t *testing.T) {
	r := said(200, perfect)
	r.Moves = []kafkatest.Change{move(0, 20, 100), move(20, 40, 150)}
	// It falls off at 100 s, skips to 20 at 104 s, and is at 24 when the next segment goes, or at 26 a second later.
	r.Commits = append(r.Commits, Commit{20, at(104), at(104)}, Commit{24, at(149), at(149)}, Commit{26, at(151.5), at(151.5)})
	s := ScoreOf(r)
	if s.LostLeast != 10+14 || s.LostMost != 10+16 {
		t.Errorf("lost %d to %d, want 24 to 26", s.LostLeast, s.LostMost)
	}
}

func TestAStaleSnapshotIsOneForecast(t *testing.T) {
	r := said(10, perfect)
	r.Polls = append(r.Polls, r.Polls[9], r.Polls[9])
	if got := ScoreOf(r).Forecasts; got != 10 {
		t.Errorf("%d forecasts, want 10", got)
	}
}

func TestThirteenAreDistinctAndComplete(t *testing.T) {
	all := Thirteen(time.Minute)
	var names []string
	kinds := map[Kind]bool{}
	for _, s := range all {
		names = append(names, s.Name)
		if len(s.Groups) == 0 {
			t.Errorf("%s has no group", s.Name)
		}
		for _, g := range s.Groups {
			kinds[g.Kind] = true
		}
		for _, e := range s.Events {
			if e.At >= Length(s.Retention) {
				t.Errorf("%s: an event at %v, after the end", s.Name, e.At)
			}
		}
	}
	slices.Sort(names)
	if len(all) != 13 || len(slices.Compact(names)) != 13 {
		t.Errorf("scenarios: %v", names)
	}
	if len(kinds) != 3 {
		t.Errorf("kinds of groups: %v, want all three", kinds)
	}
}

func TestLossesAndSurprises(t *testing.T) {
	r := said(0, perfect) // position 10, offsets below 20 go at 100 s
	r.Moves = append([]kafkatest.Change{move(0, 10, 50)}, r.Moves...)
	r.Moves = append(r.Moves, move(20, 30, 150), move(30, 40, 200))
	r.Moves[3].Recreated = true
	check := func(name string, have []time.Time, want ...float64) {
		t.Helper()
		if !slices.EqualFunc(have, want, func(a time.Time, b float64) bool { return a.Equal(at(b)) }) {
			t.Errorf("%s: %v, want %v", name, have, want)
		}
	}
	check("the position itself stays, a new topic takes nothing", r.Losses(), 99.9, 149.9)
	r.Commits = append(r.Commits, Commit{Offset: 25, Sent: at(120), Acked: at(120)}, Commit{Offset: 30, Sent: at(150.05), Acked: at(150.05)})
	check("a commit on its way may have saved them", r.Losses(), 99.9)
	r.Happened = []Happening{{Begin: at(20), End: at(21)}, {Begin: at(100), End: at(100.5), Breaks: true}}
	check("an event that may have taken them came first", r.Losses(), 100.1)
	check("surprises", r.Surprises(), 100)
}
