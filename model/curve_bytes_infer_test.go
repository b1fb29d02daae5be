package model_test

import (
	"math"
	"testing"

	"kafka-retention-exporter/model"
)

// Records are large by day and small by night. Of what comes while a segment is deleted the bytes are
// inferred, and what that is off by adds up in the oldest segments: they must still measure what they
// hold, and the bounds must hold it.
func TestByteCurveMeasuresOldSegmentsOfRecordsThatChange(t *testing.T) {
	const perSegment, kept, period = 100, 1500, 3000
	total := func(o model.Offset) model.Bytes { // the sum of 3000 + 600 sin
		x := 2 * math.Pi / period
		return model.Bytes(3000*float64(o) + 600/x*(1-math.Cos(x*float64(o))))
	}
	var c model.ByteCurve
	start, worst := model.Offset(0), 0.0
	for end := model.Offset(20); end < 4*period; end += 20 {
		if end-start >= kept+perSegment {
			start += perSegment
		}
		c.Observe(model.SizeRead{Bytes: total(end) - total(start), EndBefore: end, EndAfter: end, LogStart: start, Still: true}, true)
		if end < 2*period {
			continue
		}
		from, _ := c.At(start)
		upTo, _ := c.At(start + perSegment)
		held := total(start+perSegment) - total(start)
		worst = max(worst, math.Abs(float64(upTo-from)/float64(held)-1))
		if most, ok := c.Most(start + perSegment); ok && most-from < held {
			t.Fatalf("log [%d, %d): the oldest segment has at most %d bytes, and holds %d", start, end, most-from, held)
		}
		if least := c.Least(start + perSegment); least-from > held {
			t.Fatalf("log [%d, %d): the oldest segment has at least %d bytes, and holds %d", start, end, least-from, held)
		}
	}
	if worst > 0.05 {
		t.Errorf("the oldest segment is off by up to %.1f %%", 100*worst)
	}
}
