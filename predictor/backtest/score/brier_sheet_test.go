package score_test

import (
	"testing"

	"kafka-retention-exporter/predictor/backtest/track"
)

func TestBrier(t *testing.T) {
	// The loss is in five hours: not within R/24, but within R/4 (6 h) and R. The forecast is an
	// estimate at six hours between four and eight; R - age says six hours.
	p := with(poll(0), func(p *track.Poll) {
		p.Loss = in(5 * hour)
		p.Said.Earliest, p.Said.Loss, p.Said.Latest = in(4*hour), in(6*hour), in(8*hour)
	})
	s := judged(newTrack(p))
	is(t, "R/24", s.Brier[0][ours], 0.0125*0.0125)
	is(t, "R/4", s.Brier[1][ours], 0.25)
	is(t, "R", s.Brier[2][ours], 0)
	is(t, "R - age at R/4", s.Brier[1][rule("R - age")], 0)
	is(t, "two anchors at R/4", s.Brier[1][rule("two-anchor line")], 1)
	is(t, "skill over two anchors", s.Skill[1][rule("two-anchor line")], 0.75)
	isUnknown(t, "skill over what was perfect", s.Skill[1][rule("R - age")])
	isUnknown(t, "a rule without estimates", s.Brier[1][rule("lag ratio > 80 %")])
}

func TestBrierOfWhatDidNotShow(t *testing.T) {
	base := func() *track.Track {
		return newTrack(
			with(poll(0), func(p *track.Poll) { p.Loss, p.Said.Loss = maybe{}, never }),
			with(poll(6*hour), func(*track.Poll) {}),
		)
	}
	for _, c := range []struct {
		what   string
		change func(*track.Track)
		known  [3]bool // at R/24, R/4, R
	}{
		{"six hours were seen", func(*track.Track) {}, [3]bool{true, true, false}},
		{"five were", func(t *track.Track) { t.Polls[1].At = begin.Add(5 * hour) }, [3]bool{true, false, false}},
		{"the position expired meanwhile", func(t *track.Track) { t.Polls[1].Seen.Committed = -1 }, [3]bool{}},
		{"never", func(t *track.Track) { t.Polls[0].Loss = never }, [3]bool{true, true, true}},
		{"an event after two hours", func(t *track.Track) {
			t.Events = []track.Event{{At: begin.Add(2 * hour), Cause: track.Backfill}}
		}, [3]bool{true, false, false}},
		{"a fault after two hours", func(t *track.Track) { t.Onset = in(2 * hour) }, [3]bool{true, false, false}},
		{"an event after the loss", func(t *track.Track) {
			t.Polls[0].Loss = in(hour)
			t.Events = []track.Event{{At: begin.Add(2 * hour), Cause: track.Backfill}}
		}, [3]bool{true, true, true}},
	} {
		t.Run(c.what, func(t *testing.T) {
			one := base()
			c.change(one)
			for h, brier := range judged(one).Brier {
				if got := brier[ours].Known(); got != c.known[h] {
					t.Errorf("horizon %d: known %t", h, got)
				}
			}
		})
	}
}

// An episode weighs 1, however long it is.
func TestBrierWeighsEpisodes(t *testing.T) {
	right := newTrack(every(100, func(_ int, p *track.Poll) { p.Loss, p.Said.Loss = never, never })...)
	wrong := newTrack(with(poll(0), func(p *track.Poll) {
		p.Loss, p.Said.Loss = in(minute), never
	}))
	is(t, "brier", judged(right, wrong).Brier[0][ours], 0.5)
}
