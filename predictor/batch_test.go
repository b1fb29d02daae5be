package predictor_test

import (
	"math"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// nightly is a log of 40 hours of retention that gets a record a second, and a job that reads all
// of it once a day, at midnight, within an hour. It has members only while it works.
type nightly struct {
	*scene
	g *reader
	// skips are the nights on which it does not run.
	skips map[int]bool
	// wavers is by how many records the log is ahead of, or behind, one a second.
	wavers func(t model.Millis) float64
}

func newNightly(t *testing.T, retention model.Millis) *nightly {
	return newNightlyOf(t, settings(retention, -1, hour))
}

func newNightlyOf(t *testing.T, set model.Settings) *nightly {
	s := newSceneAt(t, set, 5*minute)
	s.newest = rising(-60*hour, second)
	n := &nightly{scene: s, g: s.reads("g", 60*3600), skips: map[int]bool{}}
	n.g.state = "Empty"
	return n
}

// until polls from one instant to another.
func (n *nightly) until(from, to model.Millis, check func(t model.Millis)) {
	n.during(from, to, func(t model.Millis) {
		n.end = model.Offset((t + 60*hour) / second)
		if n.wavers != nil {
			n.end += model.Offset(n.wavers(t))
		}
		n.start = max(0, n.end-model.Offset(41*hour/second))
		n.g.state = "Empty"
		if night, at := int(t/day), t%day; at <= hour && !n.skips[night] {
			n.g.state = "Stable"
			n.g.position = max(n.g.position, n.end-model.Offset((hour-at)*23/second))
		}
		if len(n.pairs()) > 0 {
			check(t)
		}
	})
}

func (n *nightly) pairs() []predictor.Forecast {
	if n.report == nil {
		return nil
	}
	return n.report.Pairs
}

func ignore(model.Millis) {}

// A job that runs each night is in no danger while it is on time, during its run and between.
func TestNightlyJobOnTime(t *testing.T) {
	n := newNightly(t, 40*hour)
	n.until(0, 2*day+hour, ignore)
	n.until(2*day+hour+5*minute, 6*day, func(model.Millis) {
		f := n.of("g")
		if lag, _ := f.Lag.Get(); lag == 0 {
			return
		}
		f.state(predictor.Batch)
		f.forever("loss", f.Loss)
		f.forever("latest", f.Latest)
		if at, ok := f.Earliest.Get(); !ok || at == model.Forever {
			t.Errorf("earliest is %v, but the next run may not come", f.Earliest)
		}
	})
}

// The first run under the watch tells of a rhythm where the record that came next tells when the one before
// ended.
func TestRunBeforeTheWatchCounts(t *testing.T) {
	n := newNightly(t, 40*hour)
	n.g.position = 37 * 3600 // written at the end of the run a day before the first
	n.until(-12*hour, hour+5*minute, ignore)
	n.until(hour+10*minute, 3*day, func(model.Millis) {
		f := n.of("g")
		f.state(predictor.Batch)
		f.forever("loss", f.Loss)
	})
}

// Two runs make a rhythm of a group that went to rest, and of no other: with members there, or with
// something left unread, it may have broken down. A third run that does not come is announced.
func TestTwoRunsOfAGroupThatWentToRest(t *testing.T) {
	for _, c := range []struct {
		name   string
		state  string
		unread model.Offset // when the second run ends
		want   predictor.State
	}{
		{"at rest", "Empty", 0, predictor.Batch},
		{"with members", "Stable", 0, predictor.Stalled},
		{"something unread", "Empty", 30_000, predictor.Empty},
	} {
		n := newNightly(t, 40*hour)
		n.g.position = 30 * 3600
		n.skips[2] = true
		n.until(-5*minute, day+30*minute, ignore)
		if c.unread > 0 {
			n.skips[1] = true // it breaks off
		}
		n.until(day+35*minute, 2*day, func(at model.Millis) {
			n.g.state = c.state
			if at < day+2*hour {
				return
			}
			f := n.of("g")
			if state, _ := f.State.Get(); state != c.want && at < 2*day-5*minute {
				t.Fatalf("%s: state %v at %v", c.name, state, at.Duration())
			}
			if said := f.lossInstant() == model.Forever; said != (c.want == predictor.Batch) {
				t.Fatalf("%s: loss is %v at %v", c.name, f.Loss, at.Duration())
			}
		})
		n.until(2*day+5*minute, 2*day+8*hour, ignore)
		if n.of("g").lossInstant() == model.Forever {
			t.Errorf("%s: the run that does not come is not announced", c.name)
		}
	}
}

// Where bytes decide when records go and come now faster, now slower, a run that is expected before they
// go is in time, though that is not certain.
func TestNightlyJobByBytes(t *testing.T) {
	set := settings(-1, 33*3600*1000, hour)
	n := newNightlyOf(t, set)
	n.record = 1000
	n.wavers = func(t model.Millis) float64 { return 2600 * math.Sin(2*math.Pi*float64(t)/float64(5*hour)) }
	n.until(0, 3*day, ignore)
	n.until(3*day+5*minute, 6*day, func(model.Millis) {
		f := n.of("g")
		f.state(predictor.Batch)
		f.forever("loss", f.Loss)
	})
}

// A run that does not come is announced before half of the time that is left to it is gone, and is
// called stalled by its own rhythm.
func TestNightlyJobSkipped(t *testing.T) {
	n := newNightly(t, 40*hour)
	n.skips[5] = true
	n.until(0, 5*day, ignore)
	due := 5 * day // of the run that does not come; at 20 h before the end of retention
	announced, stalled := model.Millis(0), model.Millis(0)
	n.until(due+5*minute, due+12*hour, func(at model.Millis) {
		f := n.of("g")
		if announced == 0 && f.lossInstant() != model.Forever {
			announced = at - due
			f.between("loss", f.Loss, due-23*hour+39*hour, due-23*hour+43*hour)
		}
		if state, _ := f.State.Get(); stalled == 0 && state != predictor.Batch {
			stalled = at - due
		}
	})
	if announced == 0 || announced > 8*hour {
		t.Errorf("announced after %v", announced.Duration())
	}
	if stalled < 3*hour || stalled > 5*hour {
		t.Errorf("no longer on time after %v, want 15 %% of a day", stalled.Duration())
	}
	n.until(due+12*hour+5*minute, due+day+2*hour, ignore)
	f := n.of("g") // the next night's run came: a multiple of the period
	f.state(predictor.Batch)
	f.forever("loss", f.Loss)
}

// Where the slack is short the announcement comes long before the run is overdue by its rhythm.
func TestNightlyJobWithLittleSlack(t *testing.T) {
	n := newNightly(t, 27*hour)
	n.skips[5] = true
	n.until(0, 5*day-5*minute, func(at model.Millis) {
		if at > 3*day {
			n.of("g").forever("loss", n.of("g").Loss)
		}
	})
	n.until(5*day, 5*day+110*minute, ignore)
	f := n.of("g")
	f.state(predictor.Batch)
	f.between("loss", f.Loss, 5*day+3*hour, 5*day+6*hour)
}

// One commit a run is a long wait between commits, no rhythm of runs.
func TestOneCommitARunIsNoBatch(t *testing.T) {
	s, g := busy(t)
	s.during(0, 8*hour, func(t model.Millis) {
		s.end = model.Offset((t + 10*hour) / second)
		if t%hour == 0 {
			g.position = s.end - 500
		}
		if state, _ := stateNow(s); state == predictor.Batch {
			s.t.Fatalf("batch at %v", t.Duration())
		}
	})
	s.of("g").state(predictor.CaughtUp)
}

// Short pauses in a work that goes on are no rhythm either.
func TestRegularPausesAreNoBatch(t *testing.T) {
	s, g := busy(t)
	s.during(0, 8*hour, func(t model.Millis) {
		s.end = model.Offset((t + 10*hour) / second)
		if t%hour > 6*minute {
			g.position = s.end - 20_000 + model.Offset(t/minute)
		}
		if state, _ := stateNow(s); state == predictor.Batch {
			s.t.Fatalf("batch at %v", t.Duration())
		}
	})
}

// A group that is at the end whenever a record comes waits for records, not for its next run.
func TestSporadicProducerMakesNoBatch(t *testing.T) {
	s, g := busy(t)
	s.during(0, 8*hour, func(t model.Millis) {
		s.end = 36_000 + 10*model.Offset(t/hour)
		g.position = s.end
		if t%hour == 0 {
			g.position -= 5
		}
		if state, ok := stateNow(s); ok && state != predictor.CaughtUp && state != predictor.Progressing {
			s.t.Fatalf("%v at %v", state, t.Duration())
		}
	})
}

func stateNow(s *scene) (predictor.State, bool) {
	if s.report == nil {
		return 0, false
	}
	return s.of("g").State.Get()
}
