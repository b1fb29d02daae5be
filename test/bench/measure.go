package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// bench is the machinery of a run. It keeps the cluster of the trial before, which the next one may
// be about as well.
type bench struct {
	dir, binary string
	out         io.Writer

	kind    string
	size    size
	cluster *cluster
	folder  string
	pace    pace
	given   pace // the zero value is the usual one
}

// pace is what a short form shortens.
type pace struct {
	idle    time.Duration // for how long the broker is left alone, before and after
	floor   int           // rounds
	scrapes int
}

// orUsual leaves a real broker alone for longer: its compiler and its collector go on by themselves
// for a while, kfake has neither.
func (p pace) orUsual(cluster string) pace {
	switch {
	case p.idle != 0:
		return p
	case cluster == kafka:
		return pace{idle: 12 * time.Second, floor: 10, scrapes: 20}
	}
	return pace{idle: 3 * time.Second, floor: 5, scrapes: 20}
}

func (b *bench) close() {
	if b.cluster != nil {
		_ = b.cluster.end()
		_ = os.RemoveAll(b.folder)
		b.cluster = nil
	}
}

// measure adds the figures of a trial, and those of the floor if the cluster is a new one.
func (b *bench) measure(ctx context.Context, t trial, into *results) error {
	if b.cluster == nil || b.kind != t.cluster || b.size != t.size {
		if err := b.prepare(ctx, t); err != nil {
			return err
		}
		if err := b.warmIfReal(ctx, t, into); err != nil {
			return fmt.Errorf("warm the broker: %w", err)
		}
		figures, err := b.measureFloor(ctx)
		if err != nil {
			return fmt.Errorf("floor: %w", err)
		}
		into.keep(t.floor(), figures)
		fmt.Fprintf(b.out, "%s: %+v\n", t.floor(), figures)
	}
	p, err := startProgram(b.binary, b.folder, b.cluster.address, t)
	if err != nil {
		return err
	}
	figures, err := b.watch(ctx, p, t)
	p.stop()
	if err != nil {
		return err
	}
	into.keep(t.name(), figures)
	fmt.Fprintf(b.out, "%s: %+v\n", t.name(), figures)
	return nil
}

// prepare makes the cluster of a trial and lets it come to rest.
func (b *bench) prepare(ctx context.Context, t trial) (err error) {
	b.close()
	b.kind, b.size, b.pace = t.cluster, t.size, b.given.orUsual(t.cluster)
	if b.folder, err = os.MkdirTemp(b.dir, t.cluster+"-"); err != nil {
		return err
	}
	if b.cluster, err = start(ctx, t.cluster, b.folder); err != nil {
		return err
	}
	began := time.Now()
	if err := fill(ctx, b.cluster.address, t.size); err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	fmt.Fprintf(b.out, "%s %v: filled in %v\n", t.cluster, t.size, time.Since(began).Round(time.Second))
	return pause(ctx, b.pace.idle)
}

// warmIfReal warms a broker that has a compiler, and keeps what requests cost the one that the
// targets are about.
func (b *bench) warmIfReal(ctx context.Context, t trial, into *results) error {
	if t.cluster != kafka {
		return nil
	}
	costs, err := b.warm(ctx, t.size)
	if err == nil && t.size == targets()[0].trial.size {
		into.Requests = costs
		fmt.Fprintf(b.out, "requests: %+v\n", costs)
	}
	return err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// meter reads the broker's clock from an instant on.
type meter struct {
	pid   int
	since time.Time
	cpu   clock
}

func (b *bench) meter() (meter, error) {
	cpu, err := clockOf(b.cluster.pid)
	return meter{b.cluster.pid, time.Now(), cpu}, err
}

// used is what it has used since, and in which time.
func (m meter) used() (cpu clock, wall time.Duration, err error) {
	now, err := clockOf(m.pid)
	return now.sub(m.cpu), time.Since(m.since), err
}

// lessIdle takes from what the broker has used for n rounds what it uses by itself. That is measured
// now, since a broker that has just been filled has things to do.
func (b *bench) lessIdle(ctx context.Context, cpu clock, wall time.Duration, n int) (spent, error) {
	m, err := b.meter()
	if err != nil {
		return spent{}, err
	}
	if err := pause(ctx, b.pace.idle); err != nil {
		return spent{}, err
	}
	idle, during, err := m.used()
	return less(cpu, wall, idle, during, n), err
}

func (b *bench) measureFloor(ctx context.Context) (f figures, err error) {
	self, err := os.Executable()
	if err != nil {
		return f, err
	}
	cmd := exec.CommandContext(ctx, self, childFloor, b.cluster.address, strconv.Itoa(b.pace.floor))
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return f, err
	}
	if err := cmd.Start(); err != nil {
		return f, err
	}
	lines := bufio.NewScanner(pipe)
	var answer floorAnswer
	var m meter
	if lines.Scan() {
		m, err = b.meter()
	}
	if err == nil && lines.Scan() {
		err = json.Unmarshal(lines.Bytes(), &answer)
	}
	cpu, wall, meterErr := m.used()
	if err := errors.Join(err, lines.Err(), meterErr, cmd.Wait()); err != nil {
		return f, err
	}
	broker, err := b.lessIdle(ctx, cpu, wall, b.pace.floor)
	if err != nil {
		return f, err
	}
	f = figures{
		Polls: b.pace.floor, Requests: 3, MeanRequests: 3, WallMs: answer.WallMs, CPUMs: answer.CPUMs,
		Allocations: answer.Allocations, AllocatedMB: answer.Bytes / 1e6,
		PeakMB: answer.PeakMB, Load: loadOf(), Day: today(),
	}
	f.broker(broker)
	return f, nil
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }
