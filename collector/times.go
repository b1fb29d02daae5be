package collector

import (
	"context"
	"slices"

	"kafka-retention-exporter/model"
)

// RecordTimes asks the leaders of partitions, as the last poll knows them, for records by time.
// Each round is one request per leader with all its partitions; a partition that is asked for
// more than one time takes as many rounds, since a broker refuses a request that names it twice.
// The whole call takes at most twice BrokerDeadline and each broker at most BrokerDeadline of it.
// Questions that were not answered are missing among the answers; why is in the problems.
func (c *Collector) RecordTimes(ctx context.Context, now func() model.Instant, questions []model.TimeQuestion) ([]model.TimeAnswer, []model.Problem) {
	c.polling.Lock()
	defer c.polling.Unlock()
	p := newPoll(ctx, c, now)
	defer p.cancel()
	var answers []model.TimeAnswer
	for _, round := range rounds(questions) {
		answers = append(answers, p.askTimes(round)...)
	}
	return answers, p.listProblems()
}

// askTimes sends one round.
func (p *poll) askTimes(round []model.TimeQuestion) []model.TimeAnswer {
	answers := make([]model.TimeAnswer, 0, len(round))
	for _, o := range fanOut(p, p.timesWork(round), askOffsets) {
		if o.err != nil {
			p.problems.add(model.StageTimes, o.err, about{broker: o.peer, count: len(o.work.asks)})
			continue
		}
		for _, a := range o.result {
			if a.error == 0 {
				if i, asked := slices.BinarySearchFunc(round, a.key, byPartition); asked {
					answers = append(answers, model.TimeAnswer{TimeQuestion: round[i], Stamped: stamped(a), Asked: a.read})
				}
				continue
			}
			p.c.memory.metadataDue = p.c.memory.metadataDue || retryFor(a.error) == retryMoved
			p.problems.addCode(model.StageTimes, a.error, about{broker: o.peer, topic: a.key.Topic})
		}
		if missing := len(o.work.asks) - len(o.result); missing > 0 {
			p.problems.addCause(model.StageTimes, causeMissing, missingPartitions, about{broker: o.peer, count: missing})
		}
	}
	return answers
}

func byPartition(q model.TimeQuestion, key model.PartitionKey) int { return q.Key.Compare(key) }

func (p *poll) timesWork(round []model.TimeQuestion) map[model.BrokerID]offsetWork {
	work := map[model.BrokerID]offsetWork{}
	for _, q := range round {
		part := p.before.Partitions[q.Key]
		if !p.online(&part) {
			p.leaderless[model.StageTimes]++
			continue
		}
		w := work[part.Leader]
		w.replica = replicaConsumer
		w.asks = append(w.asks, offsetAsk{q.Key, int64(q.At)})
		work[part.Leader] = w
	}
	return work
}

// rounds puts questions into as few groups as have every partition at most once, each in the order
// of the partitions.
func rounds(questions []model.TimeQuestion) (out [][]model.TimeQuestion) {
	rest := slices.Clone(questions)
	slices.SortStableFunc(rest, func(a, b model.TimeQuestion) int { return a.Key.Compare(b.Key) })
	for len(rest) > 0 {
		var more []model.TimeQuestion
		round := make([]model.TimeQuestion, 0, len(rest))
		for _, q := range rest {
			if n := len(round); n > 0 && round[n-1].Key == q.Key {
				more = append(more, q)
				continue
			}
			round = append(round, q)
		}
		out, rest = append(out, round), more
	}
	return out
}
