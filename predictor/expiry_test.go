package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// expiry checks when a group's offsets may expire: from "within" before to exactly want, which is
// how far apart two polls are.
func (s *scene) expiry(group string, want, within model.Millis) {
	s.t.Helper()
	at, ok := s.report.Groups[group].OffsetsExpire.Get()
	if !ok || at > epoch.Add(want) || at < epoch.Add(want-within) {
		s.t.Errorf("offsets of %s expire at t=%v (known %v), want up to %v before %v", group, at.Sub(epoch).Duration(), ok, within.Duration(), want.Duration())
	}
}

func (s *scene) expiryIs(group string, forever bool) {
	s.t.Helper()
	at, ok := s.report.Groups[group].OffsetsExpire.Get()
	if ok != forever || ok && at != model.Forever {
		s.t.Errorf("offsets of %s expire at %v (known %v), want known %v and never", group, at, ok, forever)
	}
}

// committing is a scene with one group of each kind that had its last commit between the polls
// of t=0 and t=30s.
func committing(t *testing.T) *scene {
	s := newScene(t, settings(30*day, -1, 7*day))
	s.newest, s.end = stamped(0), 1000
	topic := map[string]bool{"t": true}
	for name, r := range map[string]reader{
		"classic": {state: "Stable", proto: "consumer", kind: model.KindClassic, subscribed: topic},
		"connect": {state: "Stable", proto: "connect", kind: model.KindClassic},
		"simple":  {state: "Empty", kind: model.KindClassic},
		"new":     {state: "Stable", proto: "consumer", kind: model.KindConsumer, subscribed: topic},
		"moved":   {state: "Stable", proto: "consumer", kind: model.KindClassic, subscribed: map[string]bool{"other": true}},
		"bare":    {state: "Stable", proto: "consumer", kind: model.KindClassic},
	} {
		s.groups[name] = &r
	}
	s.at(0)
	for _, r := range s.groups {
		r.position = 500
	}
	s.at(pollGap)
	return s
}

// Case B45: forwards, from what starts the clock of each kind of group.
func TestCaseB45ExpiryOfEachKindOfGroup(t *testing.T) {
	s := committing(t)
	s.expiryIs("classic", true)
	s.expiryIs("connect", true)
	s.expiryIs("new", true)
	s.expiryIs("bare", false) // nobody said yet what it subscribes to
	s.expiry("simple", 7*day+pollGap, pollGap)
	s.expiry("moved", 7*day+pollGap, pollGap)

	s.at(day)
	for _, r := range s.groups {
		r.state, r.subscribed = "Empty", nil
	}
	s.at(day + pollGap)
	s.expiry("classic", 8*day+pollGap, pollGap)
	s.expiry("connect", 8*day+pollGap, pollGap)
	s.expiry("simple", 7*day+pollGap, pollGap)
	s.expiry("new", 7*day+pollGap, pollGap)

	s.groups["classic"].state = "PreparingRebalance"
	s.at(2 * day)
	s.expiryIs("classic", true)
}

// Before Kafka 2.1 each commit has its own clock, whatever the group does.
func TestCaseB45OldBrokers(t *testing.T) {
	s := newScene(t, settings(30*day, -1, 7*day))
	s.newest, s.end = stamped(0), 1000
	g := s.reads("g", 1)
	s.change = func(snap *model.Snapshot) {
		b := snap.Brokers[1]
		b.Version = model.ReadAt("2.0", s.now)
		snap.Brokers[1] = b
	}
	s.at(0)
	g.position = 2
	s.at(pollGap)
	s.expiry("g", 7*day+pollGap, pollGap)
}

// An idle partition's commit is old when the last member leaves: it may go at the next sweep.
func TestExpiryOfAnIdlePartitionWhenTheLastMemberLeaves(t *testing.T) {
	s := committing(t)
	s.at(8 * day)
	s.groups["new"].state, s.groups["new"].subscribed = "Empty", nil
	s.at(8*day + pollGap)
	s.expiry("new", 8*day+pollGap, pollGap)
}

// A clock that was not seen to start is no clock: absent, and not counted from the first poll.
func TestExpiryIsUnknownWhereTheClockWasNotSeenToStart(t *testing.T) {
	s := newScene(t, settings(30*day, -1, 7*day))
	s.newest, s.end = stamped(0), 1000
	s.reads("empty", 5).state = "Empty"
	simple := s.reads("simple", 5)
	simple.state, simple.proto = "Empty", ""
	s.during(0, 10*pollGap, func(model.Millis) {})
	s.expiryIs("empty", false)
	s.expiryIs("simple", false)
	if _, ok := s.report.Groups["nobody"]; ok {
		t.Error("something is said of a group that does not exist")
	}
}

// A coordinator that is silent shows a group as it was: the clock does not start later for it.
func TestExpiryStandsOnAnswers(t *testing.T) {
	s := committing(t)
	s.change = func(snap *model.Snapshot) {
		for name, g := range snap.Groups {
			g.OffsetsRead = model.ReadAt(struct{}{}, epoch.Add(pollGap))
			g.Offsets = map[model.PartitionKey]model.Read[model.Commit]{key: model.ReadAt(model.Commit{Offset: 500}, epoch.Add(pollGap))}
			snap.Groups[name] = g
		}
	}
	s.at(day)
	s.change = nil
	s.groups["classic"].state = "Empty"
	s.at(day + pollGap)
	s.expiry("classic", 7*day+pollGap, 0)
}

// Case A16: the group goes with its last offset, and must not go in silence.
func TestCaseA16GroupGoneWithItsOffsets(t *testing.T) {
	s := committing(t)
	for _, name := range []string{"classic", "simple", "new"} {
		s.groups[name].state = "Empty"
	}
	s.at(2 * pollGap)
	for _, name := range []string{"classic", "simple", "new"} {
		s.groups[name].gone = true
	}
	s.at(7*day + 10*minute)
	for _, name := range []string{"classic", "simple", "new"} {
		s.of(name).unknown(predictor.ExpiredPosition)
	}
	s.at(7*day + 23*hour)
	s.of("simple").unknown(predictor.ExpiredPosition)
	s.groups["simple"].gone, s.groups["simple"].position = false, 1000
	s.at(7*day + 24*hour)
	s.of("simple").reads(0, 0)
	s.at(8*day + hour)
	for _, f := range s.report.Pairs {
		if f.Key.Group == "classic" || f.Key.Group == "new" {
			t.Errorf("%s is still spoken of after a day", f.Key.Group)
		}
	}
}

// A group that was deleted before its offsets could expire ends quietly.
func TestDeletedGroupEndsQuietly(t *testing.T) {
	s := committing(t)
	s.groups["classic"].state = "Empty"
	s.at(2 * pollGap)
	s.groups["classic"].gone, s.groups["new"].gone = true, true
	s.at(3 * pollGap)
	for _, f := range s.report.Pairs {
		if f.Key.Group == "classic" || f.Key.Group == "new" {
			t.Errorf("%s was deleted and is said to be %v", f.Key.Group, f.Reason)
		}
	}
}

// Case A18: a group that moved off a topic leaves its position there, which expires as it should.
func TestCaseA18MovedOffATopic(t *testing.T) {
	s := committing(t)
	s.groups["moved"].none = true
	s.at(7*day + 10*minute)
	for _, f := range s.report.Pairs {
		if f.Key.Group == "moved" {
			t.Errorf("%+v is said of a topic it reads no more", f.Reason)
		}
	}
}
