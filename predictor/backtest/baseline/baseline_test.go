package baseline_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/baseline"
	"kafka-retention-exporter/predictor/backtest/track"
)

// A retention of 9,600 s makes the windows R/96, R/24 and R/4 100 s, 400 s and 2,400 s, and the
// horizon 1,600 s. Records come at 10 a second from instant 0 with their stamps.
const (
	second    = model.Millis(1000)
	retention = 9600 * second
)

func at(seconds int) model.Instant { return model.Instant(0).Add(model.Millis(seconds) * second) }

// seen is a poll of a log that began at instant 0, whose record n is stamped n / 10 seconds.
func seen(now, start, committed int) track.Seen {
	s := track.Seen{At: at(now), Start: model.Offset(start), End: model.Offset(10 * now), Committed: model.Offset(committed), Oldest: model.Known(at(start / 10))}
	if committed < 10*now {
		s.Next = model.Known(at(committed / 10))
	}
	return s
}

func TestRules(t *testing.T) {
	none, forever := model.Maybe[model.Instant]{}, model.Known(model.Forever)
	known := func(seconds int) model.Maybe[model.Instant] { return model.Known(at(seconds)) }
	for _, c := range []struct {
		what, rule string
		polls      []track.Seen
		want       baseline.Answer // after the last poll
	}{
		// 6,000 offsets shrank by 1,000 in 100 s: 500 s more.
		{"shrinking", "headroom / rate", []track.Seen{seen(1000, 0, 6000), seen(1100, 1000, 6000)}, baseline.Answer{Loss: known(1600), Page: true}},
		// The poll 200 s ago has left the window; since the one before nothing moved.
		{"between steps", "headroom / rate", []track.Seen{seen(900, 0, 6000), seen(1000, 1000, 6000), seen(1100, 1000, 6000)}, baseline.Answer{Loss: forever}},
		{"one poll", "headroom / rate", []track.Seen{seen(1000, 0, 6000)}, baseline.Answer{Loss: none}},
		{"below the log start", "headroom / rate", []track.Seen{seen(1000, 0, 600), seen(1100, 1000, 600)}, baseline.Answer{Loss: known(1100), Page: true}},

		// Headrooms 6000, 5000, 6000, 3000 at 0, 100, 200, 300 s: slope -8 a second, mean 5000 at
		// 150 s, so 3800 at 300 s, which is 0 after 475 s.
		{"a line", "predict_linear[R/24]", []track.Seen{seen(1000, 0, 6000), seen(1100, 1000, 6000), seen(1200, 1000, 7000), seen(1300, 4000, 7000)}, baseline.Answer{Loss: known(1775), Page: true}},
		// Only what is at most 400 s old counts: 5000 throughout, though it was 9000 before.
		{"constant in the window", "predict_linear[R/24]", []track.Seen{seen(1000, 0, 9000), seen(1100, 4000, 9000), seen(1500, 4000, 9000)}, baseline.Answer{Loss: forever}},
		// The longer window still has the 9000: at 0, 100, 500 s 9000, 5000, 5000. Slope -5.71429 a
		// second about (200, 6333.33): 4619.05 at 500 s, 0 after 808.333 s.
		{"the same over R/4", "predict_linear[R/4]", []track.Seen{seen(1000, 0, 9000), seen(1100, 4000, 9000), seen(1500, 4000, 9000)}, baseline.Answer{Loss: model.Known(at(1500).Add(808_333)), Page: true}},
		{"one poll", "predict_linear[R/4]", []track.Seen{seen(1000, 0, 9000)}, baseline.Answer{Loss: none}},
		{"growing", "predict_linear[R/4]", []track.Seen{seen(1000, 0, 6000), seen(1100, 0, 7000)}, baseline.Answer{Loss: forever}},

		// Offset 10,500 was the end at 1,050 s.
		{"inside the table", "60-point table", []track.Seen{seen(1000, 0, 0), seen(1100, 0, 0), seen(1200, 0, 10500)}, baseline.Answer{Loss: known(1050 + 9600)}},
		{"below the table", "60-point table", []track.Seen{seen(1000, 0, 0), seen(1200, 0, 4000)}, baseline.Answer{Loss: known(400 + 9600)}},
		// The ends were at 50 a second and then at 150: the line through the first and the last is at
		// 100, though the first two are nearer.
		{"below the table, where it bends", "60-point table", []track.Seen{
			{At: at(1000), End: 10000, Committed: 0}, {At: at(1100), End: 15000, Committed: 0}, {At: at(1200), End: 30000, Committed: 8000},
		}, baseline.Answer{Loss: known(980 + 9600)}},
		{"nothing unread", "60-point table", []track.Seen{seen(1000, 0, 0), seen(1200, 0, 12000)}, baseline.Answer{Loss: forever}},
		{"flat", "60-point table", []track.Seen{{At: at(1000), End: 10, Committed: 5}, {At: at(1100), End: 10, Committed: 5}}, baseline.Answer{Loss: none}},
		{"one point", "60-point table", []track.Seen{seen(1000, 0, 5)}, baseline.Answer{Loss: none}},

		// The log start is stamped 400 s and the end is now, 1,000 s: 7,000 is halfway.
		{"halfway", "two-anchor line", []track.Seen{seen(1000, 4000, 7000)}, baseline.Answer{Loss: known(700 + 9600)}},
		// Records thin out: the line does not know.
		{"a bent curve", "two-anchor line", []track.Seen{{At: at(1000), Start: 0, End: 100, Committed: 75, Oldest: known(0), Next: known(10)}}, baseline.Answer{Loss: known(750 + 9600)}},
		{"no stamp", "two-anchor line", []track.Seen{{At: at(1000), Start: 0, End: 100, Committed: 75}}, baseline.Answer{Loss: none}},

		// Older than 7,680 s, and was younger.
		{"old and growing", "age > 0.8 R and growing", []track.Seen{seen(7600, 0, 0), seen(7690, 0, 0)}, baseline.Answer{Page: true}},
		{"not old enough", "age > 0.8 R and growing", []track.Seen{seen(7600, 0, 0), seen(7680, 0, 0)}, baseline.Answer{}},
		{"old but not growing", "age > 0.8 R and growing", []track.Seen{seen(8000, 0, 0), seen(8090, 0, 900)}, baseline.Answer{}},

		{"81 %", "lag ratio > 80 %", []track.Seen{{At: at(1), Start: 100, End: 200, Committed: 119}}, baseline.Answer{Page: true}},
		{"80 %", "lag ratio > 80 %", []track.Seen{{At: at(1), Start: 100, End: 200, Committed: 120}}, baseline.Answer{}},
		{"an empty log", "lag ratio > 80 %", []track.Seen{{At: at(1), Start: 100, End: 100, Committed: 100}}, baseline.Answer{}},

		{"far", "R - age", []track.Seen{seen(7000, 0, 0)}, baseline.Answer{Loss: known(9600)}},
		{"near", "R - age", []track.Seen{seen(8001, 0, 0)}, baseline.Answer{Loss: known(9600), Page: true}},
		{"overdue", "R - age", []track.Seen{seen(9700, 0, 0)}, baseline.Answer{Loss: known(9700), Page: true}},
		{"nothing unread", "R - age", []track.Seen{seen(100, 0, 1000)}, baseline.Answer{Loss: forever}},

		// The age grows by 50 s in 100: 7,600 s are left of the age, twice that of time.
		{"at half pace", "(R - age) / slope", []track.Seen{seen(3900, 0, 19500), seen(4000, 0, 20000)}, baseline.Answer{Loss: known(4000 + 15200)}},
		{"catching up", "(R - age) / slope", []track.Seen{seen(3900, 0, 19500), seen(4000, 0, 30000)}, baseline.Answer{Loss: forever}},
		{"one poll", "(R - age) / slope", []track.Seen{seen(4000, 0, 20000)}, baseline.Answer{Loss: none}},

		// Commits at 1,000 and 1,100 s, then silence for as long, and a second more.
		{"not yet stopped", "Burrow status", []track.Seen{seen(1000, 0, 100), seen(1100, 0, 200), seen(1200, 0, 200)}, baseline.Answer{}},
		{"stopped", "Burrow status", []track.Seen{seen(1000, 0, 100), seen(1100, 0, 200), seen(1201, 0, 200)}, baseline.Answer{Page: true}},
		{"one commit without lag hides it", "Burrow status", []track.Seen{seen(1000, 0, 10000), seen(1100, 0, 10500), seen(1301, 0, 10500)}, baseline.Answer{}},
		{"one commit tells nothing", "Burrow status", []track.Seen{seen(1000, 0, 100), seen(1301, 0, 100)}, baseline.Answer{}},
		{"ten commits behind", "Burrow status", commits(10, 9), baseline.Answer{Page: true}},
		{"ten commits as far behind", "Burrow status", commits(10, 10), baseline.Answer{Page: true}},
		{"nine are too few", "Burrow status", commits(9, 9), baseline.Answer{}},
		{"one gain is good", "Burrow status", append(commits(10, 9), seen(1010, 0, 9500)), baseline.Answer{}},

		{"no commit", "R - age", []track.Seen{{At: at(9000), End: 90000, Committed: -1, Next: known(0)}}, baseline.Answer{}},
	} {
		t.Run(c.rule+": "+c.what, func(t *testing.T) {
			judge := named(t, c.rule).Start(limited)
			var got baseline.Answer
			for _, s := range c.polls {
				got = judge(s)
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

var limited = baseline.Terms{Retention: retention, TimeLimit: model.Known(retention)}

func named(t *testing.T, name string) baseline.Rule {
	t.Helper()
	for _, r := range baseline.Rules() {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no rule %q", name)
	return baseline.Rule{}
}

// commits are polls a second apart from 1,000 s on, each with a commit of so many offsets more
// where ten came.
func commits(n, each int) []track.Seen {
	var polls []track.Seen
	for i := range n {
		polls = append(polls, seen(1000+i, 0, 5000+each*i))
	}
	return polls
}

func TestRulesOfAgeAreSilentUnderSize(t *testing.T) {
	for _, name := range []string{"60-point table", "two-anchor line", "age > 0.8 R and growing", "R - age", "(R - age) / slope"} {
		judge := named(t, name).Start(baseline.Terms{Retention: retention})
		judge(seen(9000, 0, 0))
		if got := judge(seen(9050, 0, 0)); got != (baseline.Answer{}) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// A long run must give what the window's samples alone give.
func TestLineIsThatOfItsWindow(t *testing.T) {
	long, short := named(t, "predict_linear[R/24]").Start(limited), named(t, "predict_linear[R/24]").Start(limited)
	var a, b baseline.Answer
	for now := 1000; now <= 50_000; now += 7 {
		s := seen(now, 0, 3_000_000_000-now*now)
		a = long(s)
		if now >= 50_000-400 {
			b = short(s)
		}
	}
	x, _ := a.Loss.Get()
	y, _ := b.Loss.Get()
	if d := x.Sub(y); d < -second || d > second || x == model.Forever {
		t.Errorf("got %v after a long run, %v from the window alone", x, y)
	}
}

// Rounding must not make a slope of none, or the loss is a long way off instead of never.
func TestConstantIsConstant(t *testing.T) {
	judge := named(t, "predict_linear[R/24]").Start(limited)
	var got baseline.Answer
	for now := range 600 {
		left := 1001
		if now < 190 {
			left += (now*now*7919 + 3) * 1_000_003
		}
		got = judge(seen(10_000+now, 0, left))
	}
	if got.Loss != model.Known(model.Forever) {
		t.Errorf("got %+v", got)
	}
}

func TestTermsAreThoseOfTheStart(t *testing.T) {
	byTime := track.Track{Retention: retention, Settings: model.Settings{Policy: model.PolicyDelete, RetentionMs: 5, RetentionBytes: -1}}
	if got := baseline.TermsOf(byTime); got.TimeLimit != model.Known[model.Millis](5) || got.Retention != retention {
		t.Errorf("got %+v", got)
	}
	bySize := track.Track{Retention: retention, Settings: model.Settings{Policy: model.PolicyDelete, RetentionMs: -1, RetentionBytes: 5}}
	if got := baseline.TermsOf(bySize); got.TimeLimit.IsKnown() {
		t.Errorf("got %+v", got)
	}
}
