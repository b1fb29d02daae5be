package predictor

import (
	"testing"

	"kafka-retention-exporter/model"
)

// TestTrailReachesAsFarAsOffsetsDo: positions are as they came while they are within 2^32 of the
// first, and beyond that off by no more than the span's 2^32nd part; the last one always is.
func TestTrailReachesAsFarAsOffsetsDo(t *testing.T) {
	for _, step := range []model.Offset{1, 1 << 20, 1 << 30, 1 << 50} {
		var tr trail
		was := map[model.Instant]model.Offset{}
		for i := range 5 * maxTrail {
			at, position := model.Instant(1000*i), 7+step*model.Offset(i)
			was[at] = position
			tr.add(at, position)
			if when, last := tr.last(); when != at || last != position {
				t.Fatalf("steps of %d: the last is %d at %d, want %d at %d", step, last, when, position, at)
			}
		}
		exact := was[tr.at(tr.len()-1)]-was[tr.at(0)] < 1<<32 && step < 1<<26
		for i := range tr.len() {
			want, got := was[tr.at(i)], tr.position(i)
			off := want - got
			if off < 0 || exact && off != 0 || off > 2*(tr.newest-tr.base)>>31 {
				t.Errorf("steps of %d: at %d it is %d, want %d", step, tr.at(i), got, want)
			}
		}
	}
}
