package collector

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// The most metadata reads in one poll: one when it is due, one after an error that says leaders
// or topics changed meanwhile.
const mostMetadataReads = 2

// readMetadata reads brokers and topics and applies them. A failed read changes nothing: it is
// no proof that anything is gone.
func (p *poll) readMetadata() {
	if p.metadataReads >= mostMetadataReads {
		return
	}
	answer, err := p.askMetadata()
	if err != nil {
		p.c.memory.metadataDue = true
		for _, one := range unjoin(err) {
			p.problems.add(model.StageMetadata, one, about{})
		}
		return
	}
	p.metadataReads++
	fullTurn := due(p.c.memory.metadataAt, p.c.config.MetadataEvery)
	p.c.memory.metadataAt, p.c.memory.metadataDue = time.Now(), false
	p.applyBrokers(answer)
	p.countSlots(answer)
	p.applyTopics(answer)
	if fullTurn {
		clear(p.c.memory.strangers)
	}
}

// askMetadata asks several brokers, one after another, without waiting for one that keeps silent:
// each gets a head start and the first answer wins. kgo hands every such request to another
// broker, the configured addresses included, and learns the broker list from the answer. All
// topics are asked for, and never by name: a name that is hidden from us would only be an error.
func (p *poll) askMetadata() (*kmsg.MetadataResponse, error) {
	ctx, cancel := context.WithTimeout(p.ctx, p.c.config.BrokerDeadline)
	defer cancel()
	attempts := min(4, len(p.c.config.Brokers)+len(p.peers)+1)
	return firstOf(ctx, attempts, p.c.config.BrokerDeadline/4, func(ctx context.Context) (*kmsg.MetadataResponse, error) {
		request := kmsg.NewPtrMetadataRequest()
		request.Topics = nil
		answer, err := request.RequestWith(ctx, p.c.client)
		if err != nil {
			return nil, err
		}
		return answer, kerr.ErrorForCode(answer.ErrorCode)
	})
}

// firstOf makes up to n attempts, each when the one before has failed or has had its head start,
// and returns the first answer, or all errors joined.
func firstOf[R any](ctx context.Context, n int, headStart time.Duration, attempt func(context.Context) (R, error)) (R, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		answer R
		err    error
	}
	results := make(chan result, n)
	start := func() {
		answer, err := attempt(ctx)
		results <- result{answer, err}
	}
	var failures []error
	wait := time.NewTimer(headStart)
	defer wait.Stop()
	started := 1
	go start()
	for len(failures) < n {
		select {
		case r := <-results:
			if r.err == nil {
				return r.answer, nil
			}
			failures = append(failures, r.err)
		case <-wait.C:
		}
		if started < n && ctx.Err() == nil {
			started++
			go start()
			wait.Reset(headStart)
		}
		if len(failures) == started {
			break
		}
	}
	var none R
	return none, errors.Join(failures...)
}

// unjoin takes errors.Join apart.
func unjoin(err error) []error {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		return joined.Unwrap()
	}
	return []error{err}
}

// applyBrokers takes over the broker list. A broker that left the list is not asked any more.
func (p *poll) applyBrokers(answer *kmsg.MetadataResponse) {
	if answer.ClusterID != nil {
		p.clusterID = *answer.ClusterID
	}
	listed := map[model.BrokerID]bool{}
	p.c.memory.listed = nil
	for _, b := range answer.Brokers {
		id := model.BrokerID(b.NodeID)
		listed[id] = true
		p.c.memory.listed = append(p.c.memory.listed, id)
		p.join(id)
	}
	deleteIf(p.peers, func(id model.BrokerID) bool { return !listed[id] })
}
