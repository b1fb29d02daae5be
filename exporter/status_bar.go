package exporter

import (
	"fmt"

	"kafka-retention-exporter/predictor"
)

// barWidth is the width of a bar in its own units; the page stretches it.
const barWidth = 1000

// bar is a log in one line, from the log start over the group's position to the end.
type bar struct {
	Known        bool
	Read, Unread int    // widths, together barWidth
	Lost         bool   // the position is below the log start
	Says         string // the same for those who do not see it
	Start, End   string // offsets
}

func barOf(f predictor.Forecast) bar {
	start, s := f.Inputs.LogStart.Get()
	end, e := f.Inputs.End.Get()
	position, p := f.Position.Get()
	if !s || !e || !p || start > end {
		return bar{}
	}
	at := min(max(position, start), end)
	b := bar{Known: true, Lost: position < start, Start: offsetText(start), End: offsetText(end)}
	if start == end {
		b.Says = "The log is empty."
		b.Read = barWidth
		return b
	}
	b.Read = int(barWidth * float64(at-start) / float64(end-start))
	b.Unread = barWidth - b.Read
	b.Says = fmt.Sprintf("Log from offset %s to %s, position %s: %.0f %% of the log is before it.",
		b.Start, b.End, offsetText(position), float64(b.Read)*100/barWidth)
	return b
}
