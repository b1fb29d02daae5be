package score_test

import (
	"math"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/track"
)

func TestFloor(t *testing.T) {
	// Ten hours are left of the position of all polls.
	promise := func(at model.Millis) track.Poll {
		return with(poll(0), func(p *track.Poll) { p.Gone, p.Said.Floor = in(10*hour), in(at) })
	}
	event := func(cause track.Cause, at model.Millis) func(*track.Track) {
		return func(t *track.Track) { t.Events = []track.Event{{At: begin.Add(at), Cause: cause}} }
	}
	nothing, bySize := func(*track.Track) {}, func(t *track.Track) { t.Rule = track.BySize }
	for _, c := range []struct {
		what     string
		poll     track.Poll
		change   func(*track.Track)
		labelled int64
		late     int64
		excused  track.Cause // 0: none
		worst    float64
		tight    float64 // below 0: none
	}{
		{"early", promise(9 * hour), nothing, 1, 0, 0, 0, 0.9},
		{"to the instant", promise(10 * hour), nothing, 1, 0, 0, 0, 1},
		{"a millisecond late", promise(10*hour + 1), nothing, 1, 1, 0, 1 / 86_400_000.0, -1},
		{"late", promise(16 * hour), nothing, 1, 1, 0, 0.25, -1},
		{"a promise of never", with(promise(0), func(p *track.Poll) { p.Said.Floor = never }), nothing, 1, 1, 0, math.Inf(1), -1},
		{"in the past", promise(-hour), nothing, 1, 0, 0, 0, 0},
		{"truth unknown", with(promise(9*hour), func(p *track.Poll) { p.Gone = maybe{} }), nothing, 0, 0, 0, 0, -1},
		{"lost", with(promise(9*hour), func(p *track.Poll) { p.States = []predictor.State{predictor.Lost} }), nothing, 0, 0, 0, 0, -1},

		{"late by a change of settings", promise(16 * hour), event(track.ConfigChanged, hour), 1, 0, track.ConfigChanged, 0, -1},
		{"late by DeleteRecords", promise(16 * hour), event(track.RecordsDeleted, hour), 1, 0, track.RecordsDeleted, 0, -1},
		{"late by a re-creation", promise(16 * hour), event(track.Recreated, hour), 1, 0, track.Recreated, 0, -1},
		{"late by a failover", promise(16 * hour), event(track.Failover, hour), 1, 0, track.Failover, 0, -1},
		{"a change before that had shown", promise(16 * hour), event(track.ConfigChanged, -minute), 1, 1, 0, 0.25, -1},
		{"a change before that had not", promise(16 * hour), event(track.ConfigChanged, 1-minute), 1, 0, track.ConfigChanged, 0, -1},
		{"a re-creation before that had not shown", promise(16 * hour), event(track.Recreated, 1-minute), 1, 0, track.Recreated, 0, -1},
		{"a failover before", promise(16 * hour), event(track.Failover, 0), 1, 1, 0, 0.25, -1},
		{"a change after", promise(16 * hour), event(track.ConfigChanged, 10*hour+1), 1, 1, 0, 0.25, -1},
		{"a change before, read before that", with(promise(16*hour), func(p *track.Poll) { p.Said.InputsAt = in(-minute) }), event(track.Failover, 0), 1, 0, track.Failover, 0, -1},
		{"a producer that stops is no excuse", promise(16 * hour), event(track.ProducerStopped, hour), 1, 1, 0, 0.25, -1},
		{"a future stamp is none", promise(16 * hour), event(track.FutureStamp, hour), 1, 1, 0, 0.25, -1},
		{"a reset is none", promise(16 * hour), event(track.Reset, hour), 1, 1, 0, 0.25, -1},
		{"a backfill is none by time", promise(16 * hour), event(track.Backfill, hour), 1, 1, 0, 0.25, -1},
		{"but one by size", promise(16 * hour), func(t *track.Track) { event(track.Backfill, hour)(t); t.Rule = track.BySize }, 1, 0, track.Backfill, 0, -1},
		{"tightness not across events", promise(9 * hour), event(track.Backfill, hour), 1, 0, 0, 0, -1},
		{"a surge is no excuse by time", with(promise(16*hour), func(p *track.Poll) { p.Surge = model.Known(1.6) }), nothing, 1, 1, 0, 0.25, -1},
		{"a small one is none by size", with(promise(16*hour), func(p *track.Poll) { p.Surge = model.Known(1.5) }), bySize, 1, 1, 0, 0.25, -1},
		{"a large one is", with(promise(16*hour), func(p *track.Poll) { p.Surge = model.Known(1.6) }), bySize, 1, 0, 0, 0, -1},
		{"compacted too", promise(16 * hour), func(t *track.Track) { t.Compacts = true }, 1, 1, 0, 0.25, -1},
	} {
		t.Run(c.what, func(t *testing.T) {
			one := newTrack(c.poll)
			c.change(one)
			f := judged(one).Floors[ours]
			if f.Labelled != c.labelled || f.Late != c.late || f.Broken != int(c.late) {
				t.Errorf("labelled %d, late %d, broken %d", f.Labelled, f.Late, f.Broken)
			}
			if want := c.what == "a large one is"; (f.Surged == 1) != want {
				t.Errorf("%d surges", f.Surged)
			}
			for cause, n := range f.Excused {
				if (n == 1) != (c.excused != 0 && int(c.excused) == cause) {
					t.Errorf("cause %d excused %d", cause, n)
				}
			}
			if math.Abs(f.Worst-c.worst) > 1e-9 && f.Worst < 1e6 {
				t.Errorf("worst %v", f.Worst)
			}
			if c.tight < 0 {
				isUnknown(t, "tight", f.Tight)
			} else {
				is(t, "tight", f.Tight, c.tight)
			}
		})
	}
}

// Warm is once something that was written after the start is deleted; begun from the second step of
// the log start on.
func TestFloorOnceWarm(t *testing.T) {
	f := judged(newTrack(every(8, func(i int, p *track.Poll) {
		p.Seen.Start = []model.Offset{0, 0, 10, 10, 20, 20, 1000, 1001}[i]
		p.Seen.Committed = 5000
		share := model.Millis(i / 7) // 0 before the eighth poll, 1 at it
		p.Gone, p.Said.Floor = model.Known(p.At.Add(10*hour)), model.Known(p.At.Add(share*10*hour))
	})...)).Floors[ours]
	is(t, "tight", f.Tight, 0)
	is(t, "tight once warm", f.Warm, 1)
	is(t, "tight after two steps", f.Begun, 0)
}

func TestFloorPresence(t *testing.T) {
	// Five polls: the first is not due, one has no commit, one is lost, and of two one has a floor.
	s := judged(newTrack(every(5, func(i int, p *track.Poll) {
		switch i {
		case 1:
			p.Seen.Committed = -1
		case 2:
			p.States = []predictor.State{predictor.Lost}
		case 3:
			p.Said.Floor = in(hour)
		}
	})...))
	is(t, "present", s.Floors[ours].Present, 0.5)

	tiered := newTrack(poll(0), poll(hour))
	tiered.Settings.Tiered, tiered.Rule = true, track.BySize
	isUnknown(t, "present where bytes are in remote storage", judged(tiered).Floors[ours].Present)
}

func TestRuleOfThumbAsFloor(t *testing.T) {
	late := with(poll(0), func(p *track.Poll) { p.Gone = in(5 * hour) })
	f := judged(newTrack(late)).Floors[rule("R - age")]
	if f.Late != 1 || math.Abs(f.Worst-1.0/24) > 1e-9 {
		t.Errorf("late %d, worst %v", f.Late, f.Worst)
	}
	if f := judged(newTrack(late)).Floors[rule("two-anchor line")]; f.Labelled != 0 {
		t.Error("a rule that promises nothing was held to it")
	}
}

func TestBreaksAndLimit(t *testing.T) {
	var tracks []*track.Track
	for i := range 300 {
		one := newTrack(poll(0), with(poll(6*hour), func(p *track.Poll) { p.Gone, p.Said.Floor = in(10*hour), in(9*hour) }))
		one.Episode, one.Seed = i, 7
		tracks = append(tracks, one)
	}
	if f := judged(tracks...).Floors[ours]; f.Limit != 0.01 || len(f.Breaks) != 0 {
		t.Errorf("limit %v, breaks %v", f.Limit, f.Breaks)
	}
	tracks[42].Polls[1].Said.Floor = in(16 * hour)
	f := judged(tracks...).Floors[ours]
	if len(f.Breaks) != 1 {
		t.Fatalf("breaks %v", f.Breaks)
	}
	if b := f.Breaks[0]; b.Family != "made" || b.Episode != 42 || b.Seed != 7 || b.By != 0.25 || b.After != 0.25 || b.Rule != track.ByTime {
		t.Errorf("got %+v", b)
	}
	// Wilson's one-sided limit of 1 in 300.
	if math.Abs(f.Limit-0.0148) > 0.0001 {
		t.Errorf("limit %v", f.Limit)
	}
}
