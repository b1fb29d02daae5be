package sim

import "testing"

// TestGoingOnLosesNoEarlierThanStopping plays an episode of one giant segment, in which what is behind
// a position used to be told to go before the position itself.
func TestGoingOnLosesNoEarlierThanStopping(t *testing.T) {
	episode := Play(Draw(family(t, "delete_records"), short, 11))
	for i := range episode.Polls {
		p := &episode.Polls[i]
		stopped, ok := p.Said.Stopped.Get()
		if loss, told := p.Said.Loss.Get(); ok && told && loss < stopped {
			t.Fatalf("poll %d: lost at %d if it goes on, at %d if it stops", i, loss, stopped)
		}
	}
}
