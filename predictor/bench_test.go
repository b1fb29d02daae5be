package predictor_test

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// cluster is a poll of many partitions, each read by so many groups, of which each reads ten.
func cluster(partitions, readers int, now model.Instant, rose model.Offset) *model.Snapshot {
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
		for j := range readers {
			readBy(snap, fmt.Sprint("g", i/10, ".", j), k, end-5000, now)
		}
	}
	return snap
}

func readBy(snap *model.Snapshot, group string, k model.PartitionKey, position model.Offset, now model.Instant) {
	g, ok := snap.Groups[group]
	if !ok {
		g = model.Group{Name: group, Kind: model.KindClassic, State: "Stable", ProtocolType: "consumer",
			OffsetsRead: model.ReadAt(struct{}{}, now), Offsets: map[model.PartitionKey]model.Read[model.Commit]{}}
		snap.Groups[group] = g
	}
	g.Offsets[k] = model.ReadAt(model.Commit{Offset: position}, now)
}

// watched is a predictor that has seen many polls of a cluster.
func watched(partitions, readers, polls int) (*predictor.Predictor, model.Instant) {
	p := predictor.New(predictor.Config{Poll: pollGap})
	now := epoch
	for i := range polls {
		now = epoch.Add(pollGap * model.Millis(i))
		p.Observe(cluster(partitions, readers, now, model.Offset(100*i)))
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

// BenchmarkForecast must stay below 5000 ns a pair.
func BenchmarkForecast(b *testing.B) { report(b, 1000, 1, 100) }

// BenchmarkForecastShared is 100,000 pairs, which must stay below half a second: 5000 ns a pair.
func BenchmarkForecastShared(b *testing.B) { report(b, 2000, 50, 5) }

func report(b *testing.B, partitions, readers, polls int) {
	p, now := watched(partitions, readers, polls)
	pairs := float64(partitions * readers)
	b.ReportAllocs()
	before := processorTime(b)
	for b.Loop() {
		p.Report(now)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pairs, "ns/pair")
	b.ReportMetric(float64((processorTime(b)-before).Nanoseconds())/float64(b.N)/pairs, "cpu-ns/pair")
}

// processorTime is what this process has used, its collector included: other processes make a
// benchmark slower, but this no greater.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// TestReportMakesLittleGarbage bounds the bytes of a report: its forecasts, and little beside them.
func TestReportMakesLittleGarbage(t *testing.T) {
	const partitions, readers, most = 100, 10, 1100
	p, now := watched(partitions, readers, 10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := p.Report(now)
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) / uint64(len(r.Pairs)); got > most {
		t.Errorf("a report makes %d bytes a pair, want no more than %d", got, most)
	}
}

func BenchmarkObserve(b *testing.B) {
	const pairs = 1000
	p, now := watched(pairs, 1, 100)
	b.ReportAllocs()
	for i := 1; b.Loop(); i++ {
		p.Observe(cluster(pairs, 1, now.Add(pollGap*model.Millis(i)), 10_000+model.Offset(100*i)))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pairs, "ns/pair")
}

// TestStateOfAPartition bounds what is kept of a partition after many polls, beside the poll itself.
func TestStateOfAPartition(t *testing.T) {
	const partitions, most = 200, 8000
	got := stateOf(partitions, 0) / partitions
	t.Logf("%d bytes a partition", got)
	if got > most {
		t.Errorf("%d bytes are kept of a partition, want no more than %d", got, most)
	}
}

// stateOf is the bytes a predictor holds after many polls, without those of the last poll.
func stateOf(partitions, readers int) int64 {
	poll := held(func() any { return cluster(partitions, readers, epoch, 0) })
	return held(func() any {
		p, _ := watched(partitions, readers, 100)
		return p
	}) - poll
}

// held is the bytes that something holds.
func held(make func() any) int64 {
	before := heap()
	it := make()
	after := heap()
	runtime.KeepAlive(it)
	return after - before
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestStateOfAPair bounds what is kept of a pair after many polls, beside its partition and the poll.
func TestStateOfAPair(t *testing.T) {
	const pairs, most = 10_000, 1000 // with its place in the map, and its share of its group
	got := (stateOf(200, pairs/200) - stateOf(200, 0)) / pairs
	t.Logf("%d bytes a pair", got)
	if got > most {
		t.Errorf("%d bytes are kept of a pair, want no more than %d", got, most)
	}
}
