package collector

import (
	"context"
	"maps"
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
func (p *poll) askTimes(round map[model.PartitionKey]model.TimeQuestion) []model.TimeAnswer {
	var answers []model.TimeAnswer
	for _, o := range fanOut(p, p.timesWork(round), askOffsets) {
		if o.err != nil {
			p.problems.add(model.StageTimes, o.err, about{broker: o.peer, count: len(o.work.asks)})
			continue
		}
		for _, a := range o.result {
			if a.error == 0 {
				answers = append(answers, model.TimeAnswer{TimeQuestion: round[a.key], Stamped: stamped(a), Asked: a.read})
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

func (p *poll) timesWork(round map[model.PartitionKey]model.TimeQuestion) map[model.BrokerID]offsetWork {
	work := map[model.BrokerID]offsetWork{}
	for _, key := range slices.SortedFunc(maps.Keys(round), model.PartitionKey.Compare) {
		part := p.before.Partitions[key]
		if !p.online(&part) {
			p.leaderless[model.StageTimes]++
			continue
		}
		w := work[part.Leader]
		w.replica = replicaConsumer
		w.asks = append(w.asks, offsetAsk{key, int64(round[key].At)})
		work[part.Leader] = w
	}
	return work
}

// rounds puts questions into as few groups as have every partition at most once.
func rounds(questions []model.TimeQuestion) []map[model.PartitionKey]model.TimeQuestion {
	var out []map[model.PartitionKey]model.TimeQuestion
	asked := map[model.PartitionKey]int{}
	for _, q := range questions {
		n := asked[q.Key]
		asked[q.Key]++
		if n == len(out) {
			out = append(out, map[model.PartitionKey]model.TimeQuestion{})
		}
		out[n][q.Key] = q
	}
	return out
}
