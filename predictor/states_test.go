package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// busy is a log of a day's retention that gets a record a second, with a group some way behind.
func busy(t *testing.T) (*scene, *reader) {
	s := newScene(t, settings(day, -1, hour))
	s.newest = rising(-10*hour, second)
	return s, s.reads("g", 0)
}

// follow polls from one instant to another while the group stays so many records behind.
func (s *scene) follow(g *reader, from, to model.Millis, behind model.Offset) {
	s.during(from, to, func(t model.Millis) {
		s.end = model.Offset((t + 10*hour) / second)
		g.position = s.end - behind
	})
}

func TestStatesAtTheFirstPoll(t *testing.T) {
	for _, c := range []struct {
		name     string
		group    reader
		want     predictor.State // 0: not told yet
		position model.Offset
	}{
		{"behind", reader{state: "Stable", proto: "consumer"}, 0, 500},
		{"rebalancing", reader{state: "PreparingRebalance", proto: "consumer"}, 0, 500},
		{"only commits", reader{state: "Empty"}, 0, 500},
		{"no members", reader{state: "Empty", proto: "consumer"}, predictor.Empty, 500},
		{"at the end", reader{state: "Stable", proto: "consumer"}, predictor.CaughtUp, 1000},
		{"below the start", reader{state: "Stable", proto: "consumer"}, predictor.Lost, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := busy(t)
			g := c.group
			g.position = c.position
			s.groups["g"] = &g
			s.start, s.end = 100, 1000
			s.at(0)
			if c.want == 0 {
				if state, ok := s.of("g").State.Get(); ok {
					t.Errorf("state is said to be %v", state)
				}
				return
			}
			s.of("g").state(c.want)
		})
	}
}

func TestAsFarBehindAsItsRhythmMakesIt(t *testing.T) {
	s, g := busy(t)
	s.follow(g, 0, 20*minute, 10)
	s.of("g").state(predictor.CaughtUp)
	s.of("g").forever("loss", s.of("g").Loss)
}

func TestProgressingThenStalledThenEmpty(t *testing.T) {
	s, g := busy(t)
	s.follow(g, 0, 20*minute, 5000)
	s.of("g").state(predictor.Progressing)
	g.state = "PreparingRebalance"
	s.follow(g, 20*minute+pollGap, 21*minute, 5000)
	s.of("g").state(predictor.Rebalancing)
	g.state = "Stable"
	stays := func(t model.Millis) { s.end = model.Offset((t + 10*hour) / second) }
	s.during(21*minute+pollGap, 30*minute, stays)
	s.of("g").state(predictor.Stalled)
	g.state = "Empty"
	s.during(30*minute+pollGap, 31*minute, stays)
	s.of("g").state(predictor.Empty)
	g.position = s.end
	s.at(32 * minute)
	s.of("g").state(predictor.Empty)
}

// A group that only commits has no members ever: its commits tell.
func TestOnlyCommittingGroupIsJudgedByItsCommits(t *testing.T) {
	s, g := busy(t)
	g.state, g.proto = "Empty", ""
	s.follow(g, 0, 20*minute, 5000)
	s.of("g").state(predictor.Progressing)
}

func TestRewindEndsWithTwoAdvancesOrWithPatience(t *testing.T) {
	for _, moves := range []bool{true, false} {
		s, g := busy(t)
		s.follow(g, 0, 20*minute, 100)
		g.position -= 20_000
		s.at(20*minute + pollGap)
		f := s.of("g")
		f.state(predictor.Rewound)
		f.unknown(predictor.NotEnoughHistory)
		if !f.Stopped.IsKnown() || !f.Floor.IsKnown() {
			t.Errorf("runway %v, floor %v of a rewound group", f.Stopped, f.Floor)
		}
		if moves {
			s.during(21*minute, 30*minute, func(t model.Millis) {
				s.end = model.Offset((t + 10*hour) / second)
				g.position += 100
			})
			s.of("g").state(predictor.Progressing)
			continue
		}
		s.during(21*minute, 40*minute, func(t model.Millis) { s.end = model.Offset((t + 10*hour) / second) })
		f = s.of("g")
		f.state(predictor.Stalled)
		if f.lossInstant() == 0 || f.Loss != f.Stopped {
			t.Errorf("loss %v of a stalled group is not its runway %v", f.Loss, f.Stopped)
		}
	}
}

// A group whose rhythm is not known may be between two commits: one that would be paged for is called
// stalled once a forty-eighth of the retention has gone, or half of what is left to it.
func TestColdGroupIsGivenTimeForItsNextCommit(t *testing.T) {
	for _, c := range []struct {
		name       string
		written    model.Millis // when the record was that it reads next
		from, upTo model.Millis // when it is called stalled
	}{
		{"far from the end", -10 * hour, 5 * minute, 6 * minute},
		{"four hours from it", -20 * hour, 30 * minute, 31 * minute},
		{"near it", -23*hour - 40*minute, 10 * minute, 11 * minute},
	} {
		s := newScene(t, settings(day, -1, hour))
		s.newest = rising(-24*hour, second)
		s.reads("g", model.Offset((c.written+24*hour)/second))
		told := model.Millis(0)
		s.during(0, 40*minute, func(at model.Millis) {
			s.end = model.Offset((at + 24*hour) / second)
			if s.report == nil || told > 0 {
				return
			}
			if f := s.of("g"); f.Loss.IsKnown() {
				f.state(predictor.Stalled)
				told = at - pollGap // what is told is of the poll before
			} else {
				f.unknown(predictor.NotEnoughHistory)
			}
		})
		if told < c.from || told > c.upTo {
			t.Errorf("%s: called stalled after %v, want %v to %v", c.name, told.Duration(), c.from.Duration(), c.upTo.Duration())
		}
	}
}

// A topic that turns over within the hour by its size does not leave five minutes to find out that a
// group, which was not seen to move since the start, stands still.
func TestPatienceIsAShareOfWhatTheSizeLimitLasts(t *testing.T) {
	for _, c := range []struct {
		name  string
		age   model.Millis
		limit model.Bytes
		at    model.Millis // by when the group is said to have stalled
	}{
		{"an hour by size", -1, 3600 * kib, 2*minute + pollGap},
		{"an hour by size, a week by time", 7 * day, 3600 * kib, 2*minute + pollGap},
		{"a day by size", -1, 86_400 * kib, 5*minute + pollGap},
		{"an hour by time, a day by size", hour, 86_400 * kib, 2*minute + pollGap},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, settings(c.age, c.limit, hour))
			s.record, s.newest = kib, rising(-30*minute, second)
			s.reads("g", 1500)
			s.during(0, c.at-pollGap, func(t model.Millis) { s.end = model.Offset((t + 30*minute) / second) })
			if state, ok := s.of("g").State.Get(); ok {
				t.Errorf("state is said to be %v too early", state)
			}
			s.during(c.at, c.at, func(t model.Millis) { s.end = model.Offset((t + 30*minute) / second) })
			f := s.of("g")
			f.state(predictor.Stalled)
			if f.lossInstant() == 0 || f.Loss != f.Stopped {
				t.Errorf("loss %v is not the runway %v", f.Loss, f.Stopped)
			}
		})
	}
}

// Offsets are reset while nobody reads: the loss is the runway from the new position, at once.
func TestResetOfAnEmptyGroup(t *testing.T) {
	s, g := busy(t)
	g.state = "Empty"
	s.follow(g, 0, 0, 100)
	s.during(pollGap, 10*minute, func(t model.Millis) { s.end = model.Offset((t + 10*hour) / second) })
	g.position -= 20_000
	s.at(10*minute + pollGap)
	f := s.of("g")
	f.state(predictor.Rewound)
	if f.lossInstant() == 0 || f.Loss != f.Stopped {
		t.Errorf("loss %v is not the runway %v", f.Loss, f.Stopped)
	}
}

// A lost group that reads on below the log start is lost until it commits at or above it, also
// where it comes within one offset.
func TestLostUntilACommitAtTheLogStart(t *testing.T) {
	s, g := busy(t)
	s.end, g.position = 1000, 0
	s.at(0)
	s.start = 500
	for i, position := range []model.Offset{0, 300, 499} {
		g.position = position
		s.at(pollGap * model.Millis(i+1))
		s.of("g").state(predictor.Lost)
		s.of("g").between("loss", s.of("g").Loss, pollGap, pollGap)
		s.of("g").reads(500, 500)
	}
	g.position = 500
	s.at(10 * pollGap)
	s.of("g").notLost()
	s.of("g").reads(500, 500)
}

// Lost comes before everything: nothing unread, limits off, a group that is gone.
func TestLostTakesPrecedence(t *testing.T) {
	s, g := busy(t)
	g.position = 0
	s.end, s.start = 1000, 0
	s.at(0)
	s.start = 500
	s.at(pollGap)
	for i, change := range []func(){
		func() { s.start = 1000 },
		func() { s.settings.RetentionMs = -1 },
		func() { g.state = "Empty" },
	} {
		change()
		s.at(pollGap * model.Millis(i+2))
		f := s.of("g")
		f.state(predictor.Lost)
		for what, at := range map[string]model.Maybe[model.Instant]{
			"floor": f.Floor, "stopped": f.Stopped, "earliest": f.Earliest, "loss": f.Loss, "latest": f.Latest} {
			f.between(what, at, pollGap, pollGap)
		}
		if used, ok := f.Used.Get(); !ok || used < 1 {
			t.Errorf("used ratio %v (known %v) of a lost pair", used, ok)
		}
	}
	g.position = 1000
	s.at(10 * pollGap)
	s.of("g").notLost()
	s.of("g").forever("loss", s.of("g").Loss)
}

// The log start has passed the last position that was read, and the group's may have moved since:
// nothing is promised of a position that may be gone.
func TestOldPositionBelowANewLogStart(t *testing.T) {
	s, g := busy(t)
	s.follow(g, 0, 20*minute, 5000)
	behind := g.position
	s.change = func(snap *model.Snapshot) {
		snap.Groups["g"].Offsets[key] = model.ReadAt(model.Commit{Offset: behind}, epoch.Add(20*minute))
	}
	s.start = behind + 500
	s.at(20*minute + pollGap)
	f := s.of("g")
	f.unknown(predictor.Unreadable)
	if f.Floor.IsKnown() || f.Stopped.IsKnown() || f.State.IsKnown() {
		t.Errorf("floor %v, runway %v, state %v of a position that may be gone", f.Floor, f.Stopped, f.State)
	}
	s.change, g.position = nil, behind+600
	s.at(21*minute + pollGap)
	s.of("g").state(predictor.Progressing)
}

// A group that is set to the end again and again, and stands still for longer than records live
// in between, has no rhythm that keeps it safe.
func TestRareJumpsAreNoRhythm(t *testing.T) {
	s, g := busy(t)
	produced := func(t model.Millis) {
		s.end = model.Offset((t + 10*hour) / second)
		s.start = max(0, model.Offset((t+10*hour-day)/second))
	}
	const every, short = 30 * hour, 380
	for i := range model.Millis(4) {
		produced(i * every)
		g.position = s.end - short
		until := (i+1)*every - s.poll
		if i == 3 {
			until = i*every + 13*hour
		}
		s.during(i*every, until, produced)
	}
	f := s.of("g")
	f.state(predictor.Stalled)
	loss, ok := f.Loss.Get()
	if !ok || loss == model.Forever {
		t.Errorf("13 hours after its last commit, at a day of retention, its loss is %v", f.Loss)
	}
}
