package main

import (
	"fmt"
	"time"
)

// size is how much a cluster holds. Each group has committed on so many partitions.
type size struct{ Partitions, Groups, Each int }

func (s size) pairs() int { return s.Groups * s.Each }

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

	// learning is how many polls come before those that are measured. In the first five a poll may
	// ask many rounds of record times (exporter/run.go).
	learning = 7
)

// trials are all of them, those that share a cluster one after the other. Where the request budget
// is judged the polls span ten minutes, in which every clock of the collector strikes.
func trials() []trial {
	small, medium, large := size{100, 10, 20}, size{2000, 100, 50}, size{10_000, 200, 50}
	const ten, thirty = 10 * time.Second, 30 * time.Second
	return []trial{
		{kafka, small, ten, full, 12},
		{kafka, medium, ten, full, 12},
		{kafka, large, ten, full, 60},
		{kafka, large, ten, standard, 12},
		{kafka, large, thirty, full, 20},
		{kfake, small, ten, full, 12},
		{kfake, medium, ten, full, 12},
		{kfake, large, ten, full, 12},
		{kfake, size{10_000, 65_000, 2}, thirty, full, 5},
		{kfake, size{100_000, 2_000, 50}, thirty, full, 5},
		{kfake, size{100_000, 2_000, 50}, thirty, standard, 5},
	}
}
