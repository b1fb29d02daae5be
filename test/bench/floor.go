package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// floorAnswer is what the floor program says of itself. Milliseconds and bytes are of one round.
type floorAnswer struct{ WallMs, CPUMs, Allocations, Bytes, PeakMB float64 }

// floorEvery is the time between rounds, so that caches get as cold as between polls.
const floorEvery = time.Second

// warming is how many rounds come before those that are measured, one upon the other.
const warming = 60

// floor is the program: some rounds of three requests, the groups, their offsets, the ends. Who
// started it hears when they begin, so that what the broker did before does not count.
func floor(ctx context.Context, address string, rounds int, out io.Writer) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.BrokerMaxReadBytes(1<<30), kgo.DisableClientMetrics())
	if err != nil {
		return err
	}
	defer client.Close()
	topics, err := kadm.NewClient(client).ListTopics(ctx)
	if err != nil {
		return fmt.Errorf("list topics: %w", err)
	}
	ends, broker := listOffsets(topics, -1), client.Broker(int(leaderOf(topics)))
	round := func() error { return floorRound(ctx, broker, ends) }
	if err := repeat(warming, round); err != nil { // connections and caches
		return err
	}
	fmt.Fprintln(out, "ready")
	answer, err := timed(ctx, rounds, round)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(answer)
}

// floorRound asks the three questions of a poll and drops the answers.
func floorRound(ctx context.Context, broker *kgo.Broker, ends kmsg.Request) error {
	answer, err := broker.Request(ctx, kmsg.NewPtrListGroupsRequest())
	if err != nil {
		return fmt.Errorf("list groups: %w", err)
	}
	offsets := kmsg.NewPtrOffsetFetchRequest()
	for _, g := range answer.(*kmsg.ListGroupsResponse).Groups {
		one := kmsg.NewOffsetFetchRequestGroup()
		one.Group = g.Group
		offsets.Groups = append(offsets.Groups, one)
	}
	if _, err := broker.Request(ctx, offsets); err != nil {
		return fmt.Errorf("fetch offsets: %w", err)
	}
	if _, err := broker.Request(ctx, ends); err != nil {
		return fmt.Errorf("list ends: %w", err)
	}
	return nil
}

// timed takes the means of some rounds, and the median of their wall time.
func timed(ctx context.Context, rounds int, round func() error) (floorAnswer, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, err := cpuOf(os.Getpid())
	if err != nil {
		return floorAnswer{}, err
	}
	var walls []float64
	for range rounds {
		start := time.Now()
		if err := round(); err != nil {
			return floorAnswer{}, err
		}
		walls = append(walls, milliseconds(time.Since(start)))
		select {
		case <-ctx.Done():
			return floorAnswer{}, ctx.Err()
		case <-time.After(time.Until(start.Add(floorEvery))):
		}
	}
	runtime.ReadMemStats(&after)
	cpuAfter, err := cpuOf(os.Getpid())
	if err != nil {
		return floorAnswer{}, err
	}
	peak, err := peakOf(os.Getpid())
	n := float64(rounds)
	return floorAnswer{
		WallMs: median(walls), CPUMs: milliseconds(cpuAfter-cpu) / n, PeakMB: peak,
		Allocations: float64(after.Mallocs-before.Mallocs) / n, Bytes: float64(after.TotalAlloc-before.TotalAlloc) / n,
	}, err
}
