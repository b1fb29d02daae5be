package exporter

import (
	"errors"
	"io/fs"
	"log/slog"
	"sync"

	"kafka-retention-exporter/memory"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// keepEvery is how often at most what was learned is written down without need. What was lost is
// written down at once: no request tells it again.
const keepEvery = model.Millis(300_000)

// keeper writes down what the predictor learned, and gives it back after a restart. Nothing about
// a file stops the exporter: what cannot be read or written is said once, and done without.
type keeper struct {
	path   string // none is kept if empty
	logger *slog.Logger

	found   predictor.Memory // what was in the file, until it is recalled
	damage  memory.Damage
	missing bool // there was nothing to recall
	opened  bool // that is over
	refused bool // it is not ours to overwrite
	kept    model.Instant
	losses  losses // as of the last memory that was written

	saving sync.WaitGroup
	mu     sync.Mutex
	busy   bool
	failed bool // the last time, so that it is said once
}

// losses sums up what must not be forgotten.
type losses struct {
	offsets int64
	pairs   int // that are lost at present
}

func lossesOf(r *predictor.Report) (l losses) {
	for i := range r.Pairs {
		l.offsets += r.Pairs[i].LostOffsets
		if state, ok := r.Pairs[i].State.Get(); ok && state == predictor.Lost {
			l.pairs++
		}
	}
	return l
}

// load reads the file. A large one takes seconds, which are not to be those of a poll.
func (k *keeper) load() {
	if k.path == "" {
		return
	}
	var err error
	k.found, k.damage, err = memory.Load(k.path)
	k.missing = err != nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		k.refused = errors.Is(err, memory.ErrForeign)
		k.logger.Warn("State file not used, and not overwritten if it is someone else's", "file", k.path, "err", err)
	}
}

// recall gives the predictor what was kept of the cluster, before it sees the first poll.
func (k *keeper) recall(p Predictor, cluster string) {
	if k.path == "" || k.opened {
		return
	}
	m, damage := k.found, k.damage
	k.opened, k.found = true, predictor.Memory{}
	switch {
	case k.missing:
		return
	case m.Cluster != cluster && !damage.Header:
		k.refused = true
		k.logger.Warn("State file is of another cluster: neither used nor overwritten", "file", k.path, "cluster_id", m.Cluster, "want", cluster)
		return
	case damage.Any():
		k.logger.Warn("State file is damaged: the rest of it is used", "file", k.path, "lines", damage.Lines, "torn", damage.Torn)
	}
	p.Recall(m)
}

// keep writes down what there is to keep, if it is time to. Polls do not wait for the disk.
func (k *keeper) keep(p Predictor, report *predictor.Report) {
	if report == nil || !k.keeps() {
		return
	}
	lost := lossesOf(report)
	if lost == k.losses && k.kept > 0 && report.At.Sub(k.kept) < keepEvery || !k.begin() {
		return
	}
	k.kept, k.losses = report.At, lost
	m := p.Memory()
	k.saving.Go(func() { k.end(memory.Save(k.path, m)) })
}

// close writes down the last of it.
func (k *keeper) close(p Predictor) {
	k.saving.Wait()
	if k.keeps() && k.kept > 0 && k.begin() {
		k.end(memory.Save(k.path, p.Memory()))
	}
}

func (k *keeper) keeps() bool { return k.path != "" && k.opened && !k.refused }

// begin tells whether a file may be written now: one at a time.
func (k *keeper) begin() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.busy {
		return false
	}
	k.busy = true
	return true
}

func (k *keeper) end(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.busy = false
	if err != nil && !k.failed {
		k.logger.Warn("State file not written", "err", err)
	}
	k.failed = err != nil
}
