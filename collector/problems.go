package collector

import (
	"cmp"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"

	"kafka-retention-exporter/model"
)

// problemKey is what problems are put together by.
type problemKey struct {
	stage     model.Stage
	cause     string
	broker    model.BrokerID
	hasBroker bool
}

// problems gathers what could not be read: one entry for a stage, cause and broker, however many
// items it concerns, with the first topic and group as its example. It is used by one goroutine.
type problems struct {
	found map[problemKey]*model.Problem
}

// about names what a problem is about. The zero value is the cluster as a whole.
type about struct {
	broker       *peer
	topic, group string
	count        int // 0 is counted as 1
}

func (p *problems) add(stage model.Stage, err error, a about) {
	p.addCause(stage, causeOf(err), detailOf(err), a)
}

// addCode adds an error code out of an answer.
func (p *problems) addCode(stage model.Stage, code int16, a about) {
	err := kerr.ErrorForCode(code)
	if err != nil {
		p.add(stage, err, a)
	}
}

func (p *problems) addCause(stage model.Stage, cause, detail string, a about) {
	key := problemKey{stage: stage, cause: cause}
	if a.broker != nil {
		key.broker, key.hasBroker = a.broker.id, true
	}
	if p.found == nil {
		p.found = map[problemKey]*model.Problem{}
	}
	have := p.found[key]
	if have == nil {
		have = &model.Problem{Stage: stage, Cause: cause, Detail: detail, Broker: key.broker, HasBroker: key.hasBroker, Topic: a.topic, Group: a.group}
		p.found[key] = have
	}
	have.Count += max(1, a.count)
}

// list returns the problems in an order that does not change from poll to poll.
func (p *problems) list() []model.Problem {
	var out []model.Problem
	for _, one := range p.found {
		out = append(out, *one)
	}
	slices.SortFunc(out, func(a, b model.Problem) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Broker, b.Broker), cmp.Compare(a.Cause, b.Cause))
	})
	return out
}
