package main

import (
	"fmt"
	"strings"
	"time"

	"kafka-retention-exporter/model"
)

// state is how a group stands, in words.
func (p pair) state() string {
	if p.State == nil {
		return "not told yet"
	}
	return strings.ReplaceAll(*p.State, "_", " ")
}

// left is the time until records are lost, in words.
func (p pair) left(now time.Time) string {
	switch {
	case p.lost():
		return "none"
	case p.Loss == nil:
		return "unknown"
	case p.Loss.Instant == model.Forever:
		return "no end"
	}
	left := p.Loss.Sub(model.InstantOf(now)).Duration().Round(time.Second)
	switch {
	case left <= 0:
		return "any moment"
	case left < time.Minute:
		return fmt.Sprintf("%d s", int(left.Seconds()))
	}
	return fmt.Sprintf("%d min %d s", int(left.Minutes()), int(left.Seconds())%60)
}

// future is what will happen to a group, in words.
func (p pair) future() string {
	switch {
	case p.lost():
		return "records that it has not read are gone"
	case p.Reason != nil:
		return "no forecast yet: " + strings.ReplaceAll(*p.Reason, "_", " ")
	case p.Loss == nil || p.Position == nil:
		return "no forecast yet"
	case p.Loss.Instant == model.Forever:
		return "no loss in sight"
	}
	by := "retention"
	if p.Rule != nil {
		by += " by " + *p.Rule
	}
	return fmt.Sprintf("%s: %s deletes what it has not read", clock(p.Loss.Instant), by)
}
