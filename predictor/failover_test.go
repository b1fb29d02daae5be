package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// replicas makes the partition one of brokers 1 (the leader), 2 and 3.
func (s *scene) replicas(isr []model.BrokerID, starts map[model.BrokerID]model.Offset, silent ...model.BrokerID) {
	s.change = func(snap *model.Snapshot) {
		for id := model.BrokerID(1); id <= 3; id++ {
			b := snap.Brokers[id]
			b.ID, b.LastAnswer = id, model.ReadAt(struct{}{}, s.now)
			for _, is := range silent {
				if is == id {
					b.LastAnswer = model.ReadAt(struct{}{}, s.now.Add(-4*pollGap))
				}
			}
			snap.Brokers[id] = b
		}
		p := snap.Partitions[key]
		p.Replicas, p.ISR = []model.BrokerID{1, 2, 3}, isr
		p.FollowerLogStart = map[model.BrokerID]model.Read[model.Offset]{}
		for id, start := range starts {
			p.FollowerLogStart[id] = model.ReadAt(start, s.now)
		}
		snap.Partitions[key] = p
	}
}

func TestFailoverStandsAtTheReplicaFurthestAhead(t *testing.T) {
	all := []model.BrokerID{1, 2, 3}
	type starts = map[model.BrokerID]model.Offset
	for _, c := range []struct {
		name           string
		isr            []model.BrokerID
		starts         starts
		silent         []model.BrokerID
		start, exposed model.Offset
		unknown        bool
	}{
		{"a follower is ahead", all, starts{2: 100, 3: 400}, nil, 400, 250, false},
		{"ahead, but before the position", all, starts{2: 100, 3: 120}, nil, 120, 0, false},
		{"followers are behind", all, starts{2: 50, 3: 60}, nil, 100, 0, false},
		{"ahead of the high watermark", all, starts{2: 100, 3: 2000}, nil, 2000, 850, false},
		{"the one ahead is not in sync", []model.BrokerID{1, 2}, starts{2: 110, 3: 400}, nil, 110, 0, false},
		{"alone", []model.BrokerID{1}, nil, nil, 100, 0, false},
		{"a follower never told", all, starts{2: 100}, nil, 0, 0, true},
		{"a follower is silent", all, starts{2: 100, 3: 400}, []model.BrokerID{3}, 0, 0, true},
		{"replicas unknown", nil, starts{2: 100, 3: 400}, nil, 0, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, settings(day, -1, 7*day))
			s.newest, s.start, s.end = rising(-1000*second, second), 100, 1000
			s.reads("g", 150)
			s.replicas(c.isr, c.starts, c.silent...)
			s.at(0)
			start, ok := s.report.Partitions[key].FailoverLogStart.Get()
			exposed, also := s.of("g").FailoverExposed.Get()
			if ok == c.unknown || also == c.unknown || start != c.start || exposed != c.exposed {
				t.Errorf("start %d (known %v), exposed %d (known %v), want %d and %d, known %v", start, ok, exposed, also, c.start, c.exposed, !c.unknown)
			}
		})
	}
}

// A lost position counts from the log start: what is gone already is not exposed again.
func TestFailoverOfALostPosition(t *testing.T) {
	s := newScene(t, settings(day, -1, 7*day))
	s.newest, s.start, s.end = rising(-1000*second, second), 100, 1000
	s.reads("g", 50)
	s.replicas([]model.BrokerID{1, 2}, map[model.BrokerID]model.Offset{2: 300})
	s.at(0)
	if n, ok := s.of("g").FailoverExposed.Get(); !ok || n != 200 {
		t.Errorf("%d offsets are exposed (known %v), want 200", n, ok)
	}
}
