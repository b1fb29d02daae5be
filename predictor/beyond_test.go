package predictor

import (
	"testing"

	"kafka-retention-exporter/model"
)

// A group that was set to the log start is behind by all that the log holds, and a log holds up to a
// segment more than its limit. One that reads faster than records come gains on it all the same; one
// that does not loses some once it is that far behind today's end.
func TestLargerLogThanItsLimitIsNoLossBeyondIt(t *testing.T) {
	const hour = 3_600_000
	var ends model.Growth
	for h := range int64(30) {
		ends.Add(model.Instant(h*hour), h*1000)
	}
	end, now, _ := ends.Last()
	b := beyond{
		ends: &ends, now: now, end: float64(end), at: float64(end) - 12_000, life: 10 * hour,
		unread: 10_000, seasonal: 24_000, share: 1,
	}
	fast := b
	fast.perMs = 3000. / hour
	if d, ok := fast.follow(); ok {
		t.Errorf("a group that gains on the log loses after %v h", d/hour)
	}
	slow := b
	slow.at, slow.perMs = b.end, 500./hour
	if d, ok := slow.follow(); !ok || d < 19*hour || d > 21*hour {
		t.Errorf("a group that falls back by 500 records an hour loses 10000 later after %v h (%v)", d/hour, ok)
	}
}
