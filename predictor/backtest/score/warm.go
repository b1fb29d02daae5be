package score

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// warm tells of each poll whether the exporter has been up for longer than the life of a segment, from
// its first record to its deletion: something that was written after the start has been deleted. One
// that starts anew and knows nothing of what was before is cold again.
func warm(polls []bool, t *track.Track) []bool {
	polls = polls[:0]
	var end model.Offset // of the log, at the start
	for i := range t.Polls {
		p := &t.Polls[i]
		if i == 0 || p.Fresh {
			end = p.Seen.End
		}
		polls = append(polls, p.Seen.Start > end)
	}
	return polls
}

// begunAt is the first poll at which the exporter has seen the log start move twice, or been up for R:
// much earlier than warm, while what it forecasts for was mostly written before it looked.
func begunAt(t *track.Track) int {
	steps := 0
	for i := range t.Polls {
		p := &t.Polls[i]
		if i > 0 && p.Seen.Start > t.Polls[i-1].Seen.Start {
			steps++
		}
		if steps >= 2 || p.At.Sub(t.Polls[0].At) >= t.Retention {
			return i
		}
	}
	return len(t.Polls)
}
