package score_test

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
)

// Tracks here have a retention of one day, checks every 300 s and polls every 300 s.
const (
	second = model.Millis(1000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour

	begin = model.Instant(1_000_000_000_000)

	ours, oracle = 0, 1
)

type maybe = model.Maybe[model.Instant]

// in is an instant of a track, as time since it began.
func in(d model.Millis) maybe { return model.Known(begin.Add(d)) }

var never = model.Known(model.Forever)

// rule is the index of a rule of thumb.
func rule(name string) int {
	for i, p := range score.Players() {
		if p.Name == name {
			return i
		}
	}
	panic("no player " + name)
}

func newTrack(polls ...track.Poll) *track.Track {
	return &track.Track{
		Family: "made", Axis: track.GroupAxis, Rule: track.ByTime, Retention: day, Check: 300 * second, Poll: 300 * second,
		Settings: model.Settings{Policy: model.PolicyDelete, RetentionMs: day, RetentionBytes: -1},
		Polls:    polls,
	}
}

// poll is one at a time since the track began; the group stands still at offset 500 of a log from
// 0 to 1000, and its next record is 18 hours old.
func poll(at model.Millis) track.Poll {
	return track.Poll{At: begin.Add(at), Seen: track.Seen{
		At: begin.Add(at), Start: 0, End: 1000, Committed: 500,
		Next: in(at - 18*hour), Oldest: in(at - 20*hour),
	}}
}

// with changes a poll.
func with(p track.Poll, change func(*track.Poll)) track.Poll {
	change(&p)
	return p
}

// every is n polls 300 s apart, changed one by one.
func every(n int, change func(i int, p *track.Poll)) []track.Poll {
	polls := make([]track.Poll, n)
	for i := range polls {
		polls[i] = poll(model.Millis(i) * 300 * second)
		change(i, &polls[i])
	}
	return polls
}

// judged is the score of tracks that are held out.
func judged(tracks ...*track.Track) score.Sheet {
	return result(tracks...).Held.All
}

func result(tracks ...*track.Track) score.Result {
	s := score.New(1)
	for _, t := range tracks {
		s.Add(t)
	}
	return s.Result()
}

func state(s predictor.State) model.Maybe[predictor.State] { return model.Known(s) }
