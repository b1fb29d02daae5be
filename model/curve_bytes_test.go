package model_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// Records of one size roll at exact multiples (LogSegment.shouldRoll: the last that fits stays), so
// striding from base to base along the curve must not creep by rounding.
func TestByteCurveStridesWithoutCreeping(t *testing.T) {
	const perSegment = 30
	for record := model.Bytes(200); record < 400; record++ {
		var c model.ByteCurve
		for end := model.Offset(7); end < 5000; end += model.Offset(3 + end%5) {
			c.Observe(model.SizeRead{Bytes: model.Bytes(end) * record, EndBefore: end, EndAfter: end, Still: true}, true)
		}
		for base := model.Offset(0); base < 4900; base += perSegment {
			at, _ := c.At(base)
			if next, ok := c.Offset(at + perSegment*record); !ok || next != base+perSegment {
				t.Fatalf("records of %d: the base after %d is at %d (%t), want %d", record, base, next, ok, base+perSegment)
			}
		}
	}
}
