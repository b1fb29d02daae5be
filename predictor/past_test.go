package predictor

import (
	"math"
	"testing"

	"kafka-retention-exporter/model"
)

// pastOf is what came at a rate that is a function of the hour, in bytes a millisecond, looked at every
// five minutes.
func pastOf(hours int, rate func(hour float64) float64) *past {
	const hour, poll = 3_600_000, 300_000
	q := &past{step: pastStep / 2, first: 1, until: 1, totals: []float32{0}}
	q.odds.limit = 1e12
	total := 0.0
	for t := model.Instant(1); t < model.Instant(hours*hour); t = t.Add(poll) {
		total += poll * rate(float64(t)/hour)
		q.add(t.Add(poll), total)
	}
	return q
}

func dayAndNight(hour float64) float64 { return 1 + 0.9*math.Cos(2*math.Pi*hour/24) }

func TestPastKeepsWhatCameAndWhen(t *testing.T) {
	q := pastOf(60, func(float64) float64 { return 2 })
	if reach := q.until.Sub(q.first); len(q.totals) > pastSteps || reach < 30*3_600_000 {
		t.Errorf("%d steps reach back for %d ms", len(q.totals), reach)
	}
	for back := model.Millis(0); back < 30*3_600_000; back += 1_234_567 {
		at := q.until.Add(-back)
		if got, want := q.tip-q.at(at), 2*float64(back); math.Abs(got-want) > 50 {
			t.Fatalf("%v bytes came in %d ms, want %v", got, back, want)
		}
		if got, ok := q.when(q.at(at)); !ok || max(got.Sub(at), at.Sub(got)) > 50 {
			t.Fatalf("what had come at %d is said to have at %d (%v)", at, got, ok)
		}
	}
	if at, ok := q.when(q.total(0) - 1); ok {
		t.Errorf("what came before it reaches back is said to have come at %d", at)
	}
}

// TestSeasonIsReplayed asks at all hours of a day how long some bytes will take that come by day and by
// night: a season ago tells it, what came last does not.
func TestSeasonIsReplayed(t *testing.T) {
	for start := 36; start < 60; start++ {
		q := pastOf(start, dayAndNight)
		for _, ahead := range []float64{1, 6, 20, 40} {
			amount := 0.0
			for m := range int(ahead * 60) {
				amount += 60_000 * dayAndNight(float64(start)+float64(m)/60)
			}
			d, ok := q.expects(q.until, amount)
			if off := d/(ahead*3_600_000) - 1; !ok || math.Abs(off) > 0.15 {
				t.Errorf("hour %d: %v hours are told as %v (%v)", start, ahead, d/3_600_000, ok)
			}
		}
	}
	once := pastOf(40, func(hour float64) float64 { // an amount that a step's total is rounded up from
		if hour > 20 && hour < 20.08 {
			return 16_777_219. / 300_000
		}
		return 0
	})
	if d, ok := once.expects(once.until, 1000); !ok || !(d >= 4*3_600_000) {
		t.Errorf("1000 bytes are expected in %v (%v), but yesterday none came within four hours", d, ok)
	}
	if _, ok := pastOf(20, dayAndNight).level(20 * 3_600_000); ok {
		t.Error("a past of 20 hours is said to tell of a season")
	}
}

// TestOddsAreWhatForecastsWereOffBy: nothing where bytes come evenly, much where what came last says
// little of what comes, and little again where the season tells it.
func TestOddsAreWhatForecastsWereOffBy(t *testing.T) {
	odds := func(q *past, limit float64) (less, more float64) {
		q.odds = odds{}
		q.reckon(limit)
		return q.odds.of(0.25)
	}
	const day = 24 * 3_600_000
	if less, more := odds(pastOf(20, func(float64) float64 { return 1 }), day/4); less < -0.05 || more > 0.05 {
		t.Errorf("even: %.2f to %.2f", less, more)
	}
	swing, more := odds(pastOf(23, dayAndNight), day)
	if swing > -0.4 || more < 0.4 {
		t.Errorf("by day and night, young: %.2f to %.2f", swing, more)
	}
	if less, more := odds(pastOf(48, dayAndNight), day); less < swing/2 || more > -swing/2 {
		t.Errorf("by day and night, old: %.2f to %.2f", less, more)
	}
}
