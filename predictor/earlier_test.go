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
