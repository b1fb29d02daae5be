package main

import (
	"fmt"
	"time"
)

// size is how much a cluster holds. Each group has committed on so many partitions.
type size struct{ Partitions, Groups, Each int }

// pairs is how many are forecast: a group that has an offset in a topic is judged on all of its
// partitions.
func (s size) pairs() (n int) {
	for g := range s.Groups {
		first, last := g*s.Each, (g+1)*s.Each-1
		n += min(s.Partitions, (last/perTopic-first/perTopic+1)*perTopic)
	}
	return n
}

func (s size) String() string { return fmt.Sprintf("%dx%dx%d", s.Partitions, s.Groups, s.Each) }

// trial is one thing to measure.
type trial struct {
	cluster string // kafka or kfake
	size    size
	every   time.Duration // --poll.interval
	detail  string        // --metrics.detail
	polls   int           // measured, after those that learn
}

func (t trial) name() string {
	return fmt.Sprintf("%s %v %v %s", t.cluster, t.size, t.every, t.detail)
}

// floor is the name of the floor's figures on the same cluster.
func (t trial) floor() string { return fmt.Sprintf("%s %v floor", t.cluster, t.size) }

const (
	kafka = "kafka"
	kfake = "kfake"

	full     = "full"
	standard = "standard"

	// learning is how many polls may come before those that are measured: in the first five a poll
	// may ask many rounds of record times (exporter/run.go). It is over as soon as one asks none.
	learning = 7
)

// trials are all of them, those that share a cluster one after the other, and those first that the
// targets are about. Where the request budget is judged the polls span five minutes: in those every
// clock of the collector strikes but that of the sizes nobody waits for (ten minutes; one request).
func trials() []trial {
	small, medium, large := size{100, 10, 20}, size{2000, 100, 50}, size{10_000, 200, 50}
	const two, five, ten, thirty = 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second
	return []trial{
		{kafka, large, ten, full, 30},
		{kafka, large, ten, standard, 6},
		{kafka, large, thirty, full, 10},
		{kafka, medium, five, full, 6},
		{kafka, small, five, full, 6},
		{kfake, small, two, full, 6},
		{kfake, medium, two, full, 6},
		{kfake, large, five, full, 6},
		{kfake, size{10_000, 65_000, 2}, ten, full, 4},
		{kfake, size{100_000, 2_000, 50}, ten, full, 4},
		{kfake, size{100_000, 2_000, 50}, ten, standard, 4},
	}
}
