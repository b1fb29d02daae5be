package predictor_test

import (
	"math/rand"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// states lists what was said one after the other, each once as long as it stayed; 0 is nothing.
func (s *scene) states(from, to model.Millis, set func(t model.Millis)) (said []predictor.State) {
	for t := from; t <= to; t += s.poll {
		s.during(t, t, set)
		state, _ := s.of("g").State.Get()
		if len(said) == 0 || said[len(said)-1] != state {
			said = append(said, state)
		}
	}
	return said
}

func sameStates(t *testing.T, got []predictor.State, want ...predictor.State) {
	t.Helper()
	if len(got) == len(want) {
		same := true
		for i := range got {
			same = same && got[i] == want[i]
		}
		if same {
			return
		}
	}
	t.Errorf("states were %v, want %v", got, want)
}

// grows is a log that gets a record a second.
func (s *scene) grows(t model.Millis) { s.end = model.Offset((t + 10*hour) / second) }

// A stop ends with the second step: of one alone it cannot be told how fast it goes on, and going
// back and forth between a pace and none would make and unmake a forecast.
func TestStalledUntilTheSecondStep(t *testing.T) {
	s, g := busy(t)
	s.follow(g, 0, 20*minute, 5000)
	sameStates(t, s.states(20*minute+pollGap, hour, func(t model.Millis) {
		s.grows(t)
		if t >= 40*minute {
			g.position += 60
		}
	}), predictor.Progressing, predictor.Stalled, predictor.Progressing)
	f := s.of("g")
	if pace, ok := f.Inputs.Pace.Get(); !ok || pace < 1.9 || pace > 2.1 {
		t.Errorf("pace is %v a second (known %v), want 2: what was before the stop tells nothing", pace, ok)
	}
	s.follow(g, hour+pollGap, hour+20*minute, 5000)
	s.states(hour+20*minute+pollGap, hour+40*minute, s.grows)
	g.position += 60
	s.states(hour+40*minute+pollGap, hour+40*minute+pollGap, s.grows)
	s.of("g").state(predictor.Stalled)
	if f := s.of("g"); f.Loss != f.Stopped {
		t.Errorf("after one step the loss is %v, want the runway %v", f.Loss, f.Stopped)
	}
}

// Waiting at the end for records is no stop, however long; standing before them is one, from when
// they came on.
func TestPatienceBeginsWithSomethingToRead(t *testing.T) {
	s, g := busy(t)
	s.follow(g, 0, 20*minute, 0)
	still := func(model.Millis) {}
	sameStates(t, s.states(20*minute+pollGap, 5*hour, still), predictor.CaughtUp)
	s.end += 100
	said := s.states(5*hour+pollGap, 5*hour+20*minute, still)
	sameStates(t, said[len(said)-1:], predictor.Stalled)
	if len(said) < 2 || said[0] == predictor.Stalled {
		t.Errorf("states were %v: it had no time to read what just came", said)
	}
}

// Commits every ten minutes are no stops, from the third on also to a watch that has just begun.
func TestCommitsEveryTenMinutes(t *testing.T) {
	s, g := busy(t)
	said := s.states(0, 5*hour, func(t model.Millis) {
		s.grows(t)
		if (t+2*minute)%(10*minute) == 0 {
			g.position = s.end - 9000
		}
		if t == 0 {
			g.position = s.end - 9300
		}
	})
	if last := said[len(said)-1]; last != predictor.Progressing || len(said) > 5 {
		t.Errorf("states were %v", said)
	}
	f := s.of("g")
	if pace, ok := f.Inputs.Pace.Get(); !ok || pace < 0.99 || pace > 1.01 {
		t.Errorf("pace is %v a second (known %v), want 1", pace, ok)
	}
}

// After a rewind two steps are not enough to believe a pace: it may read as fast as it can from
// what it has at hand. Four polls have to pass, and two of its commit gaps.
func TestNoVerdictRightAfterARewind(t *testing.T) {
	for _, gap := range []model.Millis{pollGap, 4 * pollGap} {
		s, g := busy(t)
		s.during(0, hour, func(t model.Millis) {
			s.grows(t)
			if t%gap == 0 {
				g.position = s.end - 500
			}
		})
		g.position -= 20_000
		verdict := model.Millis(0)
		s.during(hour+pollGap, hour+20*minute, func(t model.Millis) {
			s.grows(t)
			if state, _ := s.of("g").State.Get(); verdict == 0 && t > hour+2*pollGap && state != predictor.Rewound {
				verdict = t - pollGap - hour - pollGap
			}
			if t > hour+pollGap && t%gap == 0 {
				g.position += 100 * model.Offset(gap/pollGap)
			}
		})
		if least := max(4*pollGap, 2*gap); verdict < least || verdict > least+2*gap {
			t.Errorf("commits every %v: a verdict %v after the rewind, want %v", gap.Duration(), verdict.Duration(), least.Duration())
		}
	}
}

// One record back and at the end again: there is nothing to wait for.
func TestRewindThatIsReadAtOnce(t *testing.T) {
	s, g := busy(t)
	s.follow(g, 0, 20*minute, 0)
	g.position--
	s.at(20*minute + pollGap)
	s.of("g").state(predictor.Rewound)
	g.position++
	s.at(21*minute + pollGap)
	s.of("g").state(predictor.CaughtUp)
}

// A group about as far behind as makes it caught up is not caught up and behind in turns.
func TestCaughtUpDoesNotFlap(t *testing.T) {
	s, g := busy(t)
	s.follow(g, 0, 20*minute, 30)
	sameStates(t, s.states(20*minute+pollGap, 2*hour, func(t model.Millis) {
		s.grows(t)
		g.position = max(g.position, s.end-60+5*model.Offset(t/pollGap%3-1))
	}), predictor.CaughtUp)
	s.follow(g, 2*hour+pollGap, 3*hour, 90)
	s.of("g").state(predictor.Progressing)
}

// A watch of months, with a poll a day, is kept as far back as it fits.
func TestPaceOverMonths(t *testing.T) {
	s := newSceneAt(t, settings(300*day, -1, day), day)
	s.newest = rising(0, minute)
	g := s.reads("g", 0)
	s.during(100*day, 200*day, func(t model.Millis) {
		s.end = model.Offset(t / minute)
		g.position = s.end/2 + 7
	})
	f := s.of("g")
	if pace, ok := f.Inputs.Pace.Get(); !ok || pace < 0.0083 || pace > 0.0084 {
		t.Errorf("pace is %v a second (known %v), want one in two minutes", pace, ok)
	}
	if loss := f.lossInstant(); loss == model.Forever {
		t.Error("no loss is in sight")
	}
}

// A pace that is as fast as what arrives, as nearly as can be told, says nothing of a loss: the
// group keeps its distance. At the earliest there may be one.
func TestPaceWithinItsErrorOfTheArrivals(t *testing.T) {
	for _, c := range []struct {
		speed float64
		loss  bool
	}{{0.99, false}, {1, false}, {1.01, false}, {0.7, true}} {
		random := rand.New(rand.NewSource(3))
		s, g := busy(t)
		read := 33_000.0
		seen := 0
		s.during(0, 4*hour, func(now model.Millis) {
			s.grows(now)
			read += 30 * max(0, c.speed+0.5*random.NormFloat64())
			g.position = model.Offset(read)
			if now > 2*hour && (s.of("g").lossInstant() != model.Forever) == c.loss {
				seen++
			}
		})
		f := s.of("g")
		f.state(predictor.Progressing)
		if all := int(2 * hour / pollGap); seen < all*9/10 {
			t.Errorf("at %v of the arrivals a loss in sight was told rightly (%v) %d of %d times", c.speed, c.loss, seen, all)
		}
		if early, ok := f.Earliest.Get(); !ok || early == model.Forever {
			t.Errorf("at %v of the arrivals the earliest loss is %v, want one", c.speed, f.Earliest)
		}
	}
}

// A group that makes it says how close it comes: here it stands 18 hours back in a day, and reads
// three times as fast as records come; what it reads last is the youngest.
func TestClosestApproach(t *testing.T) {
	s, g := busy(t)
	s.newest = rising(-24*hour, second)
	s.settings.RetentionMs = 24 * hour
	s.during(0, hour, func(t model.Millis) {
		s.end = model.Offset((t + 24*hour) / second)
		g.position = 6*3600 + 3*model.Offset(t/second)
	})
	f := s.of("g")
	f.forever("loss", f.Loss)
	// The next segment's newest record is at most an hour younger than the next record, which is
	// 16 hours old by now.
	if left, ok := f.Closest.Get(); !ok || left < 7*hour || left > 9*hour+5*minute {
		t.Errorf("it comes as close as %v (known %v), want 8 hours or so", left.Duration(), ok)
	}
	s.during(hour+pollGap, 2*hour, func(t model.Millis) {
		s.end = model.Offset((t + 24*hour) / second)
		g.position = s.end - 20
	})
	f = s.of("g")
	f.state(predictor.CaughtUp)
	if left, ok := f.Closest.Get(); !ok || left < 24*hour || left > 25*hour+10*minute {
		t.Errorf("caught up, it comes as close as %v (known %v), want its runway", left.Duration(), ok)
	}
	g.position = s.end
	s.at(2*hour + pollGap)
	if f := s.of("g"); f.Closest.IsKnown() {
		t.Errorf("with nothing unread it comes as close as %v", f.Closest)
	}
}
