package main

import (
	"context"
	"time"
)

// restful reads what a broker uses around polls and between them. What it uses by itself changes by
// more than a poll costs while its compiler goes on, so that it is taken from the same minutes: of
// each turn, half-way between two polls, the time until nine tenths of the way to the next is the
// broker's own, and the rest, in which the poll lies, is the broker's and the poll's.
type restful struct {
	pid   int
	every time.Duration

	rests, polls clock
	resting      time.Duration // wall time of rests
	polling      time.Duration
	n            int // polls
	last         reading
}

type reading struct {
	at  time.Time
	cpu clock
}

// restPart is the share of the time between two polls that is the broker's own.
const restPart = 0.4

// read is called half-way between two polls.
func (r *restful) read(ctx context.Context) error {
	before, err := r.now()
	if err != nil {
		return err
	}
	if !r.last.at.IsZero() {
		r.polls, r.polling = r.polls.add(before.cpu.sub(r.last.cpu)), r.polling+before.at.Sub(r.last.at)
		r.n++
	}
	if err := pause(ctx, time.Duration(restPart*float64(r.every))); err != nil {
		return err
	}
	after, err := r.now()
	r.rests, r.resting = r.rests.add(after.cpu.sub(before.cpu)), r.resting+after.at.Sub(before.at)
	r.last = after
	return err
}

func (r *restful) now() (reading, error) {
	cpu, err := clockOf(r.pid)
	return reading{time.Now(), cpu}, err
}

// perPoll is the milliseconds that a poll costs.
func (r *restful) perPoll() spent {
	if r.n == 0 || r.resting <= 0 {
		return spent{}
	}
	return less(r.polls, r.polling, r.rests, r.resting, r.n)
}
