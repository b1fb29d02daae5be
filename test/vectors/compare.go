package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"kafka-retention-exporter/test/vectors/replay"
)

// shownDifferences bounds what is printed of a run that differs; all are counted.
const shownDifferences = 3

// result is the comparison with one jar.
type result struct {
	jar         jar
	oracle      tally
	compared    replay.Counts
	differences int
	recording   time.Duration
	replaying   time.Duration
}

// compare makes and replays a jar's logs, one batch after the other.
func (o options) compare(ctx context.Context, j jar, out io.Writer) (result, error) {
	r := result{jar: j}
	for seed, left := o.seed, j.logs; left > 0; seed, left = seed+1, left-o.batch {
		if err := o.batchOf(ctx, &r, seed, min(left, o.batch), out); err != nil {
			return r, err
		}
		fmt.Fprintf(out, "kafka %s, seed %d: %s of %s logs, %d differences\n",
			j.version, seed, grouped(r.compared.Logs), grouped(j.logs), r.differences)
	}
	return r, nil
}

// batchOf makes one batch in a folder of its own, replays it and removes it.
func (o options) batchOf(ctx context.Context, r *result, seed int64, logs int, out io.Writer) error {
	folder, err := os.MkdirTemp("", "vectors-")
	if err != nil {
		return fmt.Errorf("make a folder for vectors: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	begun := time.Now()
	said, err := runOracle(ctx, r.jar.version, folder, seed, logs, o.threads)
	if err != nil {
		return err
	}
	made := time.Now()
	r.recording += made.Sub(begun)
	before := r.compared
	if err := r.replay(folder, out); err != nil {
		return err
	}
	r.replaying += time.Since(made)
	r.oracle.add(said)
	if got := r.compared.Logs - before.Logs; got != said.logs {
		return fmt.Errorf("compare with Kafka %s, seed %d: %d logs in the files, the oracle made %d", r.jar.version, seed, got, said.logs)
	}
	if r.differences == 0 && (r.compared.Steps != r.oracle.steps || r.compared.Passes != r.oracle.passes) {
		return fmt.Errorf("compare with Kafka %s, seed %d: replayed %d steps and %d passes, the oracle made %d and %d",
			r.jar.version, seed, r.compared.Steps, r.compared.Passes, r.oracle.steps, r.oracle.passes)
	}
	return nil
}

func (r *result) replay(folder string, out io.Writer) error {
	files, err := replay.Files(folder)
	if err != nil {
		return err
	}
	for _, file := range files {
		counts, err := replay.File(file, func(difference error) bool {
			if r.differences++; r.differences <= shownDifferences {
				fmt.Fprintf(out, "DIFFERENCE, kafka %s: %v\n", r.jar.version, difference)
			}
			return true
		})
		if err != nil {
			return err
		}
		r.compared.Add(counts)
	}
	return nil
}
