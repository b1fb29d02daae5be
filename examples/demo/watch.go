package main

import (
	"context"
	"fmt"
	"time"

	"kafka-retention-exporter/examples/world"
	"kafka-retention-exporter/model"
)

// ahead is how long before a loss its forecast is looked up.
const ahead = 30 * time.Second

// watch asks for forecasts, shows them, and holds each loss against what was forecast of it.
type watch struct {
	api, where string
	world      *world.World
	out        *screen
	said       map[string][]saying
	lost       map[string]bool
}

// saying is what was forecast for a group at an instant.
type saying struct {
	at   model.Instant
	loss *instant
}

// run looks once a second until ctx ends.
func (w *watch) run(ctx context.Context) error {
	w.said, w.lost = map[string][]saying{}, map[string]bool{}
	w.out.begin(w.where)
	for ctx.Err() == nil {
		pairs, err := ask(ctx, w.api)
		if err != nil {
			return err
		}
		now := time.Now()
		for _, p := range pairs {
			w.note(p, model.InstantOf(now))
		}
		w.out.show(now, pairs, w.where)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	return nil
}

// note remembers what is said of a group, and tells of a loss that has just begun.
func (w *watch) note(p pair, now model.Instant) {
	begun := p.lost() && !w.lost[p.Group]
	w.lost[p.Group] = p.lost()
	if begun && p.Position != nil {
		if at, ok := w.world.Passed(model.Offset(*p.Position)); ok {
			w.out.event(p.Group + " " + w.verdict(p.Group, at))
		}
	}
	if p.lost() {
		return
	}
	said := append(w.said[p.Group], saying{now, p.Loss})
	for len(said) > 0 && said[0].at < now.Add(-model.MillisOf(2*ahead)) {
		said = said[1:]
	}
	w.said[p.Group] = said
}

// verdict compares the instant of a loss with the forecast made half a minute earlier.
func (w *watch) verdict(group string, at model.Instant) string {
	text := "lost at " + clock(at)
	var then *saying
	for i, s := range w.said[group] {
		if s.at <= at.Add(-model.MillisOf(ahead)) {
			then = &w.said[group][i]
		}
	}
	switch {
	case then == nil:
		return text + ", less than 30 s after it was first seen"
	case then.loss == nil:
		return text + ", 30 s earlier there was no forecast yet"
	case then.loss.Instant == model.Forever:
		return text + ", forecast 30 s earlier saw no loss"
	}
	off := then.loss.Sub(at).Duration().Abs().Seconds()
	return fmt.Sprintf("%s, forecast 30 s earlier said %s (off by %.1f s)", text, clock(then.loss.Instant), off)
}

func clock(at model.Instant) string { return time.UnixMilli(int64(at)).Format("15:04:05") }
