package predictor

import "kafka-retention-exporter/model"

// The defaults of Kafka, assumed where a broker does not show its own.
const (
	defaultCheckInterval  = model.Millis(300_000) // log.retention.check.interval.ms
	defaultCleanerBackoff = model.Millis(15_000)  // log.cleaner.backoff.ms
	defaultRemoteTask     = model.Millis(30_000)  // remote.log.manager.task.interval.ms
)

// passInterval is how often a pass visits the partition (broker.md 4.1, 4.2, 7.4).
func passInterval(b model.Broker, settings model.Maybe[model.Settings]) model.Millis {
	set, _ := settings.Get()
	known, _ := b.Settings.Get()
	switch {
	case set.Policy.Compacts():
		return orDefault(known.CleanerBackoff, defaultCleanerBackoff)
	case set.Tiered:
		return orDefault(known.RemoteTaskMs, defaultRemoteTask)
	default:
		return orDefault(known.CheckInterval, defaultCheckInterval)
	}
}

func orDefault(d, def model.Millis) model.Millis {
	if d > 0 {
		return d
	}
	return def
}

// nextPass is the first pass at or after t, as nearly as it is known.
func (p *partition) nextPass(t model.Instant) model.Instant {
	if t == model.Forever || p.check <= 0 {
		return t
	}
	if p.phase == nil {
		return t.Add(p.check / 2)
	}
	return p.phase.next(t, p.check)
}

// actsOn is the pass that is expected to act on what is due, never one that is over.
func (p *partition) actsOn(due, now model.Instant) model.Instant { return p.nextPass(max(due, now)) }
