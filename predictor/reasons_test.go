package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Every reason that is the predictor's to give, and what may be said all the same.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		name  string
		want  predictor.Reason
		polls int
		floor bool
		make  func(s *scene, g *reader)
	}{
		{"log never read", predictor.Unreadable, 2, false, func(s *scene, _ *reader) {
			s.partitions(func(p *model.Partition) { p.LogStart, p.End = model.Read[model.Offset]{}, model.Read[model.Offset]{} })
		}},
		{"settings refused", predictor.ConfigUnreadable, 2, false, func(s *scene, _ *reader) {
			s.change = func(snap *model.Snapshot) {
				snap.Topics["t"] = model.Topic{Name: "t", Partitions: 1, ID: s.id, Unreadable: true}
			}
		}},
		{"settings read, then refused", predictor.ConfigUnreadable, 2, false, func(s *scene, _ *reader) {
			s.change = func(snap *model.Snapshot) {
				topic := snap.Topics["t"]
				topic.Unreadable = true
				snap.Topics["t"] = topic
			}
		}},
		{"a retention code of its own", predictor.BrokerUnverified, 2, false, func(s *scene, _ *reader) {
			s.change = func(snap *model.Snapshot) {
				b := snap.Brokers[1]
				b.Unverified = "redpanda.remote.read"
				snap.Brokers[1] = b
			}
		}},
		{"sizes denied", predictor.SizeUnreadable, 2, false, func(s *scene, _ *reader) {
			s.settings.RetentionBytes, s.record = gib, 0
		}},
		{"tiered under a size limit", predictor.SizeUnreadable, 2, false, func(s *scene, _ *reader) {
			s.settings.RetentionBytes, s.settings.Tiered = gib, true
		}},
		{"records without stamps", predictor.NoTimestamps, 2, false, func(s *scene, _ *reader) {
			s.newest = func(model.Offset) model.Instant { return -1 }
			s.partitions(func(p *model.Partition) { p.Oldest = model.Read[model.Stamped]{} })
		}},
		{"pace not known", predictor.NotEnoughHistory, 1, true, func(*scene, *reader) {}},
		{"position beyond the end", predictor.BeyondEnd, 2, false, func(_ *scene, g *reader) { g.position = 2000 }},
		{"one offset missing", predictor.SingleOffsetGap, 1, false, func(s *scene, g *reader) { s.start, g.position = 100, 99 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, settings(day, -1, 7*day))
			s.newest, s.end = rising(-1000*second, second), 1000
			c.make(s, s.reads("g", 500))
			for i := range c.polls {
				s.at(pollGap * model.Millis(i))
			}
			f := s.of("g")
			f.unknown(c.want)
			if f.Floor.IsKnown() != c.floor {
				t.Errorf("floor known %v, want %v", f.Floor.IsKnown(), c.floor)
			}
		})
	}
}

// partitions changes what is read of the partition.
func (s *scene) partitions(change func(*model.Partition)) {
	s.change = func(snap *model.Snapshot) {
		p := snap.Partitions[key]
		change(&p)
		snap.Partitions[key] = p
	}
}

// Groups whose partitions cannot be known count once.
func TestGroupsThatCannotBeJudged(t *testing.T) {
	s := newScene(t, settings(day, -1, 7*day))
	s.end = 10
	s.change = func(snap *model.Snapshot) {
		read := model.ReadAt(struct{}{}, s.now)
		snap.Groups = map[string]model.Group{
			"share":   {Name: "share", Kind: model.KindShare, State: "Stable", Unsupported: true},
			"refused": {Name: "refused", Kind: model.KindClassic, State: "Stable", Refused: "GROUP_AUTHORIZATION_FAILED"},
			"owed":    {Name: "owed", Kind: model.KindClassic, State: "Stable"},
			"new":     {Name: "new", Kind: model.KindClassic, State: "Stable", OffsetsRead: read},
			"idle":    {Name: "idle", Kind: model.KindClassic, State: "Empty", OffsetsRead: read},
		}
	}
	s.at(0)
	want := map[string]predictor.Reason{"share": predictor.UnsupportedGroup, "refused": predictor.Unreadable,
		"owed": predictor.Unreadable, "new": predictor.NoCommit}
	if len(s.report.UnknownGroups) != len(want) {
		t.Errorf("unknown are %v, want %v", s.report.UnknownGroups, want)
	}
	for name, reason := range want {
		if got := s.report.UnknownGroups[name]; got != reason {
			t.Errorf("%s: %v, want %v", name, got, reason)
		}
	}
}

// Retention 0: everything that is unread may go at the next pass.
func TestRetentionOfNothing(t *testing.T) {
	s := newScene(t, settings(0, -1, 7*day))
	s.newest, s.end = stamped(-second), 100
	s.reads("g", 50)
	s.during(0, 2*minute, func(model.Millis) {})
	f := s.of("g")
	f.used(1)
	f.between("loss", f.Loss, 2*minute, 2*minute+300*second)
	f.between("floor", f.Floor, -second, 1)
}

// What counts as lost, poll by poll.
func TestLostCounter(t *testing.T) {
	type poll struct {
		position, start model.Offset
		id              byte
		lost            int64
	}
	for name, polls := range map[string][]poll{
		"first seen below the start":           {{10, 50, 1, 0}, {10, 60, 1, 10}},
		"start equals position":                {{50, 50, 1, 0}, {50, 50, 1, 0}},
		"first seen one below, then more":      {{99, 100, 1, 0}, {99, 200, 1, 100}},
		"one offset, then more":                {{99, 0, 1, 0}, {99, 100, 1, 0}, {99, 200, 1, 101}},
		"set below the start later":            {{500, 400, 1, 0}, {100, 400, 1, 0}, {100, 450, 1, 50}},
		"reads on after a loss":                {{10, 0, 1, 0}, {10, 50, 1, 40}, {60, 50, 1, 40}, {60, 90, 1, 70}},
		"start goes back and up":               {{10, 50, 1, 0}, {10, 20, 1, 0}, {10, 50, 1, 0}, {10, 51, 1, 1}},
		"topic created anew":                   {{10, 0, 1, 0}, {10, 0, 2, 990}},
		"topic created anew after a loss":      {{10, 0, 1, 0}, {10, 50, 1, 40}, {10, 0, 2, 990}},
		"everything read when created anew":    {{1000, 0, 1, 0}, {1000, 0, 2, 0}},
		"deleted records count like retention": {{10, 0, 1, 0}, {10, 13, 1, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, settings(day, -1, 7*day))
			s.newest, s.end = stamped(0), 1000
			g := s.reads("g", 0)
			for i, p := range polls {
				g.position, s.start, s.id = p.position, p.start, model.TopicID{p.id}
				s.at(pollGap * model.Millis(i))
				if got := s.of("g").LostOffsets; got != p.lost {
					t.Errorf("poll %d: %d offsets are counted lost, want %d", i, got, p.lost)
				}
			}
		})
	}
}
