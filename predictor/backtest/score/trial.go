package score

import (
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// trial is a track while it is judged. Its buffers serve one track after the other.
type trial struct {
	t       *track.Track
	ranges  Ranges
	players []Player
	said    [][]said        // of a poll, of a player
	flat    []said          // what said is made of
	seen    []model.Instant // of a poll: until when the pair was watched without losing its commit
	scratch [whats][whens][]scratch
	brier   [horizons][]part
	never   []part
	floors  []floorTally
	warm    []bool // of a poll: whether the exporter has been there for the life of a segment
	begun   int    // the first poll at which it has seen two segments go, or R pass
}

// scratch is a cell before it is thinned.
type scratch struct {
	asked, present int32
	a, b           []float32
}

func newTrial(ranges Ranges) *trial {
	tr := &trial{ranges: ranges, players: Players()}
	for w := range tr.scratch {
		for i := range tr.scratch[w] {
			tr.scratch[w][i] = make([]scratch, len(tr.players))
		}
	}
	return tr
}

// judge makes an episode of a track.
func (tr *trial) judge(t *track.Track) *episode {
	tr.begin(t)
	e := &episode{states: tr.states(), lost: tallyLost(t), spent: part{float64(t.Spent), float64(len(t.Polls))}}
	if forecastable(t) {
		tr.cold(e)
	}
	tr.warm, tr.begun = warm(tr.warm, t), begunAt(t)
	for i := range t.Polls {
		p := &t.Polls[i]
		tr.floor(i)
		if isLost(p) || !forecastable(t) {
			continue
		}
		tr.deadlines(i)
		tr.losses(i)
		tr.probabilities(i)
	}
	e.floors, e.brier, e.never = tr.floors, tr.brier, tr.never
	e.cells = tr.cells()
	e.events = tr.recoveries()
	if forecastable(t) {
		e.pages = tr.pages()
	}
	return e
}

func (tr *trial) begin(t *track.Track) {
	tr.t = t
	for w := range tr.scratch {
		for i := range tr.scratch[w] {
			for j := range tr.scratch[w][i] {
				s := &tr.scratch[w][i][j]
				*s = scratch{a: s.a[:0], b: s.b[:0]}
			}
		}
	}
	n := len(tr.players)
	tr.never, tr.floors = make([]part, n), make([]floorTally, n)
	for i := range tr.brier {
		tr.brier[i] = make([]part, n)
	}
	tr.listen()
	tr.watched()
}

// watched finds until when each poll's pair was watched. A position that expires is not lost to
// retention, and what would have become of it does not show.
func (tr *trial) watched() {
	polls := tr.t.Polls
	tr.seen = slices.Grow(tr.seen[:0], len(polls))[:len(polls)]
	for i := len(polls) - 1; i >= 0; i-- {
		tr.seen[i] = polls[i].At
		if i+1 < len(polls) && polls[i+1].Seen.Committed >= 0 {
			tr.seen[i] = tr.seen[i+1]
		}
	}
}

// listen asks every player at every poll.
func (tr *trial) listen() {
	all := seats(tr.t)
	tr.said = tr.said[:0]
	if need := len(tr.t.Polls) * len(all); len(tr.flat) < need {
		tr.flat = make([]said, need)
	}
	for i := range tr.t.Polls {
		row := tr.flat[i*len(all) : (i+1)*len(all)]
		for j, speak := range all {
			row[j] = speak(&tr.t.Polls[i])
		}
		tr.said = append(tr.said, row)
	}
}

// faulted tells whether the group's fault begins after one instant and not after another.
func (tr *trial) faulted(from, until model.Instant) bool {
	onset, ok := tr.t.Onset.Get()
	return ok && onset > from && onset <= until
}

// share is a duration as a share of the retention.
func (tr *trial) share(d model.Millis) float64 { return float64(d) / float64(tr.t.Retention) }

// forecastable tells that instants are asked for. Compaction is not forecast, and of the bytes that
// a tiered topic has in remote storage nothing can be asked: there the forecast must say nothing.
func forecastable(t *track.Track) bool { return !t.Compacts && !remoteBytes(t) }

func remoteBytes(t *track.Track) bool { return t.Settings.Tiered && t.Rule != track.ByTime }

// isLost tells a poll at which the position was gone already.
func isLost(p *track.Poll) bool {
	gone, ok := p.Gone.Get()
	return ok && gone <= p.At || p.Seen.Committed < p.Seen.Start
}

// cells thins what was gathered.
func (tr *trial) cells() []cell {
	var cells []cell
	for w := range tr.scratch {
		for when := range tr.scratch[w] {
			for player := range tr.scratch[w][when] {
				if s := &tr.scratch[w][when][player]; s.asked > 0 {
					cells = append(cells, cell{what(w), uint8(when), uint8(player), s.asked, s.present, spread(s.a), spread(s.b)})
				}
			}
		}
	}
	return cells
}
