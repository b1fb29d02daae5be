package exporter_test

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/test/invariants"
	"kafka-retention-exporter/test/locked"
)

// fakeSource answers polls from a function, so that each test scripts its own cluster.
type fakeSource struct {
	poll     func(ctx context.Context, now func() model.Instant) *model.Snapshot
	times    func([]model.TimeQuestion) ([]model.TimeAnswer, []model.Problem)
	attend   func(model.Attention)
	requests map[string]int64
}

func (s *fakeSource) Poll(ctx context.Context, now func() model.Instant) *model.Snapshot {
	return s.poll(ctx, now)
}

func (s *fakeSource) Attend(a model.Attention) {
	if s.attend != nil {
		s.attend(a)
	}
}

func (s *fakeSource) RecordTimes(_ context.Context, _ func() model.Instant, q []model.TimeQuestion) ([]model.TimeAnswer, []model.Problem) {
	if s.times == nil {
		return nil, nil
	}
	return s.times(q)
}

func (s *fakeSource) Requests() map[string]int64 { return maps.Clone(s.requests) }

// fakePredictor reports from a function of the last snapshot.
type fakePredictor struct {
	report    func(s *model.Snapshot, now model.Instant) *predictor.Report
	questions func() []model.TimeQuestion
	logs      func(topic string, now model.Instant) []predictor.Log
	last      *model.Snapshot
	memory    predictor.Memory
	recalled  []predictor.Memory
	observed  atomic.Int64 // snapshots
	asked     atomic.Int64 // rounds of questions
	learnt    atomic.Int64 // answers
}

func (p *fakePredictor) Observe(s *model.Snapshot) {
	p.last = s
	p.observed.Add(1)
}

func (p *fakePredictor) Questions(int) []model.TimeQuestion {
	p.asked.Add(1)
	if p.questions == nil {
		return nil
	}
	return p.questions()
}

func (p *fakePredictor) Study(string) []model.TimeQuestion { return nil }

func (p *fakePredictor) Memory() predictor.Memory { return p.memory }

func (p *fakePredictor) Recall(m predictor.Memory) { p.recalled = append(p.recalled, m) }

func (p *fakePredictor) Logs(topic string, now model.Instant) []predictor.Log {
	if p.logs == nil {
		return nil
	}
	return p.logs(topic, now)
}

func (p *fakePredictor) Learn(a []model.TimeAnswer) { p.learnt.Add(int64(len(a))) }

func (p *fakePredictor) Report(now model.Instant) *predictor.Report { return p.report(p.last, now) }

// rig is a Runtime with its fakes and its handler.
type rig struct {
	t         testing.TB
	source    *fakeSource
	predictor *fakePredictor
	runtime   *exporter.Runtime
	handler   http.Handler
	log       *locked.Buffer
	check     *invariants.Checker
}

func newRig(t testing.TB, interval time.Duration, clock func() time.Time, cluster func(now model.Instant) *model.Snapshot) *rig {
	t.Helper()
	r := &rig{t: t, log: &locked.Buffer{}, check: invariants.New()}
	r.source = &fakeSource{
		poll: func(_ context.Context, now func() model.Instant) *model.Snapshot { return cluster(now()) },
	}
	r.predictor = &fakePredictor{report: simpleReport}
	r.build(exporter.Config{PollInterval: interval, SizesEvery: 10 * time.Minute}, clock)
	return r
}

// build makes the runtime and its handler.
func (r *rig) build(cfg exporter.Config, clock func() time.Time) {
	r.t.Helper()
	logger := slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	var err error
	if r.runtime, err = exporter.New(cfg, r.source, r.predictor, clock, logger); err != nil {
		r.t.Fatal(err)
	}
	if r.handler, err = r.runtime.Handler("/metrics"); err != nil {
		r.t.Fatal(err)
	}
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// start runs the loop until the test ends.
func (r *rig) start() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); r.runtime.Run(ctx) }()
	r.t.Cleanup(func() { cancel(); <-done })
}

func (r *rig) get(path string, header ...string) *httptest.ResponseRecorder {
	r.t.Helper()
	req := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, req)
	return w
}

// scrape returns the metrics page after checking the invariants on it.
func (r *rig) scrape() string {
	r.t.Helper()
	w := r.get("/metrics")
	if w.Code != http.StatusOK {
		r.t.Fatalf("scrape: status %d: %s", w.Code, w.Body)
	}
	text := w.Body.String()
	if err := r.check.Check(strings.NewReader(text)); err != nil {
		r.t.Errorf("invariants: %v", err)
	}
	return text
}

// has fails the test unless the page has each of the lines.
func has(t *testing.T, page string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+page, "\n"+line+"\n") {
			t.Errorf("page lacks %q; it has:\n%s", line, samplesLike(page, line))
		}
	}
}

// hasNot fails the test if any series of the page starts so.
func hasNot(t *testing.T, page string, prefixes ...string) {
	t.Helper()
	for _, prefix := range prefixes {
		if strings.Contains("\n"+page, "\n"+prefix) {
			t.Errorf("page has %s*:\n%s", prefix, samplesLike(page, prefix))
		}
	}
}

func samplesLike(page, line string) string {
	name := regexp.MustCompile(`^[a-z_]+`).FindString(line)
	var out []string
	for sample := range strings.Lines(page) {
		if strings.HasPrefix(sample, name) {
			out = append(out, strings.TrimSpace(sample))
		}
	}
	return strings.Join(out, "\n")
}
