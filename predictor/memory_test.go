package predictor_test

import (
	"reflect"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// restart begins anew with what was kept.
func (s *scene) restart() predictor.Memory {
	kept := s.pred.Memory()
	s.pred = predictor.New(predictor.Config{Poll: s.poll})
	s.pred.Recall(kept)
	return kept
}

// TestLossesSurviveARestart: what was lost stays counted, since when too, and what is deleted while
// nobody watches is added.
func TestLossesSurviveARestart(t *testing.T) {
	s := aged(t, settings(hour, -1, 5*minute))
	s.groups["g"] = &reader{state: "Empty", proto: "consumer", position: 2000}
	s.during(0, 100*minute, func(now model.Millis) { s.retain(now, hour) })
	before := s.of("g")
	if before.LostOffsets == 0 {
		t.Fatal("nothing was lost")
	}
	counted := s.start
	s.restart()
	s.during(130*minute, 131*minute, func(now model.Millis) { s.retain(now, hour) })
	after := s.of("g")
	after.state(predictor.Lost)
	if want := before.LostOffsets + int64(s.start-counted); after.LostOffsets != want {
		t.Errorf("%d offsets are lost after the restart, want %d", after.LostOffsets, want)
	}
	if after.Loss != before.Loss {
		t.Errorf("lost since %v after the restart, %v before it", after.Loss, before.Loss)
	}
}

// TestTopicCreatedAnewWhileNobodyWatched: what was unread of the old one is lost.
func TestTopicCreatedAnewWhileNobodyWatched(t *testing.T) {
	s := aged(t, settings(hour, -1, 5*minute))
	s.groups["g"] = &reader{state: "Empty", proto: "consumer", position: 1000}
	s.during(0, 30*minute, func(now model.Millis) { s.retain(now, hour) })
	s.restart()
	s.id, s.start, s.end = model.TopicID{2}, 0, 10
	s.at(31 * minute)
	if got := s.of("g").LostOffsets; got != 800 {
		t.Errorf("%d offsets are lost with the old topic, want 800", got)
	}
}

// TestStatesSurviveARestart: a group that stood still does so still, at the first poll, and one that
// moved is forecast at once.
func TestStatesSurviveARestart(t *testing.T) {
	s := aged(t, settings(hour, -1, 5*minute))
	slow, still := &reader{state: "Stable", proto: "consumer"}, &reader{state: "Stable", proto: "consumer"}
	s.groups["slow"], s.groups["still"] = slow, still
	play := func(now model.Millis) {
		s.retain(now, hour)
		slow.position = model.Offset(now / second / 2)
		still.position = min(slow.position, 600)
	}
	s.during(0, 50*minute, play)
	before := s.of("slow")
	s.restart()
	play(52 * minute)
	s.at(52 * minute)
	s.of("slow").state(predictor.Progressing)
	s.of("still").state(predictor.Stalled)
	was, _ := before.Loss.Get()
	if is, ok := s.of("slow").Loss.Get(); !ok || max(is.Sub(was), was.Sub(is)) > 10*minute {
		t.Errorf("slow loses its next records at %v after the restart, %v before it", s.of("slow").Loss, before.Loss)
	}
}

// TestJobsSurviveARestart: a group that works in runs need not do so three times more to be known.
func TestJobsSurviveARestart(t *testing.T) {
	s := aged(t, settings(day, -1, hour))
	s.poll = minute
	s.pred = predictor.New(predictor.Config{Poll: s.poll})
	job := &reader{state: "Empty", proto: ""}
	s.groups["job"] = job
	play := func(now model.Millis) {
		s.retain(now, day)
		if now%(4*hour) < 10*minute {
			job.position = s.end - model.Offset((10*minute-now%(4*hour))/second)*24
			job.position = max(job.position, 0)
		}
	}
	s.during(0, 25*hour, play)
	s.of("job").state(predictor.Batch)
	s.restart()
	s.during(25*hour+5*minute, 26*hour, play)
	s.of("job").state(predictor.Batch)
}

// TestMemoryOfWhatIsNotMetIsKept: a coordinator that is silent after a restart costs nothing.
func TestMemoryOfWhatIsNotMetIsKept(t *testing.T) {
	s := aged(t, settings(hour, -1, 5*minute))
	s.groups["g"] = &reader{state: "Empty", proto: "consumer", position: 2000}
	s.during(0, 100*minute, func(now model.Millis) { s.retain(now, hour) })
	lost := s.of("g").LostOffsets
	s.restart()
	s.groups["g"].gone = true
	s.during(101*minute, 105*minute, func(now model.Millis) { s.retain(now, hour) })
	s.restart()
	s.groups["g"].gone = false
	s.at(106 * minute)
	if got := s.of("g").LostOffsets; got < lost {
		t.Errorf("%d offsets are lost, %d before", got, lost)
	}
}

// TestMemoryComesBackAsItWas: what is taken in is given out again.
func TestMemoryComesBackAsItWas(t *testing.T) {
	s := aged(t, settings(hour, -1, 5*minute))
	s.groups["g"] = &reader{state: "Stable", proto: "consumer"}
	s.during(0, 3*hour, func(now model.Millis) {
		s.retain(now, hour)
		s.groups["g"].position = s.end * 3 / 4
	})
	kept := s.pred.Memory()
	if len(kept.Partitions) != 1 || len(kept.Pairs) != 1 || len(kept.Groups) != 1 || len(kept.Phases) != 1 || len(kept.Widths) == 0 {
		t.Fatalf("%+v is kept", kept)
	}
	s.restart()
	s.at(3 * hour)
	again := s.pred.Memory()
	if !reflect.DeepEqual(kept.Widths, again.Widths) || !reflect.DeepEqual(kept.Phases, again.Phases) {
		t.Errorf("kept %+v %+v, again %+v %+v", kept.Widths, kept.Phases, again.Widths, again.Phases)
	}
	kept.Partitions[0].Ends, again.Partitions[0].Ends = nil, nil // the sketch of a sketch has fewer points
	if !reflect.DeepEqual(kept.Partitions, again.Partitions) {
		t.Errorf("kept %+v, again %+v", kept.Partitions, again.Partitions)
	}
	was, is := kept.Pairs[0], again.Pairs[0]
	if was.Lost != is.Lost || was.Counted != is.Counted || !reflect.DeepEqual(was.Pace.Waits, is.Pace.Waits) || !reflect.DeepEqual(was.Pace.Runs, is.Pace.Runs) {
		t.Errorf("kept %+v %+v, again %+v %+v", was, was.Pace, is, is.Pace)
	}
}

// TestBaseIsForgottenWithItsReplica: another epoch may be another log.
func TestBaseIsForgottenWithItsReplica(t *testing.T) {
	s := aged(t, settings(hour, -1, 5*minute))
	s.during(0, 2*hour, func(now model.Millis) { s.retain(now, hour) })
	if !s.pred.Memory().Partitions[0].Base {
		t.Fatal("the log start is where retention left it, but not kept as a base")
	}
	kept := s.restart()
	s.at(2 * hour)
	if !s.pred.Memory().Partitions[0].Base {
		t.Error("the base is forgotten")
	}
	kept.Partitions[0].Epoch++
	s.pred = predictor.New(predictor.Config{Poll: s.poll})
	s.pred.Recall(kept)
	s.at(2 * hour)
	if s.pred.Memory().Partitions[0].Base {
		t.Error("the base of another epoch is believed")
	}
}
