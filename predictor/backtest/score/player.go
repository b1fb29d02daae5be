package score

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/baseline"
	"kafka-retention-exporter/predictor/backtest/track"
)

// Player is who forecasts.
type Player struct {
	Name  string
	Means string
	Kind  Kind

	Estimates bool // gives an instant of loss
	Frozen    bool // gives an instant for a group that stops now
	Promises  bool // gives an instant before which there is no loss
}

// Kind is what a player is.
type Kind uint8

// Kinds of players.
const (
	Ours Kind = iota + 1
	Oracle
	Baseline
)

// Players are all players. Indices in a Sheet are those of this list; the first is the forecast
// as served, the second the oracle.
func Players() []Player {
	players := []Player{
		{Name: "this exporter", Means: "the forecast as served", Kind: Ours, Estimates: true, Frozen: true, Promises: true},
		{Name: "oracle", Means: "the same with the broker's segment bases, its check phase and the runs of a batch job given, but no future", Kind: Oracle, Estimates: true, Frozen: true, Promises: true},
	}
	for _, r := range baseline.Rules() {
		players = append(players, Player{
			Name: r.Name, Means: r.Means, Kind: Baseline,
			Estimates: r.Estimates, Frozen: r.Frozen, Promises: r.Promises,
		})
	}
	return players
}

type instant = model.Maybe[model.Instant]

// said is what a player says at a poll.
type said struct {
	loss, earliest, latest instant // the moving group, and the band of who gives one
	banded                 bool
	stopped, floor         instant
	page                   bool
	warn                   bool // the alert of lower severity; for rules of thumb the same as page
}

// seat is a player at one episode.
type seat func(*track.Poll) said

// seats puts all players to the same episode.
func seats(t *track.Track) []seat {
	all := []seat{
		forecaster(t, true, func(p *track.Poll) *predictor.Forecast { return &p.Said }),
		forecaster(t, false, func(p *track.Poll) *predictor.Forecast { return &p.Knowing }),
	}
	terms := baseline.TermsOf(*t)
	for _, r := range baseline.Rules() {
		all = append(all, ruleOfThumb(r, r.Start(terms)))
	}
	return all
}

func forecaster(t *track.Track, banded bool, of func(*track.Poll) *predictor.Forecast) seat {
	page, warn := newPager(t.Retention, pagePart, pageWait), newPager(t.Retention, warnPart, warnWait)
	return func(p *track.Poll) said {
		f := of(p)
		return said{
			loss: f.Loss, earliest: f.Earliest, latest: f.Latest, banded: banded,
			stopped: f.Stopped, floor: f.Floor,
			page: page.at(p.At, f), warn: warn.at(p.At, f),
		}
	}
}

func ruleOfThumb(r baseline.Rule, judge baseline.Judge) seat {
	return func(p *track.Poll) said {
		answer := judge(p.Seen)
		s := said{loss: answer.Loss, page: answer.Page, warn: answer.Page}
		// With nothing unread such a rule speaks of no record at all.
		if r.Frozen && p.Seen.Next.IsKnown() {
			s.stopped = answer.Loss
		}
		if r.Promises && p.Seen.Next.IsKnown() {
			s.floor = answer.Loss
		}
		return s
	}
}
