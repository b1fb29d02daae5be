package score_test

import (
	"slices"
	"testing"
	"time"

	"kafka-retention-exporter/test/score"
)

// at is an instant of the run, in seconds.
func at(seconds float64) time.Time {
	return time.Unix(1_800_000_000, 0).Add(time.Duration(seconds * float64(time.Second)))
}

func instants(seconds ...float64) (all []time.Time) {
	for _, s := range seconds {
		all = append(all, at(s))
	}
	return all
}

// span is from and to pairs of seconds.
func spans(seconds ...float64) (all []score.Span) {
	for s := range slices.Chunk(seconds, 2) {
		all = append(all, score.Span{From: at(s[0]), To: at(s[1])})
	}
	return all
}

// of scores one pair in a run of 180 s for 3 days, a horizon of 4 h being 10 s and a notice of 24
// min a second.
func of(losses, surprises []time.Time, fired []score.Span) score.Figures {
	run := score.Run{From: at(0), To: at(180), Scale: 60.0 / 86400, Fates: []score.Fate{{Pair: "a", Losses: losses, Surprises: surprises}}}
	f := score.Of(run, score.Alarms{"a": fired, "b": spans(1, 2)}, score.Terms{Horizon: 4 * time.Hour, Notice: 24 * time.Minute})
	f.Days = 0
	return f
}

func TestOf(t *testing.T) {
	hours := func(h float64) []time.Duration { return []time.Duration{time.Duration(h * float64(time.Hour))} }
	episode := func(f score.Figures) score.Figures { f.Episodes = 1; return f }
	for name, c := range map[string]struct {
		losses, surprises []time.Time
		fired             []score.Span
		want              score.Figures
	}{
		"silent over a healthy pair":            {nil, nil, nil, score.Figures{}},
		"silent over a loss":                    {instants(100), nil, nil, score.Figures{Episodes: 1}},
		"on until the loss":                     {instants(100), nil, spans(90, 101), episode(score.Figures{Recalled: 1, Right: 1, Leads: hours(4)})},
		"just within two horizons":              {instants(100), nil, spans(80, 101), episode(score.Figures{Recalled: 1, Right: 1, Leads: hours(8)})},
		"earlier than that, and still on":       {instants(100), nil, spans(79, 101), episode(score.Figures{Recalled: 1, Early: 1, Leads: hours(8.4)})},
		"earlier than that, and off again":      {instants(100), nil, spans(60, 70), episode(score.Figures{Early: 1})},
		"off when two horizons are left":        {instants(100), nil, spans(60, 80), episode(score.Figures{Early: 1})},
		"off a little later":                    {instants(100), nil, spans(60, 80.5), episode(score.Figures{Recalled: 1, Early: 1, Leads: hours(16)})},
		"at the notice":                         {instants(100), nil, spans(99, 101), episode(score.Figures{Recalled: 1, Right: 1, Leads: hours(0.4)})},
		"later than the notice":                 {instants(100), nil, spans(99.5, 101), episode(score.Figures{Right: 1})},
		"after the loss":                        {instants(100), nil, spans(100, 101, 103, 120), episode(score.Figures{After: 2})},
		"three times before and once after":     {instants(100, 106), nil, spans(70, 71, 85, 86, 90, 100, 104, 110), episode(score.Figures{Recalled: 1, Early: 1, Right: 2, Flaps: 2, After: 1, Leads: hours(6)})},
		"over a healthy pair":                   {nil, nil, spans(20, 21), score.Figures{False: 1}},
		"at the end, and no loss yet":           {nil, nil, spans(159, 160, 161, 180), score.Figures{False: 1, Open: 1}},
		"a surprise takes the records":          {instants(100), instants(99.5), spans(70, 71, 85, 101), score.Figures{Early: 1, Open: 1}},
		"a surprise that does not":              {nil, instants(99.5), spans(70, 71, 85, 101), score.Figures{False: 1, Open: 1}},
		"after a surprise":                      {nil, instants(99.5), spans(110, 111), score.Figures{Open: 1}},
		"a surprise after the loss is too late": {instants(100), instants(101), spans(90, 101), episode(score.Figures{Recalled: 1, Right: 1, Leads: hours(4)})},
	} {
		t.Run(name, func(t *testing.T) {
			have := of(c.losses, c.surprises, c.fired)
			if !slices.EqualFunc(have.Leads, c.want.Leads, near) {
				t.Errorf("leads %v, want %v", have.Leads, c.want.Leads)
			}
			have.Leads, c.want.Leads = nil, nil
			if !equal(have, c.want) {
				t.Errorf("got  %+v\nwant %+v", have, c.want)
			}
		})
	}
}

// near is equal but for the rounding of the scale.
func near(a, b time.Duration) bool { return (a - b).Abs() < time.Millisecond }

func equal(a, b score.Figures) bool {
	return [8]int{a.Episodes, a.Recalled, a.Flaps, a.Right, a.Early, a.False, a.Open, a.After} ==
		[8]int{b.Episodes, b.Recalled, b.Flaps, b.Right, b.Early, b.False, b.Open, b.After}
}

func TestShares(t *testing.T) {
	f := score.Pool(
		score.Figures{Episodes: 3, Recalled: 2, Right: 3, Early: 1, Flaps: 1, Leads: []time.Duration{3 * time.Hour, time.Hour}, Days: 2},
		score.Figures{Episodes: 1, Recalled: 1, Right: 0, False: 2, Open: 7, After: 9, Leads: []time.Duration{2 * time.Hour}, Days: 1},
	)
	if f.Recall() != 0.75 || f.Precision() != 0.5 || f.FlapsEach() != 0.25 || f.Judged() != 6 || f.Days != 3 || f.Open != 7 || f.After != 9 {
		t.Errorf("recall %v, precision %v, flaps %v of %+v", f.Recall(), f.Precision(), f.FlapsEach(), f)
	}
	if f.F1() < 0.6-1e-9 || f.F1() > 0.6+1e-9 {
		t.Errorf("F1 %v, want 0.6", f.F1())
	}
	for q, want := range map[float64]time.Duration{0: time.Hour, 0.1: time.Hour, 0.5: 2 * time.Hour, 0.9: 3 * time.Hour, 1: 3 * time.Hour} {
		if lead, ok := f.Lead(q); !ok || lead != want {
			t.Errorf("lead at %v: %v, %v; want %v", q, lead, ok, want)
		}
	}
	var none score.Figures
	if _, ok := none.Lead(0.5); ok || none.Recall() != 0 || none.Precision() != 0 || none.F1() != 0 {
		t.Error("nothing has a score")
	}
}

func TestDaysAreOfAllPairsAtTheScale(t *testing.T) {
	f := score.Of(score.Run{From: at(0), To: at(180), Scale: 60.0 / 86400, Fates: make([]score.Fate, 5)}, nil, score.Terms{})
	if f.Days < 14.999 || f.Days > 15.001 {
		t.Errorf("%v days, want 5 pairs for 3", f.Days)
	}
}

func TestSpans(t *testing.T) {
	have := score.Spans(instants(5, 1, 1.5, 2, 2, 5.5, 8), 500*time.Millisecond)
	if want := spans(1, 2.5, 5, 6, 8, 8.5); !slices.Equal(have, want) {
		t.Errorf("got %v, want %v", have, want)
	}
}
