package compressed

import (
	"fmt"

	"kafka-retention-exporter/predictor/backtest/track"
)

// late tells of the first promise of an episode that was broken with nothing unforeseen in between: what the
// predictor has to be asked about.
func late(t *track.Track, group string) (said string, ok bool) {
	for i := range t.Polls {
		p := &t.Polls[i]
		floor, promised := p.Said.Floor.Get()
		gone, known := p.Gone.Get()
		if !promised || !known || gone <= p.At || p.Seen.Committed < p.Seen.Start || floor <= gone || t.Disturbed(p.At, gone) {
			continue
		}
		s := &p.Seen
		in := &p.Said.Inputs
		return fmt.Sprintf("%s, %s, poll %d of %d at %d: position %d was promised until %+d ms and gone after %+d ms; log %d to %d, next stamp %v, segment %v to %v, state %v",
			t.Family, group, i, len(t.Polls), p.At, s.Committed, floor.Sub(p.At), gone.Sub(p.At), s.Start, s.End, s.Next, in.SegmentBase, in.SegmentEnd, p.Said.State), true
	}
	return "", false
}
