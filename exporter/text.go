package exporter

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

// The registry gathers a page by copying, checking and sorting every sample: at a hundred thousand
// pairs that is seconds of work and a gigabyte of memory. What this package serves is right by
// construction (its tests hold it to the registry's word, byte by byte), so the two text formats
// are written here; the protobuf format, which few ask for, still goes through the registry.

// textFormat is what the two text formats do differently.
type textFormat struct {
	openMetrics bool
	expfmt.Format
}

// textFormatOf tells whether a negotiated format is one of those written here.
func textFormatOf(f expfmt.Format) (textFormat, bool) {
	switch {
	case f.FormatType() == expfmt.TypeTextPlain:
		return textFormat{false, f}, true
	case f.FormatType() == expfmt.TypeOpenMetrics:
		return textFormat{true, f}, true
	}
	return textFormat{}, false
}

// write writes the samples, with what others gathered between them in the order of the names.
func (t textFormat) write(to io.Writer, own samples, others []*dto.MetricFamily) error {
	w := bufio.NewWriterSize(to, 1<<16)
	encoder := expfmt.NewEncoder(w, t.Format)
	for _, f := range own.sorted() {
		for len(others) > 0 && others[0].GetName() < f.name {
			if err := encoder.Encode(others[0]); err != nil {
				return fmt.Errorf("encode %s: %w", others[0].GetName(), err)
			}
			others = others[1:]
		}
		t.writeFamily(w, f, *own.points[f])
	}
	for _, f := range others {
		if err := encoder.Encode(f); err != nil {
			return fmt.Errorf("encode %s: %w", f.GetName(), err)
		}
	}
	if closer, ok := encoder.(expfmt.Closer); ok { // OpenMetrics ends with a line of its own
		if err := closer.Close(); err != nil {
			return fmt.Errorf("end the page: %w", err)
		}
	}
	return w.Flush()
}

// sorted are the families that have samples, by name.
func (s samples) sorted() []*family {
	families := make([]*family, 0, len(s.points))
	for f := range s.points {
		families = append(families, f)
	}
	slices.SortFunc(families, func(a, b *family) int { return cmp.Compare(a.name, b.name) })
	return families
}

// writeFamily writes the comment lines and the samples. A bufio.Writer keeps its first error for
// Flush.
func (t textFormat) writeFamily(w *bufio.Writer, f *family, points []point) {
	line := w.AvailableBuffer()
	line = append(append(append(line, "# HELP "...), t.familyName(f)...), ' ')
	line = append(appendEscaped(line, f.help, t.openMetrics), '\n')
	line = append(append(append(line, "# TYPE "...), t.familyName(f)...), ' ')
	line = append(append(line, f.kindName()...), '\n')
	_, _ = w.Write(line)
	for _, p := range points {
		line = append(append(w.AvailableBuffer(), f.name...), p.labels.asText()...)
		line = append(t.appendFloat(append(line, ' '), p.value), '\n')
		_, _ = w.Write(line)
	}
}

// familyName is the name in the comment lines: OpenMetrics leaves the suffix to the sample.
func (t textFormat) familyName(f *family) string {
	if t.openMetrics && f.kind == prometheus.CounterValue {
		return strings.TrimSuffix(f.name, "_total")
	}
	return f.name
}

// appendFloat writes a number as expfmt does: the shortest form that reads back the same.
func (t textFormat) appendFloat(b []byte, v float64) []byte {
	if math.IsInf(v, 1) {
		return append(b, "+Inf"...)
	}
	before := len(b)
	b = strconv.AppendFloat(b, v, 'g', -1, 64)
	if t.openMetrics && !slices.ContainsFunc(b[before:], func(c byte) bool { return c == 'e' || c == '.' }) {
		b = append(b, ".0"...)
	}
	return b
}

// appendEscaped writes a help text or, with quotes escaped too, a label value.
func appendEscaped(b []byte, s string, quotes bool) []byte {
	if !strings.ContainsAny(s, "\\\n\"") {
		return append(b, s...)
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			b = append(b, `\\`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '"' && quotes:
			b = append(b, `\"`...)
		default:
			b = append(b, c)
		}
	}
	return b
}
