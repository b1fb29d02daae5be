package score

import "kafka-retention-exporter/predictor/backtest/track"

// perEpisode is how many forecasts an episode gives each cell.
const perEpisode = 8

// episode is what is kept of a track once it is judged.
type episode struct {
	cells  []cell
	brier  [horizons][]part // of a player: the sum of squares, and how many
	never  []part           // of a player: instants of loss given where there was none
	pages  []pageTally      // of a player
	floors []floorTally     // of a player
	states part
	cold   cold
	lost   lostTally
	spent  part // milliseconds by forecasts
	events []recovery
}

// What is measured in a cell.
type what uint8

const (
	deadline what = iota // of the frozen position: error relative to what was left, and in check intervals
	loss                 // of the moving group: the first of these
	band                 // 1 where it held the truth, and its width relative to what was left
	tight                // the floor's time by the deadline's
	whats
)

// Where the truth lies as seen from the forecast.
const (
	Near  = iota // 0.5 to 2 hours of a retention of one day
	Mid          // 4 to 8
	Far          // 16 to 30
	Warm         // the next 8, once the exporter has been up for the life of a segment
	Begun        // the next 8, once it has seen two steps of the log start, or R pass
	Cold         // as Mid, at the first two polls
	Anytime
	whens
)

// horizons of Brier scores.
const horizons = 3

// cell is what an episode tells of one measure of one player.
type cell struct {
	what           what
	when, player   uint8
	asked, present int32 // forecasts that could have been judged, and those that were there
	a, b           []float32
}

// cell finds one; of an episode that tells nothing there it is empty.
func (e *episode) cell(w what, when, player int) *cell {
	for i := range e.cells {
		if c := &e.cells[i]; c.what == w && int(c.when) == when && int(c.player) == player {
			return c
		}
	}
	return &cell{}
}

// spread picks at most perEpisode values, evenly.
func spread(values []float32) []float32 {
	n := len(values)
	if n <= perEpisode {
		return append([]float32(nil), values...)
	}
	out := make([]float32, perEpisode)
	for i := range out {
		out[i] = values[(2*i+1)*n/(2*perEpisode)]
	}
	return out
}

// lostTally holds the count of lost records against the truth.
type lostTally struct{ said, truth, off float64 }

func tallyLost(t *track.Track) lostTally {
	off := float64(t.LostSaid - t.LostTrue)
	return lostTally{float64(t.LostSaid), float64(t.LostTrue), max(off, -off)}
}
