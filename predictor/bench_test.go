package predictor_test

import (
	"fmt"
	"runtime"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// cluster is a poll of many partitions, each read by one group per ten.
func cluster(partitions int, now model.Instant, rose model.Offset) *model.Snapshot {
	snap := &model.Snapshot{
		Started: now, At: now, Reached: true,
		Brokers:    map[model.BrokerID]model.Broker{1: {ID: 1, Up: true}},
		Topics:     map[string]model.Topic{},
		Partitions: map[model.PartitionKey]model.Partition{},
		Groups:     map[string]model.Group{},
	}
	for i := range partitions {
		name := fmt.Sprint("t", i)
		k := model.PartitionKey{Topic: name}
		end := 100_000 + rose
		snap.Topics[name] = model.Topic{Name: name, Partitions: 1, ID: model.TopicID{1},
			Settings: map[model.BrokerID]model.Read[model.Settings]{1: model.ReadAt(settings(day, gib, hour), now)}}
		snap.Partitions[k] = model.Partition{Key: k, TopicID: model.TopicID{1}, Leader: 1, LeaderKnown: true,
			LogStart: model.ReadAt(model.Offset(0), now), End: model.ReadAt(end, now),
			Size:   model.ReadAt(model.SizeRead{Bytes: 100 * model.Bytes(end), EndBefore: end, EndAfter: end, Still: true}, now),
			Oldest: model.ReadAt(model.Stamped{Stamp: now.Add(-10 * hour), Found: true}, now)}
		group := fmt.Sprint("g", i/10)
		g, ok := snap.Groups[group]
		if !ok {
			g = model.Group{Name: group, Kind: model.KindClassic, State: "Stable", ProtocolType: "consumer",
				OffsetsRead: model.ReadAt(struct{}{}, now), Offsets: map[model.PartitionKey]model.Read[model.Commit]{}}
			snap.Groups[group] = g
		}
		g.Offsets[k] = model.ReadAt(model.Commit{Offset: end - 5000}, now)
	}
	return snap
}

// watched is a predictor that has seen many polls of a cluster.
func watched(partitions int) (*predictor.Predictor, model.Instant) {
	p := predictor.New(predictor.Config{Poll: pollGap})
	now := epoch
	for i := range 100 {
		now = epoch.Add(pollGap * model.Millis(i))
		p.Observe(cluster(partitions, now, model.Offset(100*i)))
		for range 6 {
			var answers []model.TimeAnswer
			for _, q := range p.Questions(partitions) {
				o := max(0, model.Offset(q.At.Sub(now.Add(-10*hour))/360))
				answers = append(answers, model.TimeAnswer{TimeQuestion: q, Asked: now, Stamped: model.Stamped{
					Offset: o, Stamp: q.At, Found: o < 100_000}})
			}
			p.Learn(answers)
		}
	}
	return p, now
}

func BenchmarkForecast(b *testing.B) {
	const pairs = 1000
	p, now := watched(pairs)
	b.ReportAllocs()
	for b.Loop() {
		p.Report(now)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pairs, "ns/pair")
}

func BenchmarkObserve(b *testing.B) {
	const pairs = 1000
	p, now := watched(pairs)
	b.ReportAllocs()
	for i := 1; b.Loop(); i++ {
		p.Observe(cluster(pairs, now.Add(pollGap*model.Millis(i)), 10_000+model.Offset(100*i)))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pairs, "ns/pair")
}

// TestMemoryOfAPair bounds what is kept of a pair and its partition after many polls.
func TestMemoryOfAPair(t *testing.T) {
	const pairs, most = 200, 40_000
	before := heap()
	p, _ := watched(pairs)
	got := (heap() - before) / pairs
	runtime.KeepAlive(p)
	t.Logf("%d bytes a pair", got)
	if got > most {
		t.Errorf("%d bytes are kept of a pair with its partition, want no more than %d", got, most)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
