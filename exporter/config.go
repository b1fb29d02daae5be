package exporter

import (
	"fmt"
	"time"

	"kafka-retention-exporter/model"
)

// Config is what the poll loop needs to know.
type Config struct {
	// PollInterval is the time from the start of one poll to the start of the next.
	PollInterval time.Duration
	// SizesEvery is how seldom the source reads sizes where no size limit needs them. Up to
	// that age a size is not stale as long as its broker answers.
	SizesEvery time.Duration
	// StateFile is where what was learned survives a restart; none if empty.
	StateFile string
	// Metrics is how much /metrics says.
	Metrics Shape
}

// The shortest patience of each kind, for polls that follow each other within a second or so.
const (
	minDeadline = 5 * time.Second
	minKeep     = 10 * time.Second
)

// minInterval keeps a slip of the pen from becoming a load on the cluster.
const minInterval = 100 * time.Millisecond

// Validate reports what is wrong with the configuration, if anything.
func (c *Config) Validate() error {
	if c.PollInterval < minInterval {
		return fmt.Errorf("must be at least %s (got %s)", minInterval, c.PollInterval)
	}
	return nil
}

// deadline is the time one poll may take before what it still waits for counts as unanswered.
func (c *Config) deadline() time.Duration { return max(c.PollInterval, minDeadline) }

// keep is how long a value that could not be read again is still served: three poll intervals,
// never less than 10 s (metrics.md "Stale").
func (c *Config) keep() model.Millis { return model.MillisOf(max(3*c.PollInterval, minKeep)) }

// patience is how long the loop may go without starting or ending a poll before the process
// calls itself unhealthy: five intervals, but never less than two full polls.
func (c *Config) patience() time.Duration {
	return max(5*c.PollInterval, 2*c.deadline())
}
