package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// TestOwnFilesAreBelieved has a log of which nothing is known from outside but its edges, and the
// files of its leader: three closed segments, the second of which is newer than the third.
func TestOwnFilesAreBelieved(t *testing.T) {
	const now = epoch
	set := settings(100_000, -1, 1<<40)
	r := &model.LocalReplica{Key: key, TopicID: model.TopicID{1}, HighWatermark: model.Known(model.Offset(45))}
	for i, age := range []model.Millis{90_000, 50_000, 70_000, 10} {
		r.Segments = append(r.Segments, model.Segment{Base: model.Offset(10 * i), Size: 1000, Largest: now.Add(-age), Stamped: true})
	}
	snap := local(set, r, now)
	p := predictor.New(predictor.Config{Poll: 1000})
	p.Observe(snap)
	report := p.Report(now)
	// The pass is half of the check interval (1 s) after what is due; the floor is what is due.
	for position, age := range map[model.Offset]model.Millis{5: 90_000, 15: 50_000, 25: 50_000} {
		f := report.Pairs[0]
		for _, one := range report.Pairs {
			if one.Position == model.Known(position) {
				f = one
			}
		}
		due := now.Add(100_000 - age + 1)
		if got, ok := f.Stopped.Get(); !ok || got != due.Add(500) {
			t.Errorf("at %d: stopped in %d ms, want %d", position, got.Sub(now), due.Sub(now)+500)
		}
		if got, ok := f.Floor.Get(); !ok || got != due {
			t.Errorf("at %d: floor in %d ms, want %d", position, got.Sub(now), due.Sub(now))
		}
	}
	outlook := report.Replicas[key]
	if outlook.Next != model.Known(now.Add(10_501)) || outlook.Segments != 1 || outlook.Bytes != 1000 || outlook.Offsets != 10 {
		t.Errorf("next deletion: %+v", outlook)
	}
	if outlook.Blocker.IsKnown() || outlook.Newest != model.Known(now.Add(-10)) {
		t.Errorf("replica: %+v", outlook)
	}
}

// TestSegmentThatBlocksDeletion is the second one, which is kept while the third has expired.
func TestSegmentThatBlocksDeletion(t *testing.T) {
	const now = epoch
	r := &model.LocalReplica{Key: key, TopicID: model.TopicID{1}}
	for i, age := range []model.Millis{110_000, 50_000, 105_000, 10} {
		r.Segments = append(r.Segments, model.Segment{Base: model.Offset(10 * i), Size: 1000, Largest: now.Add(-age), Stamped: true})
	}
	p := predictor.New(predictor.Config{Poll: 1000})
	p.Observe(local(settings(100_000, -1, 1<<40), r, now))
	if got := p.Report(now).Replicas[key]; got.Blocker != model.Known(model.Offset(10)) || got.Segments != 1 {
		t.Errorf("replica: %+v", got)
	}
}

// local is a poll that read the leader's files, with groups at 5, 15 and 25.
func local(set model.Settings, r *model.LocalReplica, now model.Instant) *model.Snapshot {
	groups := map[string]model.Group{}
	for name, position := range map[string]model.Offset{"a": 5, "b": 15, "c": 25} {
		groups[name] = model.Group{Name: name, Kind: model.KindClassic, State: "Empty", ProtocolType: "consumer",
			OffsetsRead: model.ReadAt(struct{}{}, now),
			Offsets:     map[model.PartitionKey]model.Read[model.Commit]{key: model.ReadAt(model.Commit{Offset: position}, now)}}
	}
	return &model.Snapshot{
		Started: now, At: now, Reached: true, Groups: groups,
		Local: model.ReadAt(model.LocalBroker{ID: 1, Replicas: map[model.PartitionKey]*model.LocalReplica{key: r}}, now),
		Brokers: map[model.BrokerID]model.Broker{1: {ID: 1, Up: true,
			Settings: model.ReadAt(model.BrokerSettings{CheckInterval: 1000}, now)}},
		Topics: map[string]model.Topic{"t": {Name: "t", Partitions: 1, ID: model.TopicID{1},
			Settings: map[model.BrokerID]model.Read[model.Settings]{1: model.ReadAt(set, now)}}},
		Partitions: map[model.PartitionKey]model.Partition{key: {
			Key: key, TopicID: model.TopicID{1}, Leader: 1, LeaderKnown: true,
			LogStart: model.ReadAt(model.Offset(0), now), End: model.ReadAt(model.Offset(45), now),
		}},
	}
}

// TestGapOfOneOffset is a record that is lost, or the marker that ends a transaction, as the files say;
// where they say nothing it may be either.
func TestGapOfOneOffset(t *testing.T) {
	const now = epoch
	var unread model.Maybe[bool]
	for _, c := range []struct {
		name   string
		marker model.Maybe[bool]
		start  model.Offset // by the files
		lost   int64
		reason predictor.Reason
	}{
		{"record", model.Known(false), 6, 1, 0},
		{"marker", model.Known(true), 6, 0, 0},
		{"not read", unread, 6, 0, predictor.SingleOffsetGap},
		{"of another start", model.Known(true), 5, 0, predictor.SingleOffsetGap},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &model.LocalReplica{Key: key, TopicID: model.TopicID{1}, Segments: []model.Segment{{Size: 1000, Largest: now - 10, Stamped: true}, {Base: 40, Largest: now, Stamped: true}}}
			p := predictor.New(predictor.Config{Poll: 1000})
			p.Observe(local(settings(100_000, -1, 1<<40), r, now))
			later := *r
			later.Below = model.Below{Start: c.start, Marker: c.marker}
			snap := local(settings(100_000, -1, 1<<40), &later, now+1000)
			part := snap.Partitions[key]
			part.LogStart = model.ReadAt(model.Offset(6), now+1000)
			snap.Partitions[key] = part
			p.Observe(snap)
			for _, f := range p.Report(now + 1000).Pairs {
				if f.Position != model.Known(model.Offset(5)) {
					continue
				}
				reason, _ := f.Reason.Get()
				state, _ := f.State.Get()
				if f.LostOffsets != c.lost || (state == predictor.Lost) != (c.lost > 0) || (reason == predictor.SingleOffsetGap) != (c.reason != 0) {
					t.Errorf("%d lost, state %v, reason %v", f.LostOffsets, state, reason)
				}
			}
		})
	}
}

// TestFilesThatDifferAreNotUsed: a copy of a log dir says of its log what was.
func TestFilesThatDifferAreNotUsed(t *testing.T) {
	const now = epoch
	r := &model.LocalReplica{Key: key, TopicID: model.TopicID{1}, Differs: model.Known(model.Difference{Of: model.DifferingSize, Files: 1, Told: 2}),
		Segments: []model.Segment{{Size: 1000, Largest: now.Add(-90_000), Stamped: true}, {Base: 40, Largest: now, Stamped: true}}}
	p := predictor.New(predictor.Config{Poll: 1000})
	p.Observe(local(settings(100_000, -1, 1<<40), r, now))
	for _, f := range p.Report(now).Pairs {
		if f.Stopped.IsKnown() {
			t.Errorf("%v: a runway at the first poll, %v", f.Key, f.Stopped)
		}
	}
}
