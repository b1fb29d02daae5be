package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// wayOf is a way of a group that committed every gap and moved by step each time, up to a position.
func wayOf(n int, last, gap model.Millis, position, step model.Offset) []model.Passed {
	way := make([]model.Passed, n)
	for i := range way {
		back := n - 1 - i
		way[i] = model.Passed{At: epoch.Add(last - gap*model.Millis(back)), Offset: position - step*model.Offset(back), Wait: model.Known(gap)}
	}
	return way
}

// tells makes polls show how the group came there, and when it committed last.
func (s *scene) tells(group string, way []model.Passed) {
	s.change = func(snap *model.Snapshot) {
		g := snap.Groups[group]
		g.Earlier = map[model.PartitionKey][]model.Passed{key: way}
		snap.Groups[group] = g
	}
}

// racing is a scene at its first poll: a log of a record a second since day 0, kept for a day, and a group
// that has read half of it.
func racing(t *testing.T) *scene {
	s := newScene(t, settings(day, -1, hour))
	s.start, s.end = 3600, model.Offset(day/second)
	s.reads("g", 40_000)
	return s
}

// A group that reads half as fast as records come is known to lose at the first poll, and when:
// record 40,000+x, which it has read at day+2x s, goes at day+40,000+x s.
func TestPaceIsKnownAtTheStartFromEarlierCommits(t *testing.T) {
	for name, gap := range map[string]model.Millis{"often": 10 * second, "every minute": minute} {
		t.Run(name, func(t *testing.T) {
			s := racing(t)
			s.at(day)
			s.of("g").unknown(predictor.NotEnoughHistory)

			s = racing(t)
			s.tells("g", wayOf(12, day-gap/2, gap, 40_000, model.Offset(gap/second/2)))
			s.at(day)
			f := s.of("g")
			f.state(predictor.Progressing)
			f.between("loss", f.Loss, day+78_000*second, day+83_000*second)
			if pace, ok := f.Inputs.Pace.Get(); !ok || pace < 0.45 || pace > 0.55 {
				t.Errorf("pace is %v a second (known %v), want 0.5", pace, ok)
			}
		})
	}
}

// What a group did before it stood still, or went back, is not how it moves now.
func TestEarlierCommitsThatTellNothing(t *testing.T) {
	for name, way := range map[string][]model.Passed{
		"still":       wayOf(12, day-hour, minute, 40_000, 30),
		"of tomorrow": wayOf(12, 2*day, minute, 40_000, 30),
		"two":         wayOf(2, day-minute, minute, 40_000, 30),
		"went back":   append(wayOf(10, day-2*minute, minute, 90_000, 30), wayOf(2, day-minute/2, minute, 40_000, 30)...),
		"paused":      append(wayOf(10, day-3*hour, minute, 39_000, 30), wayOf(1, day-minute/2, minute, 39_970, 30)[0], model.Passed{At: epoch.Add(day), Offset: 40_000, Wait: model.Known(3 * hour)}),
	} {
		t.Run(name, func(t *testing.T) {
			s := racing(t)
			s.tells("g", way)
			s.at(day)
			s.of("g").unknown(predictor.NotEnoughHistory)
		})
	}
}

// jobOf is a way of a job that reads all there is in ten minutes every so often, the last time so long ago, as it
// is kept: where each run began, and of the last one its end.
func jobOf(n int, now, ago, period model.Millis) []model.Passed {
	var way []model.Passed
	for i := range n {
		begins := now - ago - 10*minute - period*model.Millis(n-1-i)
		way = append(way, model.Passed{At: epoch.Add(begins), Offset: model.Offset((begins - 10*minute) / second), Wait: model.Known(period - 10*minute)})
	}
	return append(way, model.Passed{At: epoch.Add(now - ago), Offset: model.Offset((now - ago) / second), Wait: model.Known(30 * second)})
}

// A job whose earlier runs are known is on time at the first look, unless its next run is overdue.
func TestAJobIsKnownAtTheStartFromItsEarlierRuns(t *testing.T) {
	for _, c := range []struct {
		name string
		way  []model.Passed
		job  bool
	}{
		{"on time", jobOf(4, day, 3*hour, 5*hour), true},
		{"three runs, the first without a start", jobOf(2, day, 3*hour, 5*hour), true},
		{"overdue", jobOf(4, day, 6*hour, 5*hour), false},
		{"one run", jobOf(1, day, 3*hour, 5*hour), false},
		{"of no rhythm", append(jobOf(2, day-9*hour, 0, 2*hour), jobOf(1, day, 3*hour, 6*hour)...), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, settings(day, -1, hour))
			s.start, s.end = 3600, model.Offset(day/second)
			g := s.reads("g", c.way[len(c.way)-1].Offset)
			g.state = "Empty"
			s.tells("g", c.way)
			s.at(day)
			state, _ := s.of("g").State.Get()
			if (state == predictor.Batch) != c.job {
				t.Fatalf("state is %v", state)
			}
			if c.job {
				s.of("g").forever("loss", s.of("g").Loss)
			}
		})
	}
}

// The offsets topic is read by and by: until then the job may be taken to stand still.
func TestAJobIsKnownOnceItsEarlierRunsAreRead(t *testing.T) {
	s := newScene(t, settings(day, -1, hour))
	way := jobOf(4, day, 3*hour, 5*hour)
	s.reads("g", way[len(way)-1].Offset)
	grow := func(at model.Millis) { s.start, s.end = 3600, model.Offset(at/second) }
	s.during(day, day+20*minute, grow)
	s.of("g").state(predictor.Stalled)
	s.tells("g", way)
	s.during(day+20*minute+pollGap, day+20*minute+pollGap, grow)
	s.of("g").state(predictor.Batch)
	s.change = nil
	s.during(day+20*minute+2*pollGap, day+hour, grow)
	s.of("g").state(predictor.Batch)
}

// Its next run is told from the one before it though it begins right after the first look.
func TestAJobThatRunsRightAfterTheStart(t *testing.T) {
	s := newScene(t, settings(day, -1, hour))
	s.start, s.end = 3600, model.Offset(day/second)
	way := jobOf(4, day, 5*hour-11*minute, 5*hour)
	g := s.reads("g", way[len(way)-1].Offset)
	g.state = "Empty"
	s.tells("g", way)
	play := func(at model.Millis) {
		s.end = model.Offset(at / second)
		if into := at - day; into >= minute && into <= 11*minute {
			g.position = max(g.position, s.end-model.Offset((11*minute-into)/second)*20)
		}
	}
	s.during(day, day, play)
	s.change = nil // it is told once
	s.during(day+pollGap, day+5*hour, play)
	s.of("g").state(predictor.Batch)
	s.during(day+5*hour+pollGap, day+6*hour, play)
	s.of("g").state(predictor.Empty) // overdue
}

// Case B45: by the commit's own instant where it is told, also at the first poll.
func TestCaseB45ExpiryFromTheCommitItself(t *testing.T) {
	s := newScene(t, settings(30*day, -1, 7*day))
	s.newest, s.end = stamped(0), 1000
	simple := s.reads("simple", 5)
	simple.state, simple.proto = "Empty", ""
	modern := s.reads("modern", 5)
	modern.state, modern.kind = "Empty", model.KindConsumer
	told := func(commit model.Commit) {
		s.change = func(snap *model.Snapshot) {
			for name, g := range snap.Groups {
				g.Offsets = map[model.PartitionKey]model.Read[model.Commit]{key: model.ReadAt(commit, s.now)}
				snap.Groups[name] = g
			}
		}
	}
	first := model.Commit{Offset: 5, At: model.Known(epoch.Add(-3 * day))}
	told(first)
	s.at(0)
	s.expiry("simple", 4*day, 0)
	s.expiry("modern", 4*day, 0)

	told(model.Commit{Offset: 5}) // it could not be told this time, which is no commit
	s.at(pollGap)
	s.expiry("simple", 4*day, 0)
	told(model.Commit{Offset: 5, At: model.Known(epoch.Add(40 * second))}) // the same position again
	s.at(2 * pollGap)
	s.expiry("simple", 7*day+40*second, 0)
	told(model.Commit{Offset: 5, At: first.At, Expires: model.Known(epoch.Add(hour))})
	s.at(3 * pollGap)
	s.expiry("simple", hour, 0)
}

// An offset with an expiry of its own goes by that, also in a group that goes by its members.
func TestOwnExpiryInAGroupThatLostItsMembers(t *testing.T) {
	s := newScene(t, settings(30*day, -1, 7*day))
	s.newest, s.end = stamped(0), 1000
	g := s.reads("g", 5)
	s.change = func(snap *model.Snapshot) {
		g := snap.Groups["g"]
		commit := model.Commit{Offset: 5, At: model.Known(epoch), Expires: model.Known(epoch.Add(2 * day))}
		g.Offsets = map[model.PartitionKey]model.Read[model.Commit]{key: model.ReadAt(commit, s.now)}
		snap.Groups["g"] = g
	}
	s.at(0)
	g.state = "Empty"
	s.at(pollGap)
	s.expiry("g", 2*day, 0)
}
