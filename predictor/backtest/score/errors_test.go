package score_test

import (
	"math"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
)

func is(t *testing.T, what string, got score.Figure, want float64) {
	t.Helper()
	if !got.Known() || math.Abs(got.Value-want) > 1e-6*max(1, math.Abs(want)) {
		t.Errorf("%s: got %+v, want %v", what, got, want)
	}
}

func isUnknown(t *testing.T, what string, got score.Figure) {
	t.Helper()
	if got.Known() {
		t.Errorf("%s: got %+v, want nothing", what, got)
	}
}

func TestDeadline(t *testing.T) {
	// Six hours are left. The forecast is 36 minutes late: a tenth, and 7.2 checks.
	p := with(poll(0), func(p *track.Poll) {
		p.Gone = in(6 * hour)
		p.Said.Stopped = in(6*hour + 36*minute)
		p.Knowing.Stopped = in(6*hour - 18*minute)
	})
	s := judged(newTrack(p))
	mid := s.Deadline[score.Mid]
	is(t, "median", mid[ours].Median, 0.1)
	is(t, "p90", mid[ours].P90, 0.1)
	is(t, "mean in checks", mid[ours].Mean, 7.2)
	is(t, "p99 in checks", mid[ours].P99, 7.2)
	is(t, "present", mid[ours].Present, 1)
	is(t, "of the oracle, early", mid[oracle].Median, 0.05)
	// R - age says now + 6 h, the two anchors that the record is 10 hours old: now + 14 h.
	is(t, "R - age", mid[rule("R - age")].Median, 0)
	is(t, "two anchors", mid[rule("two-anchor line")].Median, 8.0/6)
	isUnknown(t, "a rule of the moving group", mid[rule("predict_linear[R/4]")].Median)
	is(t, "cold", s.Deadline[score.Cold][ours].Median, 0.1)
	isUnknown(t, "near", s.Deadline[score.Near][ours].Median)
	isUnknown(t, "far", s.Deadline[score.Far][ours].Median)
	isUnknown(t, "warm", s.Deadline[score.Warm][ours].Median)
}

func TestDeadlineSpecialCases(t *testing.T) {
	base := with(poll(0), func(p *track.Poll) {
		p.Gone, p.Said.Stopped = in(6*hour), in(6*hour)
	})
	for _, c := range []struct {
		what   string
		change func(*track.Track)
		median float64 // below 0: none
		share  float64 // present; below 0: none judged
	}{
		{"right", func(*track.Track) {}, 0, 1},
		{"never", func(t *track.Track) { t.Polls[0].Said.Stopped = never }, 9.99, 1},
		{"absurdly late", func(t *track.Track) { t.Polls[0].Said.Stopped = in(72 * hour) }, 9.99, 1},
		{"absent", func(t *track.Track) { t.Polls[0].Said.Stopped = maybe{} }, -1, 0},
		{"truth unknown", func(t *track.Track) { t.Polls[0].Gone = maybe{} }, -1, -1},
		{"lost already", func(t *track.Track) { t.Polls[0].Gone = in(0) }, -1, -1},
		{"below the log start", func(t *track.Track) { t.Polls[0].Seen.Start = 501 }, -1, -1},
		{"compacted too", func(t *track.Track) { t.Compacts = true }, -1, -1},
		{"tiered, by time", func(t *track.Track) { t.Settings.Tiered = true }, 0, 1},
		{"tiered, by size", func(t *track.Track) { t.Settings.Tiered, t.Rule = true, track.BySize }, -1, -1},
		{"an event before", func(t *track.Track) { t.Events = []track.Event{{At: begin, Cause: track.Reset}} }, 0, 1},
		{"an event between", func(t *track.Track) { t.Events = []track.Event{{At: begin.Add(1), Cause: track.Reset}} }, -1, -1},
		{"an event with the truth", func(t *track.Track) { t.Events = []track.Event{{At: begin.Add(6 * hour), Cause: track.Reset}} }, -1, -1},
		{"an event after", func(t *track.Track) { t.Events = []track.Event{{At: begin.Add(6*hour + 1), Cause: track.Reset}} }, 0, 1},
		{"a fault of the group between", func(t *track.Track) { t.Onset = in(hour) }, 0, 1},
	} {
		t.Run(c.what, func(t *testing.T) {
			one := newTrack(base)
			c.change(one)
			got := judged(one).Deadline[score.Mid][ours]
			switch {
			case c.share < 0:
				isUnknown(t, "present", got.Present)
			default:
				is(t, "present", got.Present, c.share)
			}
			if c.median < 0 {
				isUnknown(t, "median", got.Median)
			} else {
				is(t, "median", got.Median, c.median)
			}
		})
	}
}

// Edges of near, mid and far are 0.5, 2, 4, 8, 16 and 30 hours.
func TestRanges(t *testing.T) {
	for _, c := range []struct {
		left   model.Millis
		within int
	}{
		{30*minute - 1, -1}, {30 * minute, score.Near}, {2 * hour, score.Near}, {2*hour + 1, -1},
		{4*hour - 1, -1}, {4 * hour, score.Mid}, {8 * hour, score.Mid}, {8*hour + 1, -1},
		{16*hour - 1, -1}, {16 * hour, score.Far}, {30 * hour, score.Far}, {30*hour + 1, -1},
	} {
		s := judged(newTrack(with(poll(0), func(p *track.Poll) {
			p.Loss, p.Said.Loss = in(c.left), in(c.left)
		})))
		for w := range s.Loss {
			if got := s.Loss[w][ours].Median.Known(); got != (w == c.within) {
				t.Errorf("%d ms left: in range %d: %t", c.left, w, got)
			}
		}
	}
}

func TestWarm(t *testing.T) {
	// Two steps of the log start by the fourth poll. What is written after the start at 1000 is deleted
	// from the sixth on; the eighth starts anew. Two are warm, half an hour off of five hours: 6 checks.
	polls := every(9, func(i int, p *track.Poll) {
		p.Seen.Start = []model.Offset{0, 10, 10, 20, 20, 1001, 1002, 1003, 1004}[i]
		p.Seen.End = 2000
		if i == 0 {
			p.Seen.End = 1000
		}
		p.Fresh = i == 0 || i == 7
		p.Seen.Committed = 1500
		p.Gone = model.Known(p.At.Add(5 * hour))
		p.Said.Stopped = model.Known(p.At.Add(5 * hour))
		if i == 5 || i == 6 {
			p.Said.Stopped = model.Known(p.At.Add(5*hour + 30*minute))
		}
	})
	got := judged(newTrack(polls...)).Deadline
	is(t, "mean", got[score.Warm][ours].Mean, 6)
	is(t, "median", got[score.Warm][ours].Median, 0.1)
	is(t, "after two steps", got[score.Begun][ours].Mean, 2)
	is(t, "of all", got[score.Mid][ours].Median, 0)
	is(t, "cold", got[score.Cold][ours].Mean, 0)
}

func TestLoss(t *testing.T) {
	moving := func(change func(*track.Track)) score.Sheet {
		one := newTrack(with(poll(0), func(p *track.Poll) {
			p.Loss, p.Said.Loss = in(20*hour), in(15*hour)
			p.Said.Earliest, p.Said.Latest = in(12*hour), in(22*hour)
		}))
		change(one)
		return judged(one)
	}
	s := moving(func(*track.Track) {})
	is(t, "median", s.Loss[score.Far][ours].Median, 0.25)
	is(t, "coverage", s.Bands[score.Far][ours].Coverage, 1)
	is(t, "width", s.Bands[score.Far][ours].Width, 0.5)
	is(t, "unlimited", s.Bands[score.Far][ours].Unlimited, 0)
	// R - age says 6 hours where it is 20.
	is(t, "R - age", s.Loss[score.Far][rule("R - age")].Median, 0.7)
	isUnknown(t, "mean in checks", s.Loss[score.Far][ours].Mean)

	s = moving(func(t *track.Track) { t.Polls[0].Said.Latest = in(19 * hour) })
	is(t, "coverage below the truth", s.Bands[score.Far][ours].Coverage, 0)
	s = moving(func(t *track.Track) { t.Polls[0].Said.Earliest = in(21 * hour) })
	is(t, "coverage above the truth", s.Bands[score.Far][ours].Coverage, 0)
	s = moving(func(t *track.Track) { t.Polls[0].Said.Latest = never })
	is(t, "unlimited", s.Bands[score.Far][ours].Unlimited, 1)
	is(t, "coverage of an unlimited one", s.Bands[score.Far][ours].Coverage, 1)
	s = moving(func(t *track.Track) { t.Polls[0].Said.Earliest, t.Polls[0].Said.Latest = maybe{}, maybe{} })
	is(t, "unlimited where there is none", s.Bands[score.Far][ours].Unlimited, 1)

	s = moving(func(t *track.Track) { t.Onset = in(hour) })
	isUnknown(t, "across an onset", s.Loss[score.Far][ours].Present)
	isUnknown(t, "band across an onset", s.Bands[score.Far][ours].Coverage)
	s = moving(func(t *track.Track) { t.Onset = in(0) })
	is(t, "since the onset", s.Loss[score.Far][ours].Present, 1)
	s = moving(func(t *track.Track) { t.Events = []track.Event{{At: begin.Add(hour), Cause: track.Backfill}} })
	isUnknown(t, "across an event", s.Loss[score.Far][ours].Present)
}

// Of three polls of a group that is never lost one gives a loss within R.
func TestNever(t *testing.T) {
	s := judged(newTrack(every(3, func(i int, p *track.Poll) {
		p.Loss = never
		p.Said.Loss = []maybe{in(day), in(2 * day), never}[i]
	})...))
	is(t, "never", s.Never[ours], 1.0/3)
	is(t, "R - age", s.Never[rule("R - age")], 1)
}

// A family's figures are its own, and each half has its families.
func TestFamiliesAndHalves(t *testing.T) {
	var tracks []*track.Track
	for i, c := range []struct {
		family string
		tuned  bool
		rule   track.Rule
		said   model.Millis
	}{
		{"a", false, track.ByTime, 6 * hour}, {"a", false, track.BySize, 9 * hour}, {"b", true, track.ByTime, 12 * hour},
	} {
		one := newTrack(with(poll(0), func(p *track.Poll) { p.Gone, p.Said.Stopped = in(6*hour), in(c.said) }))
		one.Family, one.Tuned, one.Rule, one.Episode = c.family, c.tuned, c.rule, i
		tracks = append(tracks, one)
	}
	r := result(tracks...)
	if len(r.Held.Families) != 1 || len(r.Tuned.Families) != 1 || r.Held.Families[0].Name != "a" || r.Episodes != 3 || r.Held.Episodes != 2 {
		t.Fatalf("got %d and %d families, %d episodes", len(r.Held.Families), len(r.Tuned.Families), r.Episodes)
	}
	is(t, "by time", r.Held.Families[0].ByRule[track.ByTime].Deadline[score.Mid][ours].Median, 0)
	is(t, "by size", r.Held.Families[0].ByRule[track.BySize].Deadline[score.Mid][ours].Median, 0.5)
	is(t, "mean of both", r.Held.Families[0].All.Deadline[score.Mid][ours].Mean, 18)
	is(t, "pooled by size", r.Held.ByRule[track.BySize].Deadline[score.Mid][ours].Median, 0.5)
	is(t, "tuned", r.Tuned.All.Deadline[score.Mid][ours].Median, 1)
	if n := r.Held.ByRule[track.ByBoth].Episodes; n != 0 {
		t.Errorf("%d episodes under both rules", n)
	}
}

// An episode of a hundred forecasts weighs no more than eight.
func TestEpisodeIsThinned(t *testing.T) {
	long := newTrack(every(100, func(_ int, p *track.Poll) {
		p.Gone, p.Said.Stopped = model.Known(p.At.Add(6*hour)), model.Known(p.At.Add(6*hour))
	})...)
	short := newTrack(every(8, func(_ int, p *track.Poll) {
		p.Gone, p.Said.Stopped = model.Known(p.At.Add(6*hour)), model.Known(p.At.Add(9*hour))
	})...)
	is(t, "mean", judged(long, short).Deadline[score.Mid][ours].Mean, 18)
}
