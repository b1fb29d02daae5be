package model_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// manySegments are 10,000 segments of 100 bytes, stamped one tick apart.
func manySegments() ([]model.Segment, model.Marks) {
	const n = 10_000
	segments := make([]model.Segment, n)
	for i := range segments {
		segments[i] = seg(model.Offset(i), 100, model.Instant(i))
	}
	return segments, model.Marks{HighWatermark: n, End: n}
}

// wholePasses are passes that read the most: every segment, by one rule or by several.
var wholePasses = []struct {
	name     string
	start    model.Offset
	settings model.Settings
	deleted  int
}{
	{"keeps all", 0, with(ms(1<<62), bytes(1<<40)), 0},
	{"start takes all but one", 10_000, with(ms(1<<62), bytes(1<<40)), 9_999},
	{"size takes all", 0, with(ms(1<<62), bytes(0)), 10_000},
	{"time takes all", 0, with(ms(1), bytes(1<<40)), 10_000},
	{"half by size, half by time", 0, with(ms(1), bytes(500_000)), 10_000},
}

func TestAPassAllocatesNothing(t *testing.T) {
	segments, at := manySegments()
	for _, c := range wholePasses {
		t.Run(c.name, func(t *testing.T) {
			at.Start = c.start
			var verdict model.Verdict
			allocs := testing.AllocsPerRun(3, func() {
				verdict = model.Decide(segments, at, c.settings, far, newest)
			})
			if allocs != 0 || verdict.Deleted != c.deleted {
				t.Errorf("%v allocations, %d deleted, want 0 and %d", allocs, verdict.Deleted, c.deleted)
			}
		})
	}
}

// BenchmarkPass is one pass over 10,000 segments; the aim is 50 microseconds.
func BenchmarkPass(b *testing.B) {
	segments, at := manySegments()
	for _, c := range wholePasses {
		b.Run(c.name, func(b *testing.B) {
			at.Start = c.start
			b.ReportAllocs()
			for b.Loop() {
				model.Decide(segments, at, c.settings, far, newest)
			}
		})
	}
}

// BenchmarkMillionAppends is a million appends with a pass after every hundred; the aim is one
// second.
func BenchmarkMillionAppends(b *testing.B) {
	settings := with(ms(3_600_000), bytes(1<<20))
	settings.SegmentBytes = 10_000
	for b.Loop() {
		log := model.NewLog(settings, 0)
		for i := range model.Instant(1_000_000) {
			if err := log.Append(i, batch(log, 500, i)); err != nil {
				b.Fatal(err)
			}
			log.SetHighWatermark(log.End())
			if i%100 == 99 {
				log.Pass(i)
			}
		}
	}
}
