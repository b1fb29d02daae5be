package world

import "time"

// The compressed world: a minute of retention instead of a week.
const (
	Topic         = "orders"
	Retention     = 60 * time.Second
	CheckInterval = 2 * time.Second
	segmentTime   = 6 * time.Second
	// history is how far back records are written before the start: beyond the retention, so
	// that the first pass has something to delete.
	history    = Retention + 4*segmentTime
	beat       = 250 * time.Millisecond // one batch
	beatSize   = 5                      // records
	recordSize = 120                    // bytes
	perSecond  = float64(beatSize) * float64(time.Second) / float64(beat)
)

// role is what a group does: acts that repeat, and how far it is behind at the start.
type role struct {
	group  string
	behind time.Duration
	acts   []act
}

// act is one way of reading for a while.
type act struct {
	lasts  time.Duration
	pace   float64       // records read for each one that is produced; 0 is a standstill
	behind time.Duration // the group does not come closer to the end than this
	// restarted groups go on at the log start where their position is gone. The others fail
	// there and stay where they are, as with auto.offset.reset=none.
	restarted bool
}

const fast = 20 // as fast as it takes to catch up at once

// cast is who plays. Each of the four is a story that operators know.
func cast() []role {
	return []role{
		{group: "billing", acts: []act{ // keeps up
			{lasts: time.Hour, pace: fast, restarted: true},
		}},
		{group: "analytics", behind: 20 * time.Second, acts: []act{ // too slow, until somebody adds instances
			{lasts: 140 * time.Second, pace: 0.6},
			{lasts: 20 * time.Second, pace: fast, behind: 20 * time.Second, restarted: true},
		}},
		{group: "audit", acts: []act{ // stops after a deployment
			{lasts: 25 * time.Second, pace: fast, restarted: true},
			{lasts: 110 * time.Second, pace: 0},
			{lasts: 25 * time.Second, pace: fast, restarted: true},
		}},
		{group: "exports", behind: 15 * time.Second, acts: []act{ // hung before the demo began
			{lasts: 70 * time.Second, pace: 0},
			{lasts: 20 * time.Second, pace: fast, behind: 15 * time.Second, restarted: true},
		}},
	}
}

// at is the act that is on so long after the start.
func (r role) at(since time.Duration) act {
	whole := time.Duration(0)
	for _, a := range r.acts {
		whole += a.lasts
	}
	since %= whole
	for _, a := range r.acts {
		if since < a.lasts {
			return a
		}
		since -= a.lasts
	}
	return r.acts[0]
}
