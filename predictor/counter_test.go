package predictor_test

import (
	"math/rand"
	"testing"

	"kafka-retention-exporter/model"
)

// The counter is what its formula makes of the polls, and nothing else: here groups of all
// speeds read, stand, are overtaken and go on from the log start, often between two polls.
func TestTheCounterOfLossesIsItsFormula(t *testing.T) {
	for seed := range int64(6) {
		random := rand.New(rand.NewSource(seed))
		s, g := busy(t)
		s.end, s.start, g.position = 10_000, 0, 4000
		s.at(0)
		counted, lost, want, moved := s.start, false, int64(0), false
		for i := range model.Millis(40) {
			s.end += 1000
			if random.Intn(4) == 0 {
				s.start += model.Offset(random.Intn(6000))
				s.start = min(s.start, s.end)
			}
			switch random.Intn(4) {
			case 0:
				g.position = min(s.end, g.position+model.Offset(random.Intn(3000)))
			case 1:
				g.position = min(s.end, max(g.position, s.start+model.Offset(random.Intn(30))))
			}
			s.at((i + 1) * pollGap)
			if gap := s.start - g.position; gap != 1 || lost {
				want += int64(max(0, s.start-max(g.position, counted)))
				counted, lost = max(counted, s.start), gap > 0
			}
			moved = moved || want > 0
			if f := s.of("g"); f.LostOffsets != want {
				t.Fatalf("seed %d, poll %d: %d offsets are counted lost, want %d", seed, i+1, f.LostOffsets, want)
			}
		}
		if !moved {
			t.Errorf("seed %d: nothing is lost", seed)
		}
	}
}
