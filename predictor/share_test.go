package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// shareLook is what one poll finds of a share group.
type shareLook struct {
	told, unfinished model.Offset // -1: not counted
	start, end       model.Offset
	state            predictor.State // 0: any but lost
	lost             int64
}

// sees polls once with what it finds.
func (s *scene) sees(r *reader, poll int, l shareLook) saying {
	r.position, s.start, s.end = l.told, l.start, l.end
	r.unfinished = model.Maybe[model.Offset]{}
	if l.unfinished >= 0 {
		r.unfinished = model.Known(l.unfinished)
	}
	s.at(pollGap * model.Millis(poll))
	return s.of("g")
}

func shareScene(t *testing.T) (*scene, *reader) {
	s := newScene(t, settings(day, -1, hour))
	r := &reader{state: "Stable", proto: "share", kind: model.KindShare}
	s.groups["g"] = r
	return s, r
}

// A start below the log start is a loss only where more is unfinished than the log still has.
func TestWhatAShareGroupHasLostIsBounded(t *testing.T) {
	for name, looks := range map[string][]shareLook{
		"as on a broker": {
			{0, 95, 0, 100, 0, 0}, {5, 94, 0, 100, 0, 0},
			{5, 94, 20, 100, predictor.Lost, 15}, // 14 to 15
			{10, 80, 20, 100, 0, 15}, {20, 80, 20, 100, 0, 15},
			{20, 80, 60, 100, predictor.Lost, 55},
			{20, 80, 60, 120, predictor.Lost, 55}, // more arrives, more is unfinished, none of it lost
		},
		"everything read, told to start at 0 for ever": {
			{0, 0, 0, 100, predictor.CaughtUp, 0}, {0, 0, 50, 100, predictor.CaughtUp, 0}, {0, 0, 100, 100, predictor.CaughtUp, 0},
		},
		"everything read, then it stops": {
			{0, 0, 0, 100, predictor.CaughtUp, 0}, {0, 0, 0, 100, predictor.CaughtUp, 0},
			{0, 50, 50, 150, 0, 0},
			{0, 50, 120, 150, predictor.Lost, 20},
		},
		"it may have read what is gone": {{0, 50, 0, 100, 0, 0}, {0, 50, 40, 100, 0, 0}, {0, 50, 70, 100, predictor.Lost, 50}},
		"one offset":                    {{50, 50, 50, 100, 0, 0}, {50, 50, 51, 100, 0, 0}, {50, 50, 60, 100, predictor.Lost, 10}},
		"first seen with a loss":        {{0, 90, 50, 100, predictor.Lost, 0}, {0, 90, 60, 100, predictor.Lost, 10}},
		"goes on at the log start":      {{0, 100, 0, 100, 0, 0}, {0, 100, 50, 100, predictor.Lost, 50}, {50, 50, 50, 100, 0, 50}},
		"set to an offset by somebody":  {{0, 0, 0, 100, predictor.CaughtUp, 0}, {50, 50, 0, 100, 0, 0}, {50, 50, 80, 100, predictor.Lost, 30}},
		"set back by somebody":          {{0, 0, 0, 100, predictor.CaughtUp, 0}, {80, 20, 0, 100, 0, 0}, {10, 90, 0, 100, 0, 0}, {10, 90, 30, 100, predictor.Lost, 20}},
	} {
		t.Run(name, func(t *testing.T) {
			s, r := shareScene(t)
			for i, l := range looks {
				f := s.sees(r, i, l)
				state, told := f.State.Get()
				if l.state != 0 && state != l.state || l.state == 0 && told && state == predictor.Lost {
					t.Errorf("poll %d: state %v (told: %t), want %v", i, state, told, l.state)
				}
				if f.LostOffsets != l.lost {
					t.Errorf("poll %d: %d lost, want %d", i, f.LostOffsets, l.lost)
				}
				if at, ok := f.Position.Get(); !ok || at != l.told {
					t.Errorf("poll %d: position %d, want %d", i, at, l.told)
				}
			}
		})
	}
}

// Kafka 4.1 does not count what is unfinished.
func TestShareGroupBelowTheLogStartIsUnknownWhereNothingIsCounted(t *testing.T) {
	s, r := shareScene(t)
	if f := s.sees(r, 0, shareLook{told: 40, unfinished: -1, end: 100}); !f.Floor.IsKnown() {
		t.Error("no floor for a start that is in the log")
	}
	f := s.sees(r, 1, shareLook{told: 40, unfinished: -1, start: 60, end: 100})
	f.unknown(predictor.UnsupportedGroup)
	if f.LostOffsets != 0 || f.State == model.Known(predictor.Lost) {
		t.Errorf("said to have lost %d, state %v", f.LostOffsets, f.State)
	}
	if f = s.sees(r, 2, shareLook{told: 70, unfinished: -1, start: 60, end: 100}); !f.Floor.IsKnown() {
		t.Error("no floor once it has gone on")
	}
}

// A share group reads where it has a state, also before it has started anywhere.
func TestShareGroupWithoutAStartHasNoCommit(t *testing.T) {
	s, r := shareScene(t)
	r.none, s.end = true, 10
	s.change = func(snap *model.Snapshot) {
		g := snap.Groups["g"]
		g.Assigned = map[model.PartitionKey]bool{key: true}
		snap.Groups["g"] = g
	}
	s.at(0)
	s.of("g").unknown(predictor.NoCommit)
	r.none, r.unfinished = false, model.Known(model.Offset(5))
	s.at(pollGap)
	r.none = true
	s.at(2 * pollGap)
	s.of("g").unknown(predictor.NoCommit)
}

// A new topic of the same name takes with it what was unfinished, and no more.
func TestShareGroupOnATopicCreatedAnew(t *testing.T) {
	s, r := shareScene(t)
	s.sees(r, 0, shareLook{told: 0, unfinished: 30, end: 100})
	s.id = model.TopicID{2}
	f := s.sees(r, 1, shareLook{told: 0, unfinished: 10, end: 10})
	if f.LostOffsets != 30 || !f.Floor.IsKnown() {
		t.Errorf("%d lost, floor known %t", f.LostOffsets, f.Floor.IsKnown())
	}
}

// What was finished and what was counted survives a restart.
func TestShareGroupIsRemembered(t *testing.T) {
	s, r := shareScene(t)
	for i := range 2 {
		s.sees(r, i, shareLook{told: 0, unfinished: 0, end: 100})
	}
	s.restart()
	f := s.sees(r, 2, shareLook{told: 0, unfinished: 50, start: 120, end: 150})
	if state, _ := f.State.Get(); state != predictor.Lost || f.LostOffsets != 20 {
		t.Errorf("state %v, %d lost", state, f.LostOffsets)
	}
	s.restart()
	if f = s.sees(r, 3, shareLook{told: 0, unfinished: 50, start: 125, end: 150}); f.LostOffsets != 25 {
		t.Errorf("%d lost, want 25", f.LostOffsets)
	}
}
