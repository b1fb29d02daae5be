package score_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
)

func TestStates(t *testing.T) {
	s := judged(newTrack(every(4, func(i int, p *track.Poll) {
		switch i {
		case 0:
			p.States, p.Said.State = []predictor.State{predictor.Stalled, predictor.CaughtUp}, state(predictor.CaughtUp)
		case 1:
			p.States, p.Said.State = []predictor.State{predictor.Stalled}, state(predictor.CaughtUp)
		case 2:
			p.States = []predictor.State{predictor.Stalled}
		case 3:
			p.Said.State = state(predictor.CaughtUp) // no word is known to be right: not judged
		}
	})...))
	is(t, "states", s.States, 1.0/3)
}

func TestLostCountAndCost(t *testing.T) {
	var tracks []*track.Track
	for _, c := range []struct{ truth, said int64 }{{100, 90}, {0, 0}, {100, 130}, {0, 0}} {
		one := newTrack(poll(0), poll(hour))
		one.LostTrue, one.LostSaid, one.Spent = c.truth, c.said, 5
		tracks = append(tracks, one)
	}
	s := judged(tracks...)
	is(t, "off", s.Lost.Off, 0.2)
	is(t, "exact", s.Lost.Exact, 0.5)
	is(t, "cost", s.Cost, 2.5)
}

func TestColdStart(t *testing.T) {
	// The deadline is 5 hours off every poll; warm from the third poll on, an hour off: 12 checks,
	// so that 24 are good enough.
	begins := func(offChecks ...float64) *track.Track {
		return newTrack(every(len(offChecks), func(i int, p *track.Poll) {
			p.Gone = model.Known(p.At.Add(5 * hour))
			p.Seen.Start, p.Seen.Committed = []model.Offset{0, 10, 1020, 1020, 1020}[i], 1500
			if offChecks[i] >= 0 {
				p.Said.Stopped = model.Known(p.At.Add(5*hour + model.Millis(offChecks[i]*300_000)))
			}
			if i >= 1 {
				p.Said.Floor = model.Known(p.At.Add(hour))
			}
		})...)
	}
	s := judged(begins(-1, 30, 12, 12, 12))
	is(t, "sound", s.Cold.Sound, 2)
	is(t, "estimate", s.Cold.Estimate, 3)
	is(t, "failed", s.Cold.Failed, 0)
	is(t, "estimate within twice", judged(begins(-1, 24, 12, 12, 12)).Cold.Estimate, 2)
	is(t, "neither", judged(begins(-1, 30, 0, 0, 30), begins(-1, -1, -1, -1, -1)).Cold.Failed, 0.5)

	unsound := begins(12, 12, 12, 12, 12)
	unsound.Polls[1].Said.Floor = model.Known(unsound.Polls[1].At.Add(6 * hour))
	is(t, "a floor that does not hold is none", judged(unsound).Cold.Sound, 3)
}

func TestEvents(t *testing.T) {
	// An event before the third of eight polls, ten hours before the position goes. From then on
	// deadlines are off by three hours, right once, off, and right three times in a row from the
	// sixth poll on, 15 min and a bit after the event.
	one := newTrack(every(9, func(i int, p *track.Poll) {
		p.Gone = in(10 * hour)
		p.Said.Stopped = in(10 * hour)
		if i == 2 || i == 4 {
			p.Said.Stopped = in(13 * hour)
		}
		p.Said.Floor = in(9 * hour)
		if i <= 1 || i == 3 {
			p.Said.Floor = in(11 * hour)
		}
		p.States, p.Said.State = []predictor.State{predictor.Stalled}, state(predictor.Stalled)
		if i == 2 {
			p.Said.State = state(predictor.CaughtUp)
		}
	})...)
	one.Events = []track.Event{{At: begin.Add(9 * minute), Cause: track.ConfigChanged}}
	r := result(one)
	if len(r.Events) != 1 {
		t.Fatalf("got %+v", r.Events)
	}
	e := r.Events[0]
	if e.Cause != track.ConfigChanged || e.Episodes != 1 || e.Excused != 2 || e.Late != 1 || e.Labelled != 7 {
		t.Errorf("got %+v", e)
	}
	is(t, "states", e.States, 6.0/7)
	is(t, "recovered", e.Recovered, 1)
	is(t, "after", e.After50, 16/1440.0)

	// A second event soon after leaves too little time to judge the first one by.
	one.Events = append(one.Events, track.Event{At: begin.Add(21 * minute), Cause: track.Reset})
	r = result(one)
	if len(r.Events) != 2 || r.Events[1].Cause != track.Reset {
		t.Fatalf("got %+v", r.Events)
	}
	isUnknown(t, "recovered from the first", r.Events[0].Recovered)
	is(t, "recovered from the second", r.Events[1].Recovered, 1)
	is(t, "after the second", r.Events[1].After50, 4/1440.0)
}

// A family keeps a bounded number of episodes, and counts all.
func TestMemoryIsBounded(t *testing.T) {
	s := score.New(1)
	for range 1000 {
		s.Add(newTrack(poll(0), with(poll(hour), func(p *track.Poll) { p.Gone, p.Said.Floor = in(5*hour), in(6*hour) })))
	}
	sheet := s.Result().Held.All
	if sheet.Episodes != 1000 || sheet.Floors[ours].Late != 1000 || sheet.Floors[ours].Broken != 1000 || len(sheet.Floors[ours].Breaks) != 5 {
		t.Errorf("%d episodes, %d late, %d broken, %d told of", sheet.Episodes, sheet.Floors[ours].Late, sheet.Floors[ours].Broken, len(sheet.Floors[ours].Breaks))
	}
	if n := sheet.Deadline[score.Mid][ours].Present.N; n != 400 {
		t.Errorf("%d episodes kept", n)
	}
}

func TestResultIsTheSameAgain(t *testing.T) {
	tracks := func() []*track.Track {
		var all []*track.Track
		for i := range 700 {
			all = append(all, newTrack(with(poll(0), func(p *track.Poll) {
				p.Gone, p.Said.Stopped = in(6*hour), in(6*hour+model.Millis(i)*second)
			})))
		}
		return all
	}
	a, b := judged(tracks()...), judged(tracks()...)
	if x, y := a.Deadline[score.Mid][ours].Median, b.Deadline[score.Mid][ours].Median; x != y {
		t.Errorf("got %+v, then %+v", x, y)
	}
}
