package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/report"
	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/sim"
	"kafka-retention-exporter/predictor/backtest/track"
)

// replay plays one episode and prints it.
func replay(s settings) error {
	name, number, _ := strings.Cut(s.episode, "/")
	n, err := strconv.Atoi(number)
	if err != nil {
		return fmt.Errorf("read episode %q: %w", s.episode, err)
	}
	for _, f := range sim.Families() {
		if f.Name != name {
			continue
		}
		p := sim.Draw(f, s.Options, n)
		t := sim.Play(p)
		describe(s.out, p, t)
		if s.verbose {
			for i := range t.Polls {
				fmt.Fprintln(s.out, pollLine(p.Start, &t.Polls[i]))
			}
		}
		scores := score.New(s.Seed)
		scores.Add(t)
		result := scores.Result()
		fmt.Fprintf(s.out, "%s%v\n", report.Brief(result), grossOf(t))
		return kept(result)
	}
	return fmt.Errorf("there is no family %q", name)
}

func describe(w io.Writer, p *sim.Plan, t *track.Track) {
	fmt.Fprintf(w, "%s/%d seed %d: drawn %v, %v, R %v, check %v, poll %v, takes %v, missed %.3f, skew %v\n", p.Family, p.Episode, p.Seed, p.Draws, p.Regime,
		p.Retention.Duration(), p.Check.Duration(), p.Exporter.Poll.Duration(), p.Exporter.Takes.Duration(), p.Exporter.Missed, p.Exporter.Skew.Duration())
	fmt.Fprintf(w, "settings %+v\n", p.Settings)
	fmt.Fprintf(w, "producer every %v, %.5g records a second, %d bytes, noise %.2f; group %.5g a second, gap %v, protocol %q, behind %v\n",
		p.Producer.Every.Duration(), p.Producer.PerMs*1000, p.Producer.Record, p.Producer.Noise, p.Reader.PerMs*1000, p.Reader.Gap.Duration(), p.Reader.Protocol, p.Reader.Behind.Duration())
	if onset, ok := p.Onset.Get(); ok {
		fmt.Fprintf(w, "onset %v\n", onset.Sub(p.Start).Duration())
	}
	for _, e := range p.Events {
		fmt.Fprintf(w, "event %d at %v\n", e.Cause, e.At.Sub(p.Start).Duration())
	}
	for _, i := range p.Incidents {
		fmt.Fprintf(w, "incident %+v at %v\n", i, i.At.Sub(p.Start).Duration())
	}
	fmt.Fprintf(w, "lost in truth %d, said %d\n", t.LostTrue, t.LostSaid)
}

// pollLine is one poll in a line: instants in seconds since the exporter's start.
func pollLine(from model.Instant, p *track.Poll) string {
	at := func(m model.Maybe[model.Instant]) string {
		t, ok := m.Get()
		switch {
		case !ok:
			return "?"
		case t == model.Forever:
			return "inf"
		}
		return fmt.Sprintf("%.1f", float64(t.Sub(from))/1000)
	}
	state, reason := "-", ""
	if s, ok := p.Said.State.Get(); ok {
		state = s.String()
	}
	if r, ok := p.Said.Reason.Get(); ok {
		reason = " " + r.String()
	}
	rule := "-"
	if r, ok := p.Said.Rule.Get(); ok {
		rule = r.String()
	}
	return fmt.Sprintf("%.1f start %d pos %d end %d size %d | floor %s stopped %s (knowing %s) gone %s | loss %s [%s %s] (knowing %s) true %s | %s%s %s right %v, seg %v..%v pace %.4g",
		float64(p.At.Sub(from))/1000, p.Seen.Start, p.Seen.Committed, p.Seen.End, p.Seen.Size,
		at(p.Said.Floor), at(p.Said.Stopped), at(p.Knowing.Stopped), at(p.Gone),
		at(p.Said.Loss), at(p.Said.Earliest), at(p.Said.Latest), at(p.Knowing.Loss), at(p.Loss), state, reason, rule, p.States,
		offset(p.Said.Inputs.SegmentBase), offset(p.Said.Inputs.SegmentEnd), pace(p.Said))
}

func offset(m model.Maybe[model.Offset]) string {
	o, ok := m.Get()
	if !ok {
		return "?"
	}
	return o.String()
}

func pace(f predictor.Forecast) float64 {
	p, _ := f.Inputs.Pace.Get()
	return p
}
