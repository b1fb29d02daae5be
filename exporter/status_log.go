package exporter

import (
	"fmt"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// The drawing of a log in its own units; the page scales it.
const (
	logWidth = 960
	maxBoxes = 240 // more segments than that are drawn several to a box
	maxLines = 60  // of the table that says the same in numbers
)

// logPicture is a log as it lies on the broker, segment by segment.
type logPicture struct {
	Known    bool
	Says     string
	Boxes    []box
	Start    mark // of the log
	Position mark // of the group
	Lines    []segmentLine
	More     int // segments without a line
}

// box is one segment, or several that lie too close to be told apart.
type box struct {
	X, Width float64
	Class    string // next, read, at, unread, or plain where the position is not known
}

// mark is a place in a drawing with a label that stays inside.
type mark struct {
	X      float64
	Anchor string // of the label: start, middle or end
	Text   string
}

type segmentLine struct {
	From, To, Size string
	Newest, Goes   string
}

// scale maps offsets to the drawing.
type scale struct{ from, to model.Offset }

func (s scale) x(o model.Offset) float64 {
	if s.to <= s.from {
		return 0
	}
	return round(logWidth * float64(min(max(o, s.from), s.to)-s.from) / float64(s.to-s.from))
}

// round to a tenth keeps the page small and the same on every machine.
func round(x float64) float64 { return float64(int(x*10+0.5)) / 10 }

func logPictureOf(f predictor.Forecast, log predictor.Log, now model.Instant) logPicture {
	start, end := log.Marks.Start, log.Marks.HighWatermark
	s := scale{start, end}
	position, ok := f.Position.Get()
	if ok {
		s = scale{min(start, position), max(end, position)}
	}
	p := logPicture{Known: true, Start: s.mark(start, "log start "+offsetText(start))}
	if ok {
		p.Position = s.mark(position, "group at "+offsetText(position))
	}
	for i := range log.Segments {
		from, to := span(log, i)
		class := segmentClass(log, i, f.Position)
		p.Boxes = append(p.Boxes, box{s.x(from), round(s.x(to) - s.x(from)), class})
		if len(p.Lines) < maxLines {
			p.Lines = append(p.Lines, lineOf(log, i, now))
		}
	}
	p.More = len(log.Segments) - len(p.Lines)
	p.Boxes = merged(p.Boxes)
	p.Says = fmt.Sprintf("%s from offset %s to %s; the group stands at %s.",
		plural(int64(len(log.Segments)), "segment"), offsetText(start), offsetText(end), known(f.Position, offsetText))
	return p
}

// span is what a segment has of the log: its base may lie below the log start.
func span(log predictor.Log, i int) (from, to model.Offset) {
	from = max(log.Marks.Start, log.Segments[i].Base)
	return from, max(from, model.Upper(log.Segments, i, log.Marks.HighWatermark))
}

func segmentClass(log predictor.Log, i int, where model.Maybe[model.Offset]) string {
	from, to := span(log, i)
	position, known := where.Get()
	switch {
	case log.Goes != nil && log.Goes[i] != model.Forever && log.Goes[i] == log.Goes[0]:
		return "next"
	case !known:
		return "plain"
	case position >= to:
		return "read"
	case position >= from:
		return "at"
	}
	return "unread"
}

func lineOf(log predictor.Log, i int, now model.Instant) segmentLine {
	from, to := span(log, i)
	seg := log.Segments[i]
	l := segmentLine{From: offsetText(from), To: offsetText(to - 1), Size: "unknown", Newest: "unknown", Goes: "unknown"}
	if to == from {
		l.To = "empty"
	}
	if log.Sized {
		l.Size = bytesText(seg.Size)
	}
	if seg.Stamped {
		l.Newest = momentOf(seg.Largest).Text
	}
	if log.Goes != nil {
		l.Goes = goesText(log.Goes[i], now)
	}
	return l
}

func goesText(at, now model.Instant) string {
	switch {
	case at == model.Forever:
		return "never"
	case at <= now:
		return "with the next pass"
	}
	return "in " + inWords(float64(at.Sub(now))/1000)
}

// merged draws neighbours of one class as one box where there are too many to be told apart.
func merged(boxes []box) []box {
	if len(boxes) <= maxBoxes {
		return boxes
	}
	out := boxes[:1:1]
	for _, b := range boxes[1:] {
		if last := &out[len(out)-1]; last.Class == b.Class {
			last.Width = round(b.X + b.Width - last.X)
		} else {
			out = append(out, b)
		}
	}
	return out
}

func (s scale) mark(o model.Offset, text string) mark {
	m := mark{X: s.x(o), Anchor: "middle", Text: text}
	switch {
	case m.X < logWidth/6:
		m.Anchor = "start"
	case m.X > logWidth*5/6:
		m.Anchor = "end"
	}
	return m
}
