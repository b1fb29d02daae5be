package compressed

import (
	"slices"
	"strconv"
	"strings"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/predictor/backtest/track"
	"kafka-retention-exporter/test/scenario"
)

// episode is the part of a pair's run in which it has one fate.
type episode struct {
	from, to model.Instant
	helped   bool // it ends because somebody helped the group
}

// tracks makes episodes of a pair's polls. Pairs without a commit, and topics on which nothing is deleted, have none.
func tracks(r *scenario.Record, polls []track.Poll, seed int64, number int) []*track.Track {
	if r.Group.Silent || r.Scenario.Rule == scenario.ByNone || len(polls) == 0 {
		return nil
	}
	truth := truthOf(r)
	polls = slices.Clone(polls)
	for i := range polls {
		truth.position(&polls[i])
	}
	truth.surge(polls)
	var all []*track.Track
	for i, e := range truth.episodes(polls) {
		t := &track.Track{
			Family: r.Scenario.Name, Axis: track.GroupAxis, Episode: 100*number + i, Seed: seed,
			Rule: ruleOf(r), Retention: model.MillisOf(r.Scenario.Retention), Check: model.MillisOf(r.Check), Poll: model.MillisOf(r.PollEvery),
			Settings: settingsOf(r), Onset: truth.onset(e), Events: truth.events(e),
		}
		t.Compacts = t.Settings.Policy.Compacts()
		for _, p := range polls {
			if p.At >= e.from && p.At < e.to {
				truth.label(&p, e)
				t.Polls = append(t.Polls, p)
			}
		}
		if len(t.Polls) > 1 {
			all = append(all, t)
		}
	}
	return all
}

// episodes begin with the first poll, with each help, and with each return to the log, but for those of groups that
// fall again and again: where they stand close to the log start.
func (t *truth) episodes(polls []track.Poll) []episode {
	first, last := polls[0].At, polls[len(polls)-1].At.Add(1)
	cuts := []episode{}
	for _, f := range t.falls {
		if f.to != model.Forever {
			cuts = append(cuts, episode{to: f.to})
		}
	}
	for _, h := range t.record.Happened {
		if h.Mends && t.mine(h) {
			cuts = append(cuts, episode{to: model.InstantOf(h.Begin), helped: true})
		}
	}
	slices.SortFunc(cuts, func(a, b episode) int { return int(a.to.Sub(b.to)) })
	var all []episode
	from := first
	for _, c := range append(cuts, episode{to: last}) {
		soon := c.to.Sub(from) < model.MillisOf(t.record.Scenario.Retention)/2
		if c.to > from && c.to <= last && (c.helped || c.to == last || !soon) {
			c.from = from
			all = append(all, c)
			from = c.to
		}
	}
	return all
}

func (t *truth) mine(h scenario.Happening) bool { return h.Group == t.record.Group.Name }

// onset is when the group's fault began in an episode.
func (t *truth) onset(e episode) model.Maybe[model.Instant] {
	for _, h := range t.record.Happened {
		at := model.InstantOf(h.Begin)
		if t.mine(h) && !h.Mends && h.Kind != scenario.PositionReset && at >= e.from && at < e.to {
			return model.Known(at)
		}
	}
	return model.Maybe[model.Instant]{}
}

// sound tells whether nothing ails the group from the episode on: it reads whatever there is, or the
// script says that it makes it.
func (t *truth) sound(e episode) bool {
	g := t.record.Group
	if !g.Healthy && g.Pace != scenario.Keep {
		return false
	}
	return g.Healthy || !t.onset(episode{from: e.from, to: model.Forever}).IsKnown()
}

// events are those that nobody could foresee, up to the end of an episode.
func (t *truth) events(e episode) []track.Event {
	causes := map[scenario.Accident]track.Cause{
		scenario.RecordsDeleted: track.RecordsDeleted, scenario.TopicRecreated: track.Recreated, scenario.TopicConfigured: track.ConfigChanged,
		scenario.ProducerStopped: track.ProducerStopped, scenario.Backfilled: track.Backfill, scenario.StampedAhead: track.FutureStamp,
		scenario.PositionReset: track.Reset,
	}
	var all []track.Event
	for _, h := range t.record.Happened {
		cause, ok := causes[h.Kind]
		if at := t.happened(h); ok && (h.Group == "" || t.mine(h)) && at < e.to && at >= e.from.Add(-60_000) {
			all = append(all, track.Event{At: at, Cause: cause})
		}
	}
	return all
}

// happened is when an event took effect: one that moves the log start itself, when that was seen.
func (t *truth) happened(h scenario.Happening) model.Instant {
	if h.Kind == scenario.RecordsDeleted || h.Kind == scenario.TopicRecreated {
		for _, c := range t.record.Moves {
			if c.Before.After(h.Begin) && c.After.Before(h.End) {
				return instant(c)
			}
		}
	}
	return model.InstantOf(h.Begin)
}

// position adds to a poll what became of the position that it saw.
func (t *truth) position(p *track.Poll) {
	if p.Seen.Committed < 0 {
		return
	}
	read, ok := p.Said.PositionAt.Get()
	if !ok {
		read = p.At
	}
	p.Gone = t.gone(p.Seen.Committed, read, p.Said.Floor)
}

// label adds what became of the group in an episode.
func (t *truth) label(p *track.Poll, e episode) {
	if p.Seen.Committed < 0 {
		return
	}
	f, falls := t.next(p.At)
	switch {
	case falls && f.from < e.to:
		p.Loss = model.Known(f.from)
	case e.helped || t.sound(e):
		p.Loss = model.Known(model.Forever)
	}
	if p.Seen.Committed < p.Seen.Start {
		p.States = []predictor.State{predictor.Lost}
	}
}

func ruleOf(r *scenario.Record) track.Rule {
	return map[scenario.Rule]track.Rule{scenario.ByTime: track.ByTime, scenario.BySize: track.BySize, scenario.ByBoth: track.ByBoth}[r.Scenario.Rule]
}

// settingsOf are the settings at the start, as far as they tell what is deleted.
func settingsOf(r *scenario.Record) model.Settings {
	number := func(name string, byDefault int64) int64 {
		if n, err := strconv.ParseInt(r.Scenario.Configs[name], 10, 64); err == nil {
			return n
		}
		return byDefault
	}
	s := model.Settings{Policy: model.PolicyDelete}
	if strings.Contains(r.Scenario.Configs["cleanup.policy"], "compact") {
		s.Policy = model.PolicyCompactDelete
	}
	s.RetentionMs, s.RetentionBytes = model.Millis(number("retention.ms", -1)), model.Bytes(number("retention.bytes", -1))
	return s
}
