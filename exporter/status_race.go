package exporter

import (
	"fmt"
	"math"
	"strings"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// The drawing of the race in its own units, and the margins in which its labels stand.
const (
	raceWidth, raceHeight = 960, 300
	raceLeft, raceRight   = 100, 24
	raceTop, raceBottom   = 16, 34
)

// racePicture is the time to come: the log start moving up in steps behind the group, until it
// passes it or not.
type racePicture struct {
	Known bool
	Says  string
	Front string // path of the log start
	Gone  string // closed path of what is deleted by then
	Group string // path
	End   string // path of the end of the log
	// BandX and BandWidth are the 90 % band of the loss, no band where the width is 0.
	BandX, BandWidth float64
	Crossing         *crossing
	Times            []mark
	Offsets          []level
}

type crossing struct {
	X, Y   float64
	Anchor string
	Text   string
}

// level is an offset on the left edge.
type level struct {
	Y    float64
	Text string
}

// plane maps instants and offsets to the drawing.
type plane struct {
	now  model.Instant
	span float64 // milliseconds
	low  float64 // offsets
	high float64
}

func (p plane) x(after float64) float64 {
	return round(raceLeft + (raceWidth-raceLeft-raceRight)*min(max(after, 0), p.span)/p.span)
}

func (p plane) y(o float64) float64 {
	return round(raceHeight - raceBottom - (raceHeight-raceTop-raceBottom)*min(max(o-p.low, 0), p.high-p.low)/(p.high-p.low))
}

// racers are the three that move, in offsets by milliseconds after now.
type racers struct {
	log             predictor.Log
	now             model.Instant
	position, pace  float64
	end, production float64
}

func racePictureOf(f predictor.Forecast, log predictor.Log, now model.Instant) racePicture {
	position, ok := f.Position.Get()
	span, finite := raceSpan(f, now)
	if !ok || !finite || isLost(f) || log.Goes == nil {
		return racePicture{}
	}
	r := racers{log: log, now: now, position: float64(position), end: float64(log.Marks.HighWatermark)}
	if pace, ok := f.Inputs.Pace.Get(); ok && !standsStill(f) {
		r.pace = pace / 1000
	}
	if rate, ok := f.Inputs.ProduceRate.Get(); ok {
		r.production = rate / 1000
	}
	p := plane{now: now, span: span, low: float64(log.Marks.Start)}
	p.high = 1.1*(max(r.group(span), r.front(span))-p.low) + p.low
	p.high = max(p.high, p.low+1)
	out := racePicture{Known: true, Times: p.times(), Offsets: p.levels()}
	out.Front, out.Gone = r.frontPaths(p)
	out.Group = p.line(r.group, r.caughtUp(), span)
	if r.end < p.high {
		out.End = p.line(r.endAt, 0, min(span, (p.high-r.end)/r.production))
	}
	out.BandX, out.BandWidth = p.band(f)
	out.Crossing = r.crossing(f, p)
	out.Says = raceSays(f, now)
	return out
}

func standsStill(f predictor.Forecast) bool {
	state, ok := f.State.Get()
	return ok && (state == predictor.Stalled || state == predictor.Empty)
}

// raceSpan is how far ahead to look: somewhat beyond the loss, or beyond that of a group that stands still.
func raceSpan(f predictor.Forecast, now model.Instant) (float64, bool) {
	for _, m := range []model.Maybe[model.Instant]{f.Loss, f.Stopped} {
		if at, ok := m.Get(); ok && at != model.Forever && at > now {
			return 1.3 * float64(at.Sub(now)), true
		}
	}
	return 0, false
}

func (r racers) group(after float64) float64 {
	return max(r.position, min(r.position+r.pace*after, r.endAt(after)))
}

// caughtUp is when the group has reached the end and goes on with it.
func (r racers) caughtUp() float64 { return (r.end - r.position) / (r.pace - r.production) }

func (r racers) endAt(after float64) float64 { return r.end + r.production*after }

// front is the log start then. Beyond the segments there are today it goes on at the rate at
// which records arrive.
func (r racers) front(after float64) float64 {
	at, since := float64(r.log.Marks.Start), 0.0
	for i, goes := range r.log.Goes {
		if goes == model.Forever || float64(goes.Sub(r.now)) > after {
			return at
		}
		_, to := span(r.log, i)
		at, since = float64(to), float64(goes.Sub(r.now))
	}
	return at + r.production*(after-since)
}

// frontPaths are the stairs of the log start, and what lies under them.
func (r racers) frontPaths(p plane) (line, area string) {
	var path strings.Builder
	fmt.Fprintf(&path, "M%g %g", p.x(0), p.y(p.low))
	steps := 0
	for i, goes := range r.log.Goes {
		after := float64(goes.Sub(r.now))
		if goes == model.Forever || after > p.span {
			break
		}
		_, to := span(r.log, i)
		fmt.Fprintf(&path, "H%gV%g", p.x(after), p.y(float64(to)))
		steps++
	}
	if steps == len(r.log.Goes) {
		fmt.Fprintf(&path, "L%g %g", p.x(p.span), p.y(r.front(p.span)))
	} else {
		fmt.Fprintf(&path, "H%g", p.x(p.span))
	}
	return path.String(), path.String() + fmt.Sprintf("V%gH%gZ", p.y(p.low), p.x(0))
}

// line draws a racer that keeps its pace but for one bend.
func (p plane) line(at func(after float64) float64, bend, until float64) string {
	path := fmt.Sprintf("M%g %g", p.x(0), p.y(at(0)))
	if bend > 0 && bend < until {
		path += fmt.Sprintf("L%g %g", p.x(bend), p.y(at(bend)))
	}
	return path + fmt.Sprintf("L%g %g", p.x(until), p.y(at(until)))
}

func (p plane) band(f predictor.Forecast) (x, width float64) {
	earliest, e := f.Earliest.Get()
	latest, l := f.Latest.Get()
	if loss, ok := f.Loss.Get(); !ok || loss == model.Forever || !e || !l {
		return 0, 0
	}
	x = p.x(float64(earliest.Sub(p.now)))
	return x, round(p.x(float64(latest.Sub(p.now))) - x)
}

func (r racers) crossing(f predictor.Forecast, p plane) *crossing {
	loss, ok := f.Loss.Get()
	if !ok || loss == model.Forever || loss <= r.now {
		return nil
	}
	after := float64(loss.Sub(r.now))
	return &crossing{X: p.x(after), Y: p.y(r.group(after)), Anchor: "end", Text: "loss in " + inWords(after/1000)}
}

// times are round times along the bottom edge.
func (p plane) times() []mark {
	out := []mark{{X: p.x(0), Anchor: "start", Text: "now"}}
	step := roundStep(p.span / 5)
	for after := step; after <= p.span*0.97; after += step {
		out = append(out, mark{X: p.x(after), Anchor: "middle", Text: inWords(after / 1000)})
	}
	return out
}

// roundStep is the first step that people count in and that is not below the given milliseconds.
func roundStep(least float64) float64 {
	const second, hour, day = 1000.0, 3_600_000.0, 86_400_000.0
	for _, step := range []float64{
		second, 2 * second, 5 * second, 10 * second, 30 * second, 60 * second, 120 * second, 300 * second, 600 * second, 1800 * second,
		hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 5 * day, 10 * day, 30 * day, 100 * day,
	} {
		if step >= least {
			return step
		}
	}
	return math.Ceil(least/(365*day)) * 365 * day
}

// levels are three offsets along the left edge.
func (p plane) levels() (out []level) {
	for _, share := range []float64{0, 0.5, 1} {
		o := math.Round(p.low + (p.high-p.low)*share)
		out = append(out, level{Y: p.y(o), Text: grouped(int64(o))})
	}
	return out
}

func raceSays(f predictor.Forecast, now model.Instant) string {
	if loss, ok := f.Loss.Get(); ok && loss != model.Forever {
		return "The log start reaches the group in " + inWords(float64(loss.Sub(now))/1000) + "."
	}
	return "The log start does not reach the group as long as it goes on like this." + runway(f, now)
}
