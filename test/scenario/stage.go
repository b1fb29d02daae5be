package scenario

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	kafkatest "kafka-retention-exporter/test/kafka"
)

const (
	setPatience  = 5 * time.Minute        // for all topics and their history
	samplePeriod = 200 * time.Millisecond // of the truth
	checkPeriod  = time.Second            // log.retention.check.interval.ms of a test cluster by default
)

// Stage is a cluster on which scenarios are under way.
type Stage struct {
	t      testing.TB
	plays  []*play
	truth  *kafkatest.Truth
	origin time.Time
	ctx    context.Context
	end    func() // lets all drivers end and waits for them

	mu   sync.Mutex
	errs []error
}

// Set makes the scenarios' topics with their history, lets producers and groups begin, and returns when
// everything runs. Events count from then. Everything ends with the test.
func Set(t testing.TB, seeds []string, scenarios []Scenario) *Stage {
	t.Helper()
	ops, err := kafkatest.NewOps(seeds, kgo.UnknownTopicRetries(100)) // a broker that has just started does not know its topics yet
	if err != nil {
		t.Fatalf("set the stage: %v", err)
	}
	t.Cleanup(ops.Close)
	var keys []kafkatest.Key
	for _, s := range scenarios {
		keys = append(keys, kafkatest.Key{Topic: s.Name})
	}
	st := &Stage{t: t, truth: kafkatest.WatchTruth(t, seeds, samplePeriod, keys...)}
	for _, s := range scenarios {
		st.plays = append(st.plays, &play{spec: s, ops: ops, seeds: seeds, truth: st.truth})
	}
	st.begin()
	if t.Failed() {
		t.FailNow()
	}
	return st
}

// begin prepares all topics at once and starts their drivers.
func (st *Stage) begin() {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	st.ctx, st.end = ctx, func() { cancel(); running.Wait() }
	zero := time.Now()
	st.t.Cleanup(st.end)
	preparing, done := context.WithTimeout(ctx, setPatience)
	defer done()
	var all sync.WaitGroup
	for _, p := range st.plays {
		p.ctx, p.zero = ctx, zero
		all.Go(func() {
			if err := p.prepare(preparing); err != nil {
				st.t.Errorf("set scenario %s: %v", p.spec.Name, err)
				return
			}
			p.start(ctx, &running, st.fail)
		})
	}
	all.Wait()
	st.origin = time.Now()
	for _, p := range st.plays {
		running.Go(func() {
			if err := p.act(ctx, st.origin); err != nil && ctx.Err() == nil {
				st.fail(err)
			}
		})
	}
}

// fail keeps what a driver could not do; the run ends with it.
func (st *Stage) fail(err error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.errs = append(st.errs, err)
}

func (st *Stage) failed() error {
	st.mu.Lock()
	defer st.mu.Unlock()
	return errors.Join(st.errs...)
}

// Run asks for the forecasts once per period until the given time after the origin, then ends the scenarios
// and returns a record a pair. A poll that takes longer than the period is followed by the next at
// once. It fails the test when a part of the script could not be carried out.
func (st *Stage) Run(length, every time.Duration, poll func(now time.Time) []Forecast) []*Record {
	st.t.Helper()
	records := st.records(every)
	for next := time.Now(); next.Before(st.origin.Add(length)); next = later(next.Add(every), time.Now()) {
		if !sleepUntil(st.ctx, next) || st.failed() != nil {
			break
		}
		now := time.Now()
		said := map[Pair]Forecast{}
		for _, f := range poll(now) {
			said[f.Pair] = f
		}
		for _, r := range records {
			p := Poll{At: now}
			if f, ok := said[r.Pair]; ok {
				p.Forecast = &f
			}
			r.Polls = append(r.Polls, p)
		}
	}
	st.end()
	st.truth.Stop()
	if err := st.failed(); err != nil {
		st.t.Fatalf("play scenarios: %v", err)
	}
	st.fill(records)
	return records
}

// records makes an empty record for every pair.
func (st *Stage) records(every time.Duration) []*Record {
	var all []*Record
	for _, p := range st.plays {
		for _, g := range p.groups {
			all = append(all, &Record{Pair: g.pair, Scenario: p.spec, Group: g.spec, PollEvery: every, Check: checkPeriod})
		}
	}
	return all
}

// fill adds to the records what happened.
func (st *Stage) fill(records []*Record) {
	i := 0
	for _, p := range st.plays {
		key := kafkatest.Key{Topic: p.spec.Name}
		moves, samples := st.truth.Changes(key), st.truth.Samples(key)
		for _, g := range p.groups {
			r := records[i]
			i++
			r.Moves, r.Commits, r.Happened = moves, g.track.copy(), p.happened
			if r.Samples = samples; len(samples) > 0 {
				r.Start = samples[0].Start
			}
		}
	}
}

// Stamp is the stamp that the producer gave to a record of a topic; ok is false if there is none yet, or
// the topic is not of this stage. Under LogAppendTime the log holds another one.
func (st *Stage) Stamp(topic string, offset int64) (stamp time.Time, ok bool) {
	for _, p := range st.plays {
		if p.spec.Name == topic {
			return p.history.at(offset)
		}
	}
	return time.Time{}, false
}

// Log is the log of a topic as the sampler saw it last.
func (st *Stage) Log(topic string) (last kafkatest.Sample, ok bool) {
	return st.truth.Last(kafkatest.Key{Topic: topic})
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Pairs are all pairs of the stage, in the order of their records.
func (st *Stage) Pairs() []Pair {
	var all []Pair
	for _, p := range st.plays {
		for _, g := range p.groups {
			all = append(all, g.pair)
		}
	}
	return all
}
