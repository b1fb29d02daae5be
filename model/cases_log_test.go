package model_test

import (
	"errors"
	"slices"
	"testing"

	"kafka-retention-exporter/model"
)

// The worked cases that need a history: DeleteRecords, replicas, rolling.

// appendBatch appends and lets the high watermark follow, as a healthy leader does.
func appendBatch(t *testing.T, log *model.Log, now model.Instant, b model.Batch) {
	t.Helper()
	if err := log.Append(now, b); err != nil {
		t.Fatal(err)
	}
	log.SetHighWatermark(log.End())
}

// batch is a stamped batch of one offset at the log end.
func batch(log *model.Log, size model.Bytes, stamp model.Instant) model.Batch {
	return model.Batch{Base: log.End(), Last: log.End(), Size: size, MaxStamp: stamp, Stamped: true}
}

// logA is a log that has come to hold the segments A.
func logA(t *testing.T, s model.Settings) *model.Log {
	t.Helper()
	s.SegmentBytes = 100
	log := model.NewLog(s, 5000)
	for _, b := range []model.Batch{{Base: 0, Last: 9, Size: 100, MaxStamp: 5000, Stamped: true}, {Base: 10, Last: 19, Size: 100, MaxStamp: 6000, Stamped: true}, {Base: 20, Last: 24, Size: 50, MaxStamp: 7000, Stamped: true}} {
		appendBatch(t, log, b.MaxStamp, b)
	}
	return log
}

func bases(log *model.Log) []model.Offset {
	var b []model.Offset
	for _, s := range log.Segments() {
		b = append(b, s.Base)
	}
	return b
}

func expect(t *testing.T, log *model.Log, start model.Offset, keeps ...model.Offset) {
	t.Helper()
	if log.Start() != start || !slices.Equal(bases(log), keeps) {
		t.Errorf("start %d, segments %d; want %d, %d", log.Start(), bases(log), start, keeps)
	}
}

func TestWorkedDeleteRecords(t *testing.T) {
	for _, c := range []struct {
		name   string
		before model.Offset
		start  model.Offset
		keeps  []model.Offset // after the next pass
	}{
		{"case 42: inside a segment", 15, 15, []model.Offset{10, 20}},
		{"case 43: at a segment's base", 20, 20, []model.Offset{20}},
		{"case 44: -1 is the high watermark", -1, 25, []model.Offset{20}},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := logA(t, with())
			if err := log.DeleteRecords(c.before); err != nil {
				t.Fatal(err)
			}
			expect(t, log, c.start, 0, 10, 20)
			log.Pass(8000)
			expect(t, log, c.start, c.keeps...)
		})
	}
	t.Run("case 45: above the high watermark", func(t *testing.T) {
		log := logA(t, with())
		if err := log.DeleteRecords(26); !errors.Is(err, model.ErrOffsetOutOfRange) {
			t.Errorf("error %v", err)
		}
		expect(t, log, 0, 0, 10, 20)
	})
	t.Run("case 45: a negative offset other than -1", func(t *testing.T) {
		if err := logA(t, with()).DeleteRecords(-2); !errors.Is(err, model.ErrOffsetOutOfRange) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("case 46: below the start", func(t *testing.T) {
		log := logA(t, with())
		for _, before := range []model.Offset{10, 5} {
			if err := log.DeleteRecords(before); err != nil {
				t.Fatal(err)
			}
		}
		expect(t, log, 10, 0, 10, 20)
	})
	for p, want := range map[model.Policy]error{model.PolicyCompact: model.ErrPolicyViolation, model.PolicyCompactDelete: nil, model.PolicyNone: nil} {
		t.Run("case 47: policy "+p.String(), func(t *testing.T) {
			if err := logA(t, with(policy(p))).DeleteRecords(5); !errors.Is(err, want) {
				t.Errorf("error %v, want %v", err, want)
			}
		})
	}
}

func TestWorkedPassesOnALog(t *testing.T) {
	t.Run("case 04: one empty segment is left", func(t *testing.T) {
		log := logA(t, with(ms(1000)))
		if freed := log.Pass(8001).Freed; freed != 250 || log.Size() != 0 {
			t.Errorf("freed %d, size %d", freed, log.Size())
		}
		expect(t, log, 25, 25)
	})
	t.Run("case 02: what is left counts", func(t *testing.T) {
		log := logA(t, with(ms(1000)))
		log.Pass(6001)
		if log.Size() != 150 {
			t.Errorf("size %d", log.Size())
		}
		expect(t, log, 10, 10, 20)
	})
	t.Run("case 50: a follower told the leader's start", func(t *testing.T) {
		log := logA(t, with())
		if err := log.RaiseStart(9); err != nil {
			t.Fatal(err)
		}
		log.Pass(8000)
		expect(t, log, 9, 0, 10, 20)
	})
	t.Run("case 51: a follower that expires earlier is ahead", func(t *testing.T) {
		leader, follower := logA(t, with()), logA(t, with(ms(1000)))
		leader.Pass(6001)
		follower.Pass(6001)
		const committed = 5
		if committed < leader.Start() || committed >= follower.Start() {
			t.Errorf("leader start %d, follower start %d", leader.Start(), follower.Start())
		}
	})
	t.Run("case 53: the position at the end survives everything", func(t *testing.T) {
		log := logA(t, with(ms(1000)))
		committed := log.End()
		log.Pass(8001)
		if committed != log.Start() {
			t.Errorf("committed %d, start %d", committed, log.Start())
		}
	})
}

func TestWorkedStampsOfTheFuture(t *testing.T) {
	const now = model.Instant(1_700_000_000_000)
	unbounded := model.Maybe[model.Millis]{}
	for _, c := range []struct {
		name    string
		ahead   model.Millis
		release model.Release
		want    bool
	}{
		{"case 20: one hour ahead", 3_600_000, newest, true},
		{"case 20: a millisecond more", 3_600_001, newest, false},
		{"case 20: a millisecond more on 3.9", 3_600_001, model.Release{Major: 3, Minor: 9}, true},
		{"eight days behind", -8 * day, newest, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			after := unbounded
			if d, ok := c.release.DefaultTimestampAfterMax(); ok {
				after = model.Known(d)
			}
			if got := model.AcceptsStamp(now.Add(c.ahead), now, unbounded, after); got != c.want {
				t.Errorf("accepted %t, want %t", got, c.want)
			}
		})
	}
	bound := model.Known(day)
	if !model.AcceptsStamp(now.Add(-day), now, bound, unbounded) || model.AcceptsStamp(now.Add(-day-1), now, bound, unbounded) {
		t.Error("the bound on the past is not exact")
	}
}

func TestWorkedTrickle(t *testing.T) {
	t.Run("case 22: the oldest record of a trickle lives for about eight days", trickle)
}

// trickle is one record an hour under a retention of one day and the default segment.ms of seven.
func trickle(t *testing.T) {
	const t0, hour = model.Instant(1_700_000_000_000), model.Millis(60 * 60 * 1000)
	log := model.NewLog(with(ms(day)), t0)
	rolled, gone := model.Forever, model.Forever
	for now := t0; gone == model.Forever; now = now.Add(hour) {
		appendBatch(t, log, now, batch(log, 100, now))
		if len(log.Segments()) == 2 && rolled == model.Forever {
			rolled = now
		}
		if log.Pass(now).Deleted > 0 {
			gone = now
		}
	}
	if want := t0.Add(7*day + hour); rolled != want {
		t.Errorf("rolled at %s, want %s", rolled, want)
	}
	if want := t0.Add(8*day + hour); gone != want {
		t.Errorf("first record gone at %s, want %s", gone, want)
	}
}

func TestWorkedRolls(t *testing.T) {
	stamped := func(size model.Bytes, stamp model.Instant) model.Batch {
		return model.Batch{Base: 1, Last: 1, Size: size, MaxStamp: stamp, Stamped: true}
	}
	halfSecond := func(s *model.Settings) { s.SegmentMs = 500 }
	kilobyte := func(s *model.Settings) { s.SegmentBytes = 1000 }
	plain := model.Batch{Base: 1, Last: 1, Size: 10}
	for _, c := range []struct {
		name     string
		settings model.Settings
		first    model.Batch
		second   model.Batch
		now      model.Instant // of the second; the first is at 1000
		rolls    bool
	}{
		{"case 57: event time at segment.ms", with(halfSecond), stamped(10, 1000), stamped(10, 1500), 1000, false},
		{"case 57: event time above segment.ms", with(halfSecond), stamped(10, 1000), stamped(10, 1501), 1000, true},
		{"case 58: older input never rolls by time", with(halfSecond), stamped(10, 1000), stamped(10, 900), 864_001_000, false},
		{"case 58: nor does input without stamps", with(halfSecond), stamped(10, 1000), plain, 864_001_000, false},
		{"case 59: wall clock at segment.ms", with(halfSecond), plain, plain, 1500, false},
		{"case 59: wall clock above segment.ms", with(halfSecond), plain, plain, 1501, true},
		{"case 60: exactly segment.bytes", with(kilobyte), stamped(900, 1000), stamped(100, 1000), 1000, false},
		{"case 60: one byte more", with(kilobyte), stamped(900, 1000), stamped(101, 1000), 1000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := model.NewLog(c.settings, 1000)
			for i, b := range []model.Batch{c.first, c.second} {
				b.Base, b.Last = model.Offset(i), model.Offset(i)
				appendBatch(t, log, []model.Instant{1000, c.now}[i], b)
			}
			if rolled := len(log.Segments()) == 2; rolled != c.rolls {
				t.Errorf("rolled %t, want %t", rolled, c.rolls)
			}
		})
	}
	t.Run("case 59: a restart restarts that clock", func(t *testing.T) {
		log := model.NewLog(with(halfSecond), 1000)
		appendBatch(t, log, 1000, model.Batch{Size: 10})
		log.Reload(1400)
		appendBatch(t, log, 1900, model.Batch{Base: 1, Last: 1, Size: 10})
		expect(t, log, 0, 0)
		appendBatch(t, log, 1901, model.Batch{Base: 2, Last: 2, Size: 10})
		expect(t, log, 0, 0, 2)
	})
	t.Run("case 61: nothing in it, no time roll", func(t *testing.T) {
		log := model.NewLog(with(halfSecond), 1000)
		appendBatch(t, log, far, stamped(10, far))
		expect(t, log, 0, 0)
	})
}
