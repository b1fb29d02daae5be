package exporter

import (
	"context"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// How many rounds of questions about record times one poll may ask, a round being one question for
// each partition, in requests of so many. A predictor that knows nothing yet halves its uncertainty
// with every round, so the first polls get more of them.
const (
	firstPolls    = 5
	firstRounds   = 16
	laterRounds   = 3
	roundQuestion = 10_000
)

// Run polls at once and then at every interval until ctx ends. A poll that takes longer than
// the interval makes the loop skip the polls it has missed; they never pile up.
func (r *Runtime) Run(ctx context.Context) {
	ticker := time.NewTicker(r.cfg.PollInterval)
	defer ticker.Stop()
	r.keeper.load()
	defer r.keeper.close(r.predictor)
	for ctx.Err() == nil {
		r.poll(ctx)
		select { // a tick that came during the poll is a missed one
		case <-ticker.C:
		default:
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

// poll is one turn of the loop.
func (r *Runtime) poll(parent context.Context) {
	start := r.clock()
	r.markProgress()
	defer r.markProgress()
	ctx, cancel := context.WithTimeout(parent, r.cfg.deadline())
	defer cancel()

	snap := r.source.Poll(ctx, r.now)
	problems := problemsOf(snap)
	var report *predictor.Report
	if snap.Reached {
		r.keeper.recall(r.predictor, snap.ClusterID)
		r.predictor.Observe(snap)
		problems = append(problems, r.narrow(ctx, len(snap.Partitions))...)
		report = r.predictor.Report(r.now())
		r.source.Attend(report.Attention)
	}
	if parent.Err() != nil {
		return // stopping: what was cut short is no finding about the cluster
	}
	r.duration.observe(r.clock().Sub(start))
	r.publish(snap, report, problems)
	r.keeper.keep(r.predictor, report)
}

// narrow asks what the predictor wants to know about record times, round after round, until it
// has no more questions, nobody answers, or the poll's time is up.
func (r *Runtime) narrow(ctx context.Context, partitions int) (problems []model.Problem) {
	parts := max(1, (partitions+roundQuestion-1)/roundQuestion) // of a round
	for range r.rounds() * parts {
		questions := r.predictor.Questions(roundQuestion)
		if len(questions) == 0 || ctx.Err() != nil {
			break
		}
		answers, unanswered := r.source.RecordTimes(ctx, r.now, questions)
		problems = append(problems, unanswered...)
		if len(answers) == 0 {
			break
		}
		r.predictor.Learn(answers)
	}
	return problems
}

func (r *Runtime) rounds() int {
	if r.current.Load().polls < firstPolls {
		return firstRounds
	}
	return laterRounds
}

func (r *Runtime) publish(snap *model.Snapshot, report *predictor.Report, problems []model.Problem) {
	before := r.current.Load()
	next := before.after(snap, report, problems, r.now(), r.source.Requests(), r.cfg.Metrics.MaxPairs)
	r.current.Store(next)
	r.log.note(next)
	r.pages.renew(r.view())
}
