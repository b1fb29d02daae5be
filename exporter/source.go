package exporter

import (
	"context"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Source is where snapshots come from: a cluster through the collector, or a fake in the tests.
type Source interface {
	// Poll reads the cluster once. It always returns a snapshot; what could not be read before
	// ctx ended is in Snapshot.Problems, and Reached is false when no broker answered at all.
	Poll(ctx context.Context, now func() model.Instant) *model.Snapshot
	// Attend says until when readings may rest, for the polls to come.
	Attend(a model.Attention)
	// RecordTimes asks the leaders for records by time. A question without an answer is left
	// out of the answers; why is in the problems.
	RecordTimes(ctx context.Context, now func() model.Instant, q []model.TimeQuestion) ([]model.TimeAnswer, []model.Problem)
	// Requests is how many requests were sent to brokers since the start, by API name.
	Requests() map[string]int64
}

// Predictor turns snapshots into forecasts: *predictor.Predictor, or a fake in the tests. It is
// never called by two goroutines at once.
type Predictor interface {
	Observe(*model.Snapshot)
	Questions(max int) []model.TimeQuestion
	Learn([]model.TimeAnswer)
	Report(now model.Instant) *predictor.Report
	Logs(topic string, now model.Instant) []predictor.Log
	Study(topic string) []model.TimeQuestion
	Memory() predictor.Memory
	Recall(predictor.Memory)
}
