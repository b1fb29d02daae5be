package scenario

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Table prints scores, one pair a line.
func Table(scores []Score) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "group\trule\tpolls\tfloor there\tlate\tof\ttight\tstopped wrong\tof\tmedian\tlost said\tof\tlost\ttruth\tnear\t")
	for _, s := range scores {
		r := s.Record
		fmt.Fprintf(w, "%s\t%v\t%d\t%d/%d\t%d\t%d\t%.2f\t%d\t%d\t%.3f\t%d\t%d\t%d\t%d-%d\t%d\t\n",
			r.Pair.Group, r.Scenario.Rule, len(r.Polls), s.FloorPresent, s.FloorAsked, s.FloorLate, s.FloorLabelled, median(s.Tight),
			s.StoppedWrong, s.StoppedAsked, s.StoppedError, s.LostSaid, s.LostAsked, s.LostCount, s.LostLeast, s.LostMost, s.NearLoss)
	}
	_ = w.Flush() // a Builder takes everything
	return b.String()
}
