package sim

import (
	"testing"

	"kafka-retention-exporter/model"
)

// reader is a group that keeps up and commits every ten seconds.
func reader() Reader {
	return Reader{PerMs: 1, Gap: 10 * second, Protocol: "consumer", Kind: model.KindClassic, Sound: true}
}

func TestWhatAnIncidentTakesIsGoneThen(t *testing.T) {
	for _, kind := range []IncidentKind{RecordsAreDeleted, TopicIsRecreated} {
		p := plain(reader())
		at := p.Start.Add(30 * minute)
		p.Reader.Spells = []Spell{{interval: interval{p.Start, model.Forever}}} // it stands
		p.Reader.Sound = false
		p.Incidents = []Incident{{At: at, Kind: kind, Times: 1}}
		got := Play(p)
		first := got.Polls[2]
		gone, ok := first.Gone.Get()
		if loss, _ := first.Loss.Get(); !ok || gone != at || loss != at {
			t.Errorf("incident %d at %v: gone at %v, lost at %v", kind, at, gone, loss)
		}
		if got.LostTrue == 0 || got.LostTrue != got.LostSaid {
			t.Errorf("incident %d: lost %d, said %d", kind, got.LostTrue, got.LostSaid)
		}
	}
}

func TestAFollowerThatIsAheadTakesItsStartAlong(t *testing.T) {
	p := plain(reader())
	p.Check = 30 * minute
	p.Replicated, p.Phase, p.FollowerPhase = true, minute, 16*minute
	p.Incidents = []Incident{{At: p.Start.Add(7 * minute), Kind: LeaderChanges}} // the follower's pass is over, the leader's to come
	w := newWorld(p)
	w.advance(p.Incidents[0].At - 1)
	leader, follower := w.log.Start(), w.follower.Start()
	w.advance(p.Incidents[0].At)
	if follower <= leader || w.log.Start() != follower || w.leader != followerID {
		t.Errorf("log start %d before, %d on the follower, %d after it took over as broker %d", leader, follower, w.log.Start(), w.leader)
	}
}

func TestARestartBeginsThePassesAnew(t *testing.T) {
	p := plain(reader())
	at := p.Start.Add(7*minute + 10*second)
	p.Incidents = []Incident{{At: at, Kind: BrokerRestarts, Down: 20 * second}}
	w := newWorld(p)
	w.advance(at)
	end := w.log.End()
	w.advance(at.Add(19 * second))
	if !w.down() || w.log.End() != end {
		t.Errorf("down %v, and %d records came meanwhile", w.down(), w.log.End()-end)
	}
	if got := w.passes[leaderID]; got != at.Add(50*second) {
		t.Errorf("the next pass is %v after the restart", got.Sub(at).Duration())
	}
}

func TestJoinedSegmentsGoTogether(t *testing.T) {
	p := plain(reader())
	p.Settings.Policy, p.Backoff = model.PolicyCompactDelete, 15*second
	w := newWorld(p)
	w.advance(p.end())
	if len(w.starts) < 2 {
		t.Fatalf("the log start moved %d times", len(w.starts))
	}
	for _, m := range w.starts[1:] {
		newest, _ := w.records.stampOf(m.start - 1).Get()
		if age := m.at.Sub(newest); age <= hour || age > hour+minute {
			t.Errorf("what goes at %v is %v old", m.at, age.Duration())
		}
	}
	if segments := int(p.end().Sub(p.Begin) / (10 * minute)); len(w.starts) > segments/2 {
		t.Errorf("%d moves for %d segments: none are joined", len(w.starts), segments)
	}
}

func TestATieredLogExpiresInRemoteStorage(t *testing.T) {
	p := plain(reader())
	p.Settings.Tiered = true
	w := newWorld(p)
	w.advance(p.end())
	if len(w.starts) < 5 {
		t.Fatalf("the log start moved %d times", len(w.starts))
	}
	for _, m := range w.starts {
		newest, _ := w.records.stampOf(m.start - 1).Get()
		if age := m.at.Sub(newest); age <= hour || age > hour+remoteTask {
			t.Errorf("what goes at %v is %v old", m.at, age.Duration())
		}
	}
}

func TestWhatIsLostIsCountedOnceAcrossRestarts(t *testing.T) {
	for _, remember := range []bool{false, true} {
		p := plain(reader())
		p.Reader.Spells = []Spell{{interval: interval{p.Start, model.Forever}}}
		for at := p.Start.Add(10 * minute); at < p.end(); at = at.Add(7 * minute) {
			p.Exporter.Restarts = append(p.Exporter.Restarts, at)
		}
		p.Exporter.Remember = remember
		got := Play(p)
		if got.LostTrue == 0 || got.LostSaid != got.LostTrue {
			t.Errorf("remembering %v: lost %d, said %d", remember, got.LostTrue, got.LostSaid)
		}
	}
}
