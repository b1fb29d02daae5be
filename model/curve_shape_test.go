package model_test

import (
	"math"
	"testing"

	"kafka-retention-exporter/model"
)

// Records grow steadily, from 100 bytes at first to three times as much. Of the log before the watch
// only the sum is seen: the curve must not take it for even once both its ends are known.
func TestByteCurveBendsWhatItNeverSaw(t *testing.T) {
	upTo := func(o model.Offset) model.Bytes { return model.Bytes(100*float64(o) + 0.01*float64(o)*float64(o)) }
	const watched, end = model.Offset(8000), model.Offset(10_000)
	var c model.ByteCurve
	read := func(start, end model.Offset) {
		c.Observe(model.SizeRead{Bytes: upTo(end) - upTo(start), EndBefore: end, EndAfter: end, LogStart: start, Still: true}, true)
	}
	far := func() (most float64) {
		first, _ := c.At(1000)
		for o := model.Offset(1000); o <= watched; o += 100 {
			at, ok := c.At(o)
			if back, found := c.Offset(at); !ok || !found || back < o-1 || back > o+1 {
				t.Fatalf("the bytes up to %d are %d (%v), and up to these lies %d (%v)", o, at, ok, back, found)
			}
			most = max(most, math.Abs(float64(at-first)-float64(upTo(o)-upTo(1000))))
		}
		return most
	}
	read(0, watched)
	even := far()
	for o := watched + 100; o <= end; o += 100 {
		read(0, o)
	}
	read(1000, end)
	if bent := far(); bent > even/8 {
		t.Errorf("it is off by %.0f bytes at most, and by %.0f while it knows nothing but the sum", bent, even)
	}
}
