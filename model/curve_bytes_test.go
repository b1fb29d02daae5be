package model_test

import (
	"math/rand"
	"testing"

	"kafka-retention-exporter/model"
)

// Records of one size roll at exact multiples (LogSegment.shouldRoll: the last that fits stays), so
// striding from base to base along the curve must not creep by rounding.
func TestByteCurveStridesWithoutCreeping(t *testing.T) {
	const perSegment = 30
	for record := model.Bytes(200); record < 400; record++ {
		var c model.ByteCurve
		for end := model.Offset(7); end < 5000; end += 3 + end%5 {
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

// A record that comes while a size is read makes it unclear which end the size goes with. Bases
// told from such readings, through deletions too, must still lie where the log rolled, as long as
// one reading in three is sharp.
func TestByteCurveBasesSurviveRecordsThatComeWhileItIsRead(t *testing.T) {
	const record, perSegment, kept = 271, 30, 270
	for seed := range int64(50) {
		random := rand.New(rand.NewSource(seed))
		var c model.ByteCurve
		var start model.Offset
		blurred := 0
		for end := model.Offset(300); end < 3000; end += model.Offset(3 + random.Intn(5)) {
			if end-start >= kept+perSegment {
				start += perSegment
			}
			r := model.SizeRead{EndBefore: end, EndAfter: end, LogStart: start, Still: true}
			counted := end
			if blurred++; blurred > 2 || random.Intn(4) > 0 {
				blurred = 0
			} else {
				r.EndAfter++
				counted += model.Offset(random.Intn(2))
			}
			r.Bytes = record * model.Bytes(counted-start)
			if !c.Observe(r, true) || end < 400 {
				continue
			}
			for base := start; base+perSegment <= end; base += perSegment {
				at, _ := c.At(base)
				if settled, _ := c.Settled(); at+perSegment*record > settled {
					break
				}
				if next, ok := c.Offset(at + perSegment*record); !ok || next != base+perSegment {
					t.Fatalf("seed %d, log [%d, %d): the base after %d is at %d (%t)", seed, start, end, base, next, ok)
				}
			}
		}
	}
}
