package main

import (
	"os"
	"testing"
	"time"
)

// TestClockTakesThreadsByName: a program without threads of a broker has its whole time twice.
func TestClockTakesThreadsByName(t *testing.T) {
	c, err := clockOf(os.Getpid())
	if err != nil || c.whole != c.asked {
		t.Errorf("%+v, %v", c, err)
	}
	for name, want := range map[string]bool{
		"data-plane-kafk": true, "group-coordinat": true, "GC Thread#1": true, "G1 Conc#0": true, "VM Thread": true,
		"C2 CompilerThre": false, "kafka-1-raft-io": false, "kafka-scheduler": false, "java": false,
	} {
		if got := worksForRequests(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestRestIsTakenByItsShare: 300 ms in 10 s of which 20 a second are the broker's own, over two polls.
func TestRestIsTakenByItsShare(t *testing.T) {
	got := less(clock{300 * time.Millisecond, 100 * time.Millisecond}, 10*time.Second, clock{80 * time.Millisecond, 0}, 4*time.Second, 2)
	if want := (spent{50, 50}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
