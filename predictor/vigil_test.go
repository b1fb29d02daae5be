package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// quiet is a log with a record a minute for six days that live for an hour, in segments of a week: its start
// has never moved. A group stands with the record of t=0.
func quiet(t *testing.T, start model.Offset, until model.Millis, touch func(*scene, model.Millis)) saying {
	s := newScene(t, settings(hour, -1, 7*day))
	s.newest, s.start = rising(-6*day, minute), start
	const position = model.Offset(6 * 24 * 60)
	g := s.reads("g", position)
	s.during(-30*minute, until, func(now model.Millis) {
		s.end = model.Offset((now+6*day)/minute) + 1
		g.position = min(s.end, position)
		if touch != nil {
			touch(s, now)
		}
	})
	return s.of("g")
}

// A log begins with a segment, and where that has outlived all that was there before its settings were told,
// it ends by them: a day from now, so that all that is in it stays as long as its newest record.
func TestFloorOfASegmentThatOutlivedItsHistory(t *testing.T) {
	f := quiet(t, 0, 2*hour, nil)
	f.between("floor", f.Floor, 3*hour-minute, 3*hour+1)
	f.between("stopped", f.Stopped, day, day+2*hour)
}

// Before its history has expired for longer than passes may come late, it may end anywhere there.
func TestFloorOfASegmentWithAHistory(t *testing.T) {
	f := quiet(t, 0, 40*minute, nil)
	f.between("floor", f.Floor, hour-2*second, hour+1)
}

// A log that begins elsewhere may begin in the middle of a segment (DeleteRecords).
func TestFloorOfALogThatMayBeginInsideASegment(t *testing.T) {
	f := quiet(t, 1, 2*hour, nil)
	f.between("floor", f.Floor, hour-2*second, hour+1)
}

// While the log start cannot be read nobody knows whether passes come.
func TestFloorAfterAPauseOfTheLogStart(t *testing.T) {
	f := quiet(t, 0, 2*hour, func(s *scene, now model.Millis) {
		s.change = nil
		if now > 20*minute && now < 2*hour-10*minute {
			s.change = func(snap *model.Snapshot) {
				for key, p := range snap.Partitions {
					p.LogStart = model.Read[model.Offset]{}
					snap.Partitions[key] = p
				}
			}
		}
	})
	f.between("floor", f.Floor, hour-2*second, hour+1)
}

// Retention that was raised lets nothing expire for a while, whatever segments there are.
func TestFloorAfterRetentionWasRaised(t *testing.T) {
	f := quiet(t, 0, 2*hour, func(s *scene, now model.Millis) {
		if now == 40*minute {
			s.settings.RetentionMs = 3 * hour
		}
	})
	f.between("floor", f.Floor, 3*hour-2*second, 3*hour+1)
}

// Where steps of the log start are not where the settings lead to, segments end by something else.
func TestFloorOfSegmentsThatEndByNoSetting(t *testing.T) {
	const hidden = 40 // records
	s := newScene(t, settings(hour, -1, 7*day))
	s.newest, s.start = rising(-2*hour, minute), 0
	g := s.reads("g", 0)
	s.during(0, 6*hour, func(now model.Millis) {
		s.end = model.Offset((now+2*hour)/minute) + 1
		s.start = max(0, s.end-61) / hidden * hidden
		g.position = max(s.start, s.end-30)
		s.at(now)
		gone := s.newest(g.position/hidden*hidden + hidden - 1).Add(hour + 1)
		if floor, ok := s.of("g").Floor.Get(); !ok || floor > gone {
			t.Errorf("at %d the floor of %d is %d (known %v), its segment goes at %d", now, g.position, floor.Sub(epoch), ok, gone.Sub(epoch))
		}
	})
}
