package compressed

import (
	"bufio"
	"fmt"
	"io"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// printPolls writes every poll of an episode, a line each, instants as seconds from the poll.
func printPolls(out io.Writer, t *track.Track, group string, begin model.Instant) error {
	w := bufio.NewWriter(out)
	for i := range t.Polls {
		p := &t.Polls[i]
		left := func(at model.Maybe[model.Instant]) string { return seconds(at, p.At) }
		f, s := &p.Said, &p.Seen
		fmt.Fprintf(w, "%s %d %.2f start %d committed %d end %d next %s floor %s stopped %s gone %s earliest %s loss %s latest %s truth %s", group, t.Episode, seconds64(p.At, begin),
			s.Start, s.Committed, s.End, left(s.Next), left(f.Floor), left(f.Stopped), left(p.Gone), left(f.Earliest), left(f.Loss), left(f.Latest), left(p.Loss))
		if state, ok := f.State.Get(); ok {
			fmt.Fprintf(w, " state %v", state)
		}
		if reason, ok := f.Reason.Get(); ok {
			fmt.Fprintf(w, " reason %v", reason)
		}
		base, _ := f.Inputs.SegmentBase.Get()
		pace, _ := f.Inputs.Pace.Get()
		rate, _ := f.Inputs.ByteRate.Get()
		size, _ := f.Inputs.Size.Get()
		fmt.Fprintf(w, " base %d pace %.3g bytes/s %.4g size %d\n", base, pace, rate, size)
	}
	return w.Flush()
}

func seconds64(at, from model.Instant) float64 { return float64(at.Sub(from)) / 1000 }

func seconds(at model.Maybe[model.Instant], from model.Instant) string {
	v, ok := at.Get()
	switch {
	case !ok:
		return "-"
	case v == model.Forever:
		return "never"
	}
	return fmt.Sprintf("%+.2f", seconds64(v, from))
}
