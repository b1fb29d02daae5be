package score_test

import (
	"testing"

	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
)

func TestBehind(t *testing.T) {
	// R - age is right, at six hours; the forecast is off by as much as is told.
	family := func(off float64, floor, page float64) score.Sheet {
		one := watched(24, 22, nobody)
		for i := range one.Polls {
			p := &one.Polls[i]
			p.Seen.Next = in(-2 * hour)
			p.Gone = in(22 * hour)
			p.Said.Loss = in(hours(22 + off))
			p.Said.Earliest, p.Said.Latest = p.Said.Loss, p.Said.Loss
			p.Said.Floor = in(hours(22 + floor))
			if float64(i)/12 < page {
				p.Said.Loss = maybe{}
			}
		}
		return judged(one)
	}
	names := func(s score.Sheet) (names []string) {
		for _, b := range s.Behind(score.Players()) {
			names = append(names, b.Measure)
		}
		return names
	}
	same := func(what string, got []string, want ...string) {
		t.Helper()
		if len(got) != len(want) {
			t.Errorf("%s: got %q, want %q", what, got, want)
			return
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: got %q, want %q", what, got, want)
			}
		}
	}
	same("as good", names(family(0, 0, 0)))
	same("off by an hour", names(family(1, 0, 0)), "Brier score", "loss, near", "loss, mid", "loss, far")
	same("a floor that is late", names(family(0, 0.1, 0)), "floor")
	same("silent until it is too late", names(family(0, 0, 21.9)), "Brier score", "loss, near", "loss, mid", "loss, far", "recall")

	s := family(1, 0, 0)
	if b := s.Behind(score.Players())[0]; b.Rival != rule("R - age") || !(b.Ours.Value > b.Best.Value) {
		t.Errorf("got %+v", b)
	}
}

func TestBestIsAmongRulesOfThumb(t *testing.T) {
	// The oracle is right, R - age off by a third, and of the moving group nobody else says anything.
	one := newTrack(with(poll(0), func(p *track.Poll) {
		p.Loss, p.Knowing.Loss = in(8*hour), in(8*hour)
		p.Seen.Next = in(-16 * hour)
	}))
	s := judged(one)
	best, ok := s.Best(score.Players(), score.LossError(score.Mid), false)
	if !ok || best != rule("R - age") {
		t.Errorf("got %d, %t", best, ok)
	}
	if _, ok := s.Best(score.Players(), score.LossError(score.Far), false); ok {
		t.Error("there is none far away")
	}
}
