package budget

import (
	"context"
	"log/slog"
	"maps"
	"testing"
	"time"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Metered is a collector that keeps what each poll saw, and what had been sent when it began: look-ups
// of record times count for the poll they follow. It is read when the loop has ended.
type Metered struct {
	*collector.Collector
	sent    []map[string]int64
	saw     []*model.Snapshot
	lookUps []lookUp
}

// Poll reads the cluster and takes the meter.
func (m *Metered) Poll(ctx context.Context, now func() model.Instant) *model.Snapshot {
	m.sent = append(m.sent, m.Requests())
	s := m.Collector.Poll(ctx, now)
	m.saw = append(m.saw, s)
	return s
}

// lookUp is one round of look-ups of record times: after which poll, and what was sent for it.
type lookUp struct {
	poll, questions int
	sent            int64
}

// RecordTimes looks up and takes the meter.
func (m *Metered) RecordTimes(ctx context.Context, now func() model.Instant, questions []model.TimeQuestion) ([]model.TimeAnswer, []model.Problem) {
	before := m.Requests()["ListOffsets"]
	answers, problems := m.Collector.RecordTimes(ctx, now, questions)
	m.lookUps = append(m.lookUps, lookUp{len(m.saw), len(questions), m.Requests()["ListOffsets"] - before})
	return answers, problems
}

// oldestStart is the age of the oldest log start that a poll ended with.
func oldestStart(s *model.Snapshot) (age model.Millis) {
	for _, p := range s.Partitions {
		if at, ok := p.LogStart.At(); ok {
			age = max(age, s.At.Sub(at))
		}
	}
	return age
}

// Start runs the exporter's loop over a collector until the test ends it.
func Start(t *testing.T, config collector.Config, interval time.Duration) (m *Metered, stop func()) {
	t.Helper()
	source, err := collector.New(config)
	if err != nil {
		t.Fatal(err)
	}
	m = &Metered{Collector: source}
	runtime, err := exporter.New(exporter.Config{PollInterval: interval, SizesEvery: config.SizesEvery}, m,
		predictor.New(predictor.Config{Poll: model.MillisOf(interval)}), time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); runtime.Run(ctx) }()
	return m, func() {
		cancel()
		<-done
		source.Close()
	}
}

// PerPoll is what each poll sent, from the given one on.
func (m *Metered) PerPoll(from int) []map[string]int64 {
	var out []map[string]int64
	for i := from; i+1 < len(m.sent); i++ {
		diff := map[string]int64{}
		for api, n := range m.sent[i+1] {
			if d := n - m.sent[i][api]; d > 0 {
				diff[api] = d
			}
		}
		out = append(out, diff)
	}
	return out
}

// Total adds up polls by API.
func Total(polls []map[string]int64) map[string]int64 {
	sum := map[string]int64{}
	for _, p := range polls {
		for api, n := range p {
			sum[api] += n
		}
	}
	return sum
}

// Requests is how many there are of all APIs together.
func Requests(byAPI map[string]int64) (n int64) {
	for v := range maps.Values(byAPI) {
		n += v
	}
	return n
}
