package exporter

import (
	"maps"
	"slices"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// state is everything that is published after one poll. It is replaced as a whole and never
// changed, so that a scrape sees one poll and no lock is held while a page is written.
type state struct {
	snapshot *model.Snapshot   // of the last poll, reached or not; nil before it
	report   *predictor.Report // of the last poll that reached a broker; nil before it
	problems []model.Problem   // of the last poll, those of the record times included
	// published is the end of the last poll that reached a broker; its zero Read is "none yet".
	published model.Read[struct{}]
	polls     int64
	lags      advice.Lags // the largest seen since the start
	// findings and volumes are what package advice made of the last poll that reached a broker.
	findings []advice.Finding
	volumes  []advice.Volume
	cut      map[model.PairKey]bool // without series of their own (limit.go)
	failures map[model.Stage]int64
	requests map[string]int64
}

// knownAPIs are the requests that a poll can need; each is counted from 0 on.
func knownAPIs() []string {
	return []string{
		"ApiVersions", "ConsumerGroupDescribe", "DescribeConfigs", "DescribeGroups", "DescribeLogDirs",
		"FindCoordinator", "ListGroups", "ListOffsets", "Metadata", "OffsetFetch",
	}
}

// newState is what there is to say before the first poll: nothing, with all counters at 0.
func newState() *state {
	s := &state{failures: map[model.Stage]int64{}, requests: map[string]int64{}}
	for _, stage := range model.Stages() {
		s.failures[stage] = 0
	}
	for _, api := range knownAPIs() {
		s.requests[api] = 0
	}
	return s
}

// after is the state that follows s when one more poll has ended. A poll that reached no broker
// leaves the report as it was: nothing was learnt, and no answer is no proof that a topic or a
// group is gone.
func (s *state) after(snap *model.Snapshot, report *predictor.Report, problems []model.Problem, end model.Instant, requests map[string]int64, maxPairs int) *state {
	next := &state{
		snapshot: snap, report: s.report, problems: problems, published: s.published,
		lags: s.lags, findings: s.findings, volumes: s.volumes, cut: s.cut, polls: s.polls + 1, failures: maps.Clone(s.failures), requests: maps.Clone(s.requests),
	}
	if snap.Reached {
		next.report, next.published = report, model.ReadAt(struct{}{}, end)
		next.lags, next.cut = s.lags.With(snap, report), overLimit(report, maxPairs)
		next.findings = advice.Findings(snap, report, next.lags, report.At)
		next.volumes = advice.Volumes(snap, report, report.At)
	}
	for stage := range failedStages(problems) {
		next.failures[stage]++
	}
	maps.Copy(next.requests, requests)
	return next
}

// failedStages are the stages that were incomplete in one poll, each once however much is missing.
func failedStages(problems []model.Problem) map[model.Stage]bool {
	failed := map[model.Stage]bool{}
	for _, p := range problems {
		failed[p.Stage] = true
	}
	return failed
}

// problemsOf are the problems of a snapshot. One that reached nobody has at least failed to read
// the metadata, whether it says so or not.
func problemsOf(snap *model.Snapshot) []model.Problem {
	if snap.Reached || failedStages(snap.Problems)[model.StageMetadata] {
		return slices.Clip(snap.Problems)
	}
	return append(slices.Clip(snap.Problems), model.Problem{Stage: model.StageMetadata, Cause: "unreachable", Count: 1})
}
