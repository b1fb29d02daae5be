package sim

import (
	"math"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// An oracle that had other ideas of the bytes to come than the forecast would be no ceiling to it.
func TestAnOracleIsNoWorseThanTheForecast(t *testing.T) {
	said, knew, n := 0.0, 0.0, 0
	for i := 0; n < 2000 && i < 40; i++ {
		p := Draw(family(t, "size"), short, i)
		if len(p.Events) > 0 {
			continue
		}
		got := Play(p)
		for j := range got.Polls {
			poll := &got.Polls[j]
			ours, told := poll.Said.Stopped.Get()
			oracles, _ := poll.Knowing.Stopped.Get()
			gone, known := poll.Gone.Get()
			if !told || !known || min(ours, oracles, gone) <= poll.At.Add(p.Check) || j%10 != 0 {
				continue
			}
			said, knew, n = said+off(poll, ours, gone), knew+off(poll, oracles, gone), n+1
		}
	}
	if n < 500 || knew > said || knew == 0 {
		t.Errorf("in %d forecasts it is off by %.3f, the forecast by %.3f", n, knew/float64(n), said/float64(n))
	}
}

// off is the log ratio of what was left and what was said, three at most.
func off(p *track.Poll, said, gone model.Instant) float64 {
	return min(3, math.Abs(math.Log(float64(said.Sub(p.At))/float64(gone.Sub(p.At)))))
}

func TestAnOracleKnowsTheRunsThereWere(t *testing.T) {
	const begin = model.Instant(1_700_000_000_000)
	runs := []model.Instant{begin, begin.Add(hour), begin.Add(4 * hour)}
	g := Reader{PerMs: 1, Gap: minute, Runs: runs, Expires: model.Forever}.begin(begin, 1)
	for _, c := range []struct {
		at   model.Millis
		next model.Millis // 0: it cannot be told
	}{
		{at: minute}, // one run tells no period
		{at: hour + minute, next: 2*hour + 3*minute},     // a twentieth late at most
		{at: 2*hour + 2*minute, next: 2*hour + 3*minute}, // still on time
		{at: 2*hour + 4*minute},                          // it was skipped
		{at: 4*hour + minute, next: 7*hour + 9*minute},   // three hours after one of three hours
	} {
		g.startRun(begin.Add(c.at))
		g.running = false
		next, ok := g.nextRun(begin.Add(c.at))
		if ok != (c.next > 0) || ok && next != begin.Add(c.next) {
			t.Errorf("after %v it is to run at %v, %v", c.at.Duration(), next.Sub(begin).Duration(), ok)
		}
	}
	g.running = true
	if _, ok := g.nextRun(begin.Add(4*hour + 2*minute)); ok {
		t.Error("one that runs has a next run to wait for")
	}
}
