package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// fileSizes has sizes tell of all that was appended since a base, as files do: DeleteRecords leaves them
// as they are. They are read every so often.
func (s *scene) fileSizes(base *model.Offset, every model.Millis) {
	var size model.Read[model.SizeRead]
	s.change = func(snap *model.Snapshot) {
		p := snap.Partitions[key]
		if at, ok := size.At(); !ok || s.now >= at.Add(every) {
			r, _ := p.Size.Get()
			r.Bytes = s.record * model.Bytes(s.end-*base)
			size = model.ReadAt(r, s.now)
		}
		p.Size = size
		snap.Partitions[key] = p
	}
}

// Records are deleted up to one that has expired, in the middle of a segment that has not: that looks
// like retention, but the files are as large as before.
func TestDeleteRecordsInsideAnExpiredPart(t *testing.T) {
	for _, every := range []model.Millis{pollGap, 10 * minute} {
		s := newScene(t, settings(2*hour, -1, 3*hour))
		s.newest = rising(-150*minute, second)
		base := model.Offset(0)
		s.fileSizes(&base, every)
		s.reads("g", 5000)
		play := func(now model.Millis) {
			s.end = model.Offset((now+150*minute)/second) + 1
			if now >= 45*minute {
				s.start = 2000
			}
		}
		s.during(0, hour, play)
		due := 30*minute + 2*hour // the segment rolled when its first record was three hours old
		s.of("g").between("stopped", s.of("g").Stopped, due-minute, due+310*second)
	}
}

// What retention takes is gone from the files, with whatever came meanwhile.
func TestRetentionStaysRetention(t *testing.T) {
	for _, every := range []model.Millis{pollGap, 10 * minute} {
		s := newScene(t, settings(2*hour, -1, 30*minute))
		s.newest = rising(-150*minute, second)
		base := model.Offset(0)
		s.fileSizes(&base, every)
		s.reads("g", 9000)
		s.during(0, 2*hour, func(now model.Millis) {
			s.end = model.Offset((now+150*minute)/second) + 1
			s.start = model.Offset((now+30*minute)/second) / 1801 * 1801
			base = s.start
		})
		if kept := s.pred.Memory().Partitions[0]; !kept.Base {
			t.Error("the log start is taken for no base")
		}
	}
}

// The record that a segment began with was deleted by hand, long after it was asked for.
func TestDeletedFirstRecordOfTheActiveSegment(t *testing.T) {
	s := newSceneAt(t, settings(48*hour, -1, 60*hour), 5*minute)
	s.newest = rising(-48*hour, 10*second)
	g := s.reads("g", 0)
	s.during(0, 55*hour, func(now model.Millis) {
		s.end = model.Offset((now+48*hour)/(10*second)) + 1
		g.position = s.end - 3
		if now >= 50*hour {
			s.start = 6 * 4080 // 20 hours after the first poll; that segment began at 12
		}
	})
	s.of("g").between("stopped", s.of("g").Stopped, 120*hour-20*minute, 120*hour+20*minute)
}
