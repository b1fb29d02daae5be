package predictor

import (
	"testing"

	"kafka-retention-exporter/model"
)

func TestRhythmIsNotMadeOfOneStall(t *testing.T) {
	for _, c := range []struct {
		name   string
		starts []model.Millis // of runs, in hours
		batch  bool
	}{
		{"each night", []model.Millis{0, 24, 48}, true},
		{"one night skipped", []model.Millis{0, 24, 48, 96}, true},
		{"one night skipped, before the rhythm is known", []model.Millis{0, 24, 72}, false},
		{"a short pause, then a stall of any length", []model.Millis{0, 2, 19}, false},
		{"short pauses, then a long stall", []model.Millis{0, 2, 4, 30}, true},
		{"two runs", []model.Millis{0, 24}, false},
	} {
		var r runs
		for _, hour := range c.starts {
			at := model.Instant(0).Add(hour * 3_600_000)
			r.advance(at, true)
			for i := range model.Millis(3) {
				r.advance(at.Add(i*60_000), false)
			}
		}
		if _, batch := r.rhythm(); batch != c.batch {
			t.Errorf("%s: batch is %v, want %v", c.name, batch, c.batch)
		}
	}
}

func TestARhythmIsSupposedOfTwoRuns(t *testing.T) {
	const hour, minute = model.Millis(3_600_000), int32(60_000)
	one := func(at model.Millis, length int32, advances int32) run {
		return run{model.Instant(0).Add(at), length, advances}
	}
	for _, c := range []struct {
		name   string
		runs   runs
		period model.Millis // 0: none
	}{
		{"two nights", runs{one(0, 30*minute, 9), one(24*hour, 30*minute, 9)}, 24 * hour},
		{"and the end of one before the watch", runs{one(-20*hour, unwatched, 2), one(0, 30*minute, 9), one(23*hour, 30*minute, 9)}, 23 * hour},
		{"the end of one before the watch, and one", runs{one(-23*hour, unwatched, 2), one(0, 60*minute, 9)}, 24 * hour},
		{"one", runs{one(0, 30*minute, 9)}, 0},
		{"a long one, and a stall", runs{one(0, 4*60*minute, 90), one(24*hour, 30*minute, 9)}, 0},
		{"a stall, and one that goes on for long", runs{one(0, 30*minute, 9), one(24*hour, 4*60*minute, 90)}, 0},
		{"a commit alone", runs{one(0, 0, 1), one(24*hour, 30*minute, 9)}, 0},
		{"three, of no rhythm", runs{one(0, 30*minute, 9), one(2*hour, 15*minute, 9), one(24*hour, 30*minute, 9)}, 0},
	} {
		got, ok := c.runs.supposed()
		if ok != (c.period > 0) || got.period != c.period || got.longest != c.period {
			t.Errorf("%s: %v, %v, want a period of %v", c.name, got, ok, c.period)
		}
	}
}

// Of a run before the watch the end is known. Were that taken for its beginning, the next run of a job that
// works for long would be overdue before it is to come.
func TestTheEndOfARunIsNotItsBeginning(t *testing.T) {
	const hour = model.Millis(3_600_000)
	var r runs
	r.ended(model.Instant(0).Add(-18 * hour))
	for _, start := range []model.Millis{0, 24 * hour} {
		r.advance(model.Instant(0).Add(start), true)
		r.advance(model.Instant(0).Add(start+6*hour), false)
	}
	if got, ok := r.rhythm(); !ok || got.period != 24*hour || got.longest != 24*hour {
		t.Errorf("rhythm %+v (known %v), want one of 24 h", got, ok)
	}
}

// Where runs take a poll or two, half of all waits for a commit are the pauses between them.
func TestShortRunsAreParted(t *testing.T) {
	const poll, period = model.Millis(300_000), model.Millis(8 * 3_600_000)
	var p pace
	position := model.Offset(0)
	for at := model.Millis(0); at < 5*period; at += poll {
		if into := (at + period/2) % period; into < 2*poll {
			position += 100
		}
		p.observe(model.Instant(0).Add(at), position, poll, 4*poll)
	}
	if r, ok := p.runs.rhythm(); !ok || r.period != period || len(p.runs) != 5 {
		t.Errorf("%d runs, rhythm %v (known %v)", len(p.runs), r, ok)
	}
}
