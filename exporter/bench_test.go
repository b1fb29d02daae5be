package exporter_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// BenchmarkPage measures one page of 500 groups on 200 partitions each: the first scrape after
// a poll, which renders it, and those that follow until the next poll.
func BenchmarkPage(b *testing.B) {
	const groups, partitions = 500, 200
	now := model.InstantOf(time.Now())
	snap := healthyCluster(now)
	report := &predictor.Report{At: now}
	pair := simpleReport(snap, now).Pairs[0]
	for g := range groups {
		for p := range partitions {
			pair.Key = model.PairKey{Group: fmt.Sprintf("group-%d", g), PartitionKey: model.PartitionKey{Topic: "orders", Partition: int32(p)}}
			report.Pairs = append(report.Pairs, pair)
		}
	}
	handler := func() http.Handler {
		source := &fakeSource{poll: func(context.Context, func() model.Instant) *model.Snapshot { return snap }}
		forecasts := &fakePredictor{report: func(*model.Snapshot, model.Instant) *predictor.Report { return report }}
		clock := func() time.Time { return time.UnixMilli(int64(now)) }
		r, err := exporter.New(exporter.Config{PollInterval: time.Hour}, source, forecasts, clock, slog.New(slog.DiscardHandler))
		if err != nil {
			b.Fatal(err)
		}
		h, err := r.Handler("/metrics")
		if err != nil {
			b.Fatal(err)
		}
		ctx, cancel := context.WithCancel(b.Context())
		go r.Run(ctx)
		for !r.Ready() {
			time.Sleep(time.Millisecond)
		}
		cancel()
		return h
	}
	scrape := func(h http.Handler) {
		req := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		req.Header.Set("Accept-Encoding", "gzip")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		if _, err := io.Copy(io.Discard, w.Body); err != nil || w.Code != http.StatusOK {
			b.Fatal(w.Code, err)
		}
	}
	b.Run("rendered", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			h := handler()
			b.StartTimer()
			scrape(h)
		}
	})
	b.Run("kept", func(b *testing.B) {
		h := handler()
		scrape(h)
		for b.Loop() {
			scrape(h)
		}
	})
}
