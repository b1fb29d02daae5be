package score_test

import (
	"math"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
)

// watched is a track of a poll every 5 minutes for some hours, with a loss at an hour (never, if
// 0) and a lag ratio that pages at the polls that are told, as hours. The horizon is 4 h.
func watched(length, loss float64, pages func(hour float64) bool) *track.Track {
	return newTrack(every(int(length*12), func(i int, p *track.Poll) {
		p.Loss = never
		if loss > 0 {
			p.Loss = in(hours(loss))
		}
		if pages(float64(i) / 12) {
			p.Seen.Committed = 100 // of 1000
		}
	})...)
}

func hours(h float64) model.Millis { return model.Millis(h * float64(hour)) }

func from(begin float64) func(float64) bool { return func(h float64) bool { return h >= begin } }

func between(spans ...float64) func(float64) bool {
	return func(h float64) bool {
		for i := 0; i < len(spans); i += 2 {
			if h >= spans[i] && h < spans[i+1] {
				return true
			}
		}
		return false
	}
}

func nobody(float64) bool { return false }

// pagesOf are those of the rule of thumb that watched makes page.
func pagesOf(tracks ...*track.Track) score.Pages {
	return judged(tracks...).Pages[rule("lag ratio > 80 %")]
}

func onset(h float64, t *track.Track) *track.Track {
	t.Onset = in(hours(h))
	return t
}

// bornAt is a group that has committed nothing before.
func bornAt(h float64, t *track.Track) *track.Track {
	for i := range t.Polls {
		if t.Polls[i].At < begin.Add(hours(h)) {
			t.Polls[i].Seen.Committed = -1
		}
	}
	return t
}

func events(t *track.Track, at ...float64) *track.Track {
	for _, h := range at {
		t.Events = append(t.Events, track.Event{At: begin.Add(hours(h)), Cause: track.ConfigChanged})
	}
	return t
}

func TestPagesOfALoss(t *testing.T) {
	const none = -1.0
	for _, c := range []struct {
		what                               string
		track                              *track.Track
		losses                             int
		recall, lead, premature, precision float64
		flaps                              float64
	}{
		{"four hours before", watched(20, 20, from(16)), 1, 1, 4, 0, 1, 0},
		{"not at all", watched(20, 20, nobody), 1, 0, none, 0, none, 0},
		{"half an hour before", watched(20, 20, from(19.5)), 1, 1, 0.5, 0, 1, 0},
		{"less", watched(20, 20, from(19.6)), 1, 0, none, 0, 1, 0},
		{"eight hours before", watched(20, 20, from(12)), 1, 1, 8, 0, 1, 0},
		{"more", watched(20, 20, from(11)), 1, 1, 9, 1, 0, 0},
		{"long before and over", watched(20, 20, between(1, 2)), 1, 0, none, 0, 0, 0},
		{"three times", watched(20, 20, between(13, 14, 15, 16, 19, 20)), 1, 1, 7, 0, 1, 2},
		{"after it", watched(20, 10, between(7, 8, 12, 13)), 1, 1, 3, 0, 1, 0},
		{"nobody watched for long enough", watched(19.4, 20, nobody), 0, none, none, none, none, 0},
		{"just long enough", watched(19.5, 20, from(17)), 1, 1, 3, 0, 1, 0},
		{"no time to page", onset(17, watched(20, 20, from(19))), 0, none, none, none, 1, 0},
		{"just time", onset(15.9, watched(20, 20, from(19))), 1, 1, 1, 0, 1, 0},
		{"no commit in time to page", bornAt(17, watched(20, 20, from(19))), 0, none, none, none, 1, 0},
		{"a commit just in time", bornAt(15.9, watched(20, 20, from(19))), 1, 1, 1, 0, 1, 0},
		{"on before the onset", onset(14, watched(20, 20, from(13))), 1, 1, 6, 0, 1, 0},
		{"once before the onset, once after", onset(14, watched(20, 20, between(1, 2, 16, 20))), 1, 1, 4, 0, 0.5, 0},
		{"an event in the last eight hours", events(watched(20, 20, from(16)), 13), 0, none, none, none, 1, 0},
		{"an event after the page", events(watched(20, 20, from(16)), 17), 0, none, none, none, none, 0},
		{"an event before, and pages before it", events(watched(20, 20, between(2, 3, 16, 20)), 10.5), 1, 1, 4, 0, 0.5, 0},
		{"an event within two horizons of a page", events(watched(20, 20, between(9, 10, 16, 20)), 11), 1, 1, 4, 0, 1, 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := pagesOf(c.track)
			if p.Losses != c.losses {
				t.Errorf("%d losses", p.Losses)
			}
			for _, f := range []struct {
				what string
				got  score.Figure
				want float64
			}{
				{"recall", p.Recall, c.recall}, {"premature", p.Premature, c.premature}, {"precision", p.Precision, c.precision},
			} {
				if f.want < 0 {
					isUnknown(t, f.what, f.got)
				} else {
					is(t, f.what, f.got, f.want)
				}
			}
			if c.lead < 0 {
				isUnknown(t, "lead", p.Lead10)
			} else if math.Abs(p.Lead10.Value*24-c.lead) > 1e-5 {
				t.Errorf("lead %v h", p.Lead10.Value*24)
			}
			if c.losses > 0 {
				is(t, "flaps", p.Flaps, c.flaps)
			}
		})
	}
}

func TestFalseAlarms(t *testing.T) {
	// 24 hours less one poll, twice; two pages, the second of which is too late to be judged.
	healthy := watched(24, 0, between(3, 4, 20, 21))
	p := pagesOf(healthy, watched(24, 0, nobody))
	is(t, "of known never", p.FalseAlarms, 1000*2/(2*287.0/288))
	for i := range healthy.Polls {
		healthy.Polls[i].Loss = maybe{}
	}
	p = pagesOf(healthy, watched(24, 0, nobody))
	is(t, "of what did not show", p.FalseAlarms, 1000*1/(2*287.0/288))
	is(t, "precision", p.Precision, 0)
	healthy.Polls[9*12].Seen.Committed = -1 // six hours after the first page
	isUnknown(t, "precision where the position expired", pagesOf(healthy).Precision)

	// Before the onset a pair is healthy, a page whose loss follows within two horizons is right.
	p = pagesOf(onset(13, watched(20, 20, between(1, 2, 12.1, 20))))
	is(t, "before an onset", p.FalseAlarms, 1000/(155.0/288))
	p = pagesOf(events(watched(24, 0, between(3, 4)), 5))
	is(t, "before an event", p.FalseAlarms, 0)
	p = pagesOf(events(watched(24, 0, between(3, 4)), 2))
	is(t, "after an event", p.FalseAlarms, 1000/(287.0/288))
}

// Who gets away from a deletion that is nearer than the horizon was paged for wrongly, and was not well.
func TestNearMisses(t *testing.T) {
	one := watched(24, 0, between(3, 4, 10, 11))
	for i := range one.Polls {
		p, left := &one.Polls[i], hours(4.1)
		if h := float64(i) / 12; h >= 2 && h < 5 {
			left = hours(4)
		}
		p.Gone = model.Known(p.At.Add(left))
	}
	p := pagesOf(one)
	is(t, "false alarms", p.FalseAlarms, 1000/(251.0/288)) // in 24 h less three hours and one poll
	is(t, "with near misses", p.NearMisses, 2000/(287.0/288))
	is(t, "precision", p.Precision, 0)
}

// Who has lost already is not paged for, and who loses without a fault of its own is not healthy.
func TestPagesThatAreNotJudged(t *testing.T) {
	one := watched(24, 0, between(3, 4))
	for i := range one.Polls {
		one.Polls[i].Gone = in(0)
	}
	p := pagesOf(one)
	isUnknown(t, "precision of who has lost", p.Precision)
	p = pagesOf(watched(20, 20, between(1, 2)))
	isUnknown(t, "false alarms of who will lose", p.FalseAlarms)
	is(t, "but the page is wrong", p.Precision, 0)
}

func TestFlapsOfAFaultThatPasses(t *testing.T) {
	p := pagesOf(onset(2, watched(24, 0, between(3, 4, 5, 6, 7, 8))), onset(2, watched(24, 0, nobody)))
	is(t, "flaps", p.Flaps, 1)
	if p.Losses != 0 {
		t.Errorf("%d losses", p.Losses)
	}
}

func TestBatches(t *testing.T) {
	// Two on time, of which one pages twice.
	good, bad := watched(24, 0, nobody), watched(24, 0, between(3, 4, 5, 6))
	good.OnTime, bad.OnTime = true, true
	is(t, "pages on time", pagesOf(good, bad).OnTime, 1)

	// One is on time and loses records at 20 all the same: of its pages, only those that no loss follows count.
	rare, hasty := watched(20, 20, from(16)), watched(20, 20, between(2, 3, 16, 20))
	rare.OnTime, hasty.OnTime = true, true
	is(t, "pages on time of who loses", pagesOf(rare).OnTime, 0)
	is(t, "pages on time long before", pagesOf(hasty).OnTime, 1)

	// A run is skipped at 4, which costs data at 20; the page comes at 8: three quarters are left.
	skipped := onset(4, watched(20, 20, from(8)))
	skipped.Polls[0].States = []predictor.State{predictor.Batch}
	is(t, "slack", pagesOf(skipped).SlackLeft, 0.75)
	silent := onset(4, watched(20, 20, nobody))
	silent.Polls[0].States = []predictor.State{predictor.Batch}
	is(t, "slack of silence", pagesOf(silent).SlackLeft, 0)
	isUnknown(t, "slack of another fault", pagesOf(onset(4, watched(20, 20, from(8)))).SlackLeft)

	// The forecast's own warning counts: a loss within R/2 for ten minutes. At 8 h 12 are left.
	for i := range silent.Polls {
		silent.Polls[i].Said.Loss = in(20 * hour)
	}
	is(t, "slack by a warning", judged(silent).Pages[ours].SlackLeft, (12-15.0/60)/16)
}

// The forecast pages by the shipped rule: after two minutes within the horizon.
func TestOwnPages(t *testing.T) {
	one := watched(20, 20, nobody)
	for i := range one.Polls {
		one.Polls[i].Said.Loss = in(20 * hour)
	}
	p := judged(one).Pages[ours]
	is(t, "recall", p.Recall, 1)
	// Less than 4 h is first left at 16 h 5 min; at the next poll it fires.
	is(t, "lead", p.Lead50, (4-10.0/60)/24)
}

func TestWhereNothingIsForecastNoPagesAreJudged(t *testing.T) {
	compacts, tiered := watched(20, 20, from(16)), watched(20, 20, from(16))
	compacts.Compacts = true
	tiered.Settings.Tiered, tiered.Rule = true, track.BySize
	for _, one := range []*track.Track{compacts, tiered} {
		if p := pagesOf(one); p.Losses != 0 || p.Precision.Known() {
			t.Errorf("got %+v", p)
		}
	}
}
