package main

import (
	"context"
	"fmt"
	"time"
)

// watch scrapes a program once a poll, half-way between two of them, and takes the figures, those of
// the broker among them.
func (b *bench) watch(ctx context.Context, p *program, t trial) (f figures, err error) {
	if err := p.awaitReady(ctx); err != nil {
		return f, err
	}
	turns := newTurns(p.started.Add(t.every/2), t.every)
	if err := learn(ctx, p, turns); err != nil {
		return f, err
	}
	own, err := cpuOf(p.proc.PID())
	if err != nil {
		return f, err
	}
	broker := &restful{pid: b.cluster.pid, every: t.every}
	pages, err := collect(ctx, p, turns, t.polls+1, broker.read)
	if err != nil {
		return f, err
	}
	ownAfter, err := cpuOf(p.proc.PID())
	if err != nil {
		return f, err
	}
	f.fromPages(pages)
	f.CPUMs = milliseconds(ownAfter-own) / float64(t.polls+1)
	f.broker(broker.perPoll())
	f.Load, f.Day = loadOf(), today()
	if err := f.scrape(ctx, p, b.pace.scrapes); err != nil {
		return f, err
	}
	f.PeakMB, err = peakOf(p.proc.PID())
	return f, err
}

// learn lets the exporter poll until it looks up no more record times, and reads the page each time,
// which is then rendered before it is asked for.
func learn(ctx context.Context, p *program, turns *turns) error {
	pages, err := collect(ctx, p, turns, 1, nil)
	for n := 1; err == nil && n < learning; n++ {
		var next []page
		if next, err = collect(ctx, p, turns, 1, nil); err != nil {
			break
		}
		pages = append(pages, next...)
		if polls := pages[n].polls - pages[n-1].polls; polls > 0 && pages[n].offsetRequests-pages[n-1].offsetRequests == polls {
			break // the ends alone
		}
	}
	return err
}

// turns come at even times; one that is late leaves out those it missed.
type turns struct {
	at    time.Time
	every time.Duration
}

func newTurns(first time.Time, every time.Duration) *turns { return &turns{first, every} }

func (t *turns) next(ctx context.Context) error {
	for !t.at.After(time.Now()) {
		t.at = t.at.Add(t.every)
	}
	return pause(ctx, time.Until(t.at))
}

// collect reads the page once a turn, and does something else after it if there is anything.
func collect(ctx context.Context, p *program, turns *turns, n int, then func(context.Context) error) (pages []page, err error) {
	for range n {
		if err := turns.next(ctx); err != nil {
			return nil, err
		}
		packed, _, err := p.get(ctx, "/metrics")
		if err != nil {
			return nil, err
		}
		one, err := readPage(packed)
		if err != nil {
			return nil, err
		}
		pages = append(pages, one)
		if then != nil {
			if err := then(ctx); err != nil {
				return nil, err
			}
		}
	}
	return pages, nil
}

// fromPages takes what the exporter says of itself: the medians of single polls, and the means.
func (f *figures) fromPages(pages []page) {
	var requests, walls, mallocs, allocated []float64
	for i, now := range pages[1:] {
		before := pages[i]
		polls := now.polls - before.polls
		if polls == 0 {
			continue
		}
		requests = append(requests, (now.requests-before.requests)/polls)
		walls = append(walls, 1000*(now.pollSeconds-before.pollSeconds)/polls)
		mallocs = append(mallocs, (now.mallocs-before.mallocs)/polls)
		allocated = append(allocated, (now.allocated-before.allocated)/1e6/polls)
	}
	last := pages[len(pages)-1]
	f.Polls, f.Series, f.BodyMB = len(requests), last.series, float64(last.bytes)/1e6
	f.Requests, f.WallMs, f.Allocations, f.AllocatedMB = median(requests), median(walls), median(mallocs), median(allocated)
	for _, n := range requests {
		f.MeanRequests += n / float64(len(requests))
		if n <= 3 {
			f.Fast += 1 / float64(len(requests))
		}
	}
}

// scrape asks for the page some times between two polls.
func (f *figures) scrape(ctx context.Context, p *program, times int) error {
	before, err := cpuOf(p.proc.PID())
	if err != nil {
		return err
	}
	var walls []float64
	for range times {
		packed, took, err := p.get(ctx, "/metrics")
		if err != nil {
			return fmt.Errorf("scrape: %w", err)
		}
		walls = append(walls, milliseconds(took))
		f.PackedKB = float64(len(packed)) / 1e3
	}
	after, err := cpuOf(p.proc.PID())
	f.ScrapeMs, f.ScrapeCPUMs = median(walls), milliseconds(after-before)/float64(times)
	return err
}
