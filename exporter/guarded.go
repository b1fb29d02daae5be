package exporter

import (
	"sync"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// guarded lets the loop and the requests that ask what would happen share a predictor, which is
// made for one goroutine. No call waits for the network, so none waits long.
type guarded struct {
	mu sync.Mutex
	p  Predictor
}

// Observe takes in a poll.
func (g *guarded) Observe(s *model.Snapshot) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.p.Observe(s)
}

// Questions are what would narrow the forecasts.
func (g *guarded) Questions(most int) []model.TimeQuestion {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.p.Questions(most)
}

// Learn takes in answers.
func (g *guarded) Learn(answers []model.TimeAnswer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.p.Learn(answers)
}

// Report forecasts.
func (g *guarded) Report(now model.Instant) *predictor.Report {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.p.Report(now)
}

// Study are the questions that lay out a topic's logs to their ends.
func (g *guarded) Study(topic string) []model.TimeQuestion {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.p.Study(topic)
}

// Logs are what is believed of a topic's logs.
func (g *guarded) Logs(topic string, now model.Instant) []predictor.Log {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.p.Logs(topic, now)
}

// Memory is what is worth keeping.
func (g *guarded) Memory() predictor.Memory {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.p.Memory()
}

// Recall takes in what was kept.
func (g *guarded) Recall(m predictor.Memory) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.p.Recall(m)
}
