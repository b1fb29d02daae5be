package model_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// batchesToRoll counts how many batches of 100 bytes fit before the index makes the log roll.
// Batch i is stamped stamps(i); reloadAfter, if positive, restarts after so many batches.
func batchesToRoll(t *testing.T, index model.Bytes, stamps func(i int) model.Instant, reloadAfter int) int {
	t.Helper()
	log := model.NewLog(with(func(s *model.Settings) { s.SegmentIndexBytes, s.IndexIntervalBytes = index, 100 }), 0)
	for i := range 1000 {
		appendBatch(t, log, 0, batch(log, 100, stamps(i)))
		if len(log.Segments()) == 2 {
			return i
		}
		if i+1 == reloadAfter {
			log.Reload(0)
		}
	}
	t.Fatal("never rolled")
	return 0
}

// An entry is considered for the first batch after more than the interval, here 100 bytes: for
// batches 2, 4, 6 and so on. Forty bytes hold five offset entries, or three time entries of
// which one is kept for the close.
func TestFullIndexesRoll(t *testing.T) {
	rising := func(i int) model.Instant { return model.Instant(i) }
	equal := func(int) model.Instant { return 7 }
	falling := func(i int) model.Instant { return model.Instant(1000 - i) }
	for _, c := range []struct {
		name        string
		index       model.Bytes
		stamps      func(i int) model.Instant
		reloadAfter int
		want        int
	}{
		{"two time entries at rising stamps", 40, rising, 0, 5},
		{"one time entry at equal stamps, five offset entries", 40, equal, 0, 11},
		{"one time entry at falling stamps, five offset entries", 40, falling, 0, 11},
		{"a restart writes the largest stamp as a time entry", 40, rising, 4, 4},
		{"a restart at an indexed stamp writes none", 40, rising, 3, 6},
		{"a restart starts the count of bytes again", 40, equal, 2, 13},
		{"a time index full while empty rolls at every append", 23, rising, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := batchesToRoll(t, c.index, c.stamps, c.reloadAfter); got != c.want {
				t.Errorf("%d batches fit, want %d", got, c.want)
			}
		})
	}
}

// A follower appends beyond its log end where the leader has a gap. The new segment begins at
// the batch, so the old one may go only when the high watermark has passed the gap.
func TestRollAcrossAGap(t *testing.T) {
	settings := with(bytes(0))
	settings.SegmentBytes = 100
	log := model.NewLog(settings, 0)
	appendBatch(t, log, 0, model.Batch{Base: 0, Last: 9, Size: 100})
	if err := log.Append(0, model.Batch{Base: 15, Last: 19, Size: 50}); err != nil {
		t.Fatal(err)
	}
	log.Pass(0)
	expect(t, log, 0, 0, 15)
	log.SetHighWatermark(14)
	log.Pass(0)
	expect(t, log, 0, 0, 15)
	log.SetHighWatermark(15)
	log.Pass(0)
	expect(t, log, 15, 15)
}

// An empty active segment with a full index is replaced in place, or, where the batch lies
// beyond a gap, left behind as a closed empty one.
func TestRollOfAnEmptySegment(t *testing.T) {
	log := model.NewLog(with(func(s *model.Settings) { s.SegmentIndexBytes = 12 }), 0)
	appendBatch(t, log, 0, model.Batch{Base: 0, Last: 4, Size: 10})
	expect(t, log, 0, 0)
	log = model.NewLog(log.Settings(), 0)
	appendBatch(t, log, 0, model.Batch{Base: 3, Last: 4, Size: 10})
	expect(t, log, 0, 0, 3)
}

func TestLargestStampOfASegment(t *testing.T) {
	log := model.NewLog(with(), 0)
	for i, c := range []struct {
		stamp model.Instant
		want  model.Instant
	}{{500, 500}, {499, 500}, {500, 500}, {501, 501}, {0, 501}} {
		appendBatch(t, log, 900, batch(log, 10, c.stamp))
		if got := log.Segments()[0].Stamp(); got != c.want {
			t.Errorf("after batch %d the segment is stamped %d, want %d", i, got, c.want)
		}
	}
}
