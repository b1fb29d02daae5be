package scenario

import (
	"context"
	"sync"
	"time"
)

// produce appends a record at every beat until the context ends. A beat that comes late is made up
// for, with the stamp it should have had.
func (p *play) produce(ctx context.Context) error {
	next := time.Now()
	for sleepUntil(ctx, next) {
		p.topic.RLock()
		err := p.append(ctx, next.Add(-p.spec.Producer.Late))
		p.topic.RUnlock()
		if err != nil {
			return err
		}
		next = next.Add(p.spec.Producer.Every)
	}
	return nil
}

// append writes one batch and remembers its stamps.
func (p *play) append(ctx context.Context, stamps ...time.Time) error {
	first, err := p.ops.Produce(ctx, p.spec.Name, 0, p.spec.Producer.Size, stamps...)
	if err != nil {
		return err
	}
	p.history.add(first, stamps)
	return nil
}

// history holds the stamps of a topic's records by offset, as they were produced.
type history struct {
	mu     sync.Mutex
	stamps []time.Time // index is the offset; zero where nothing was told
}

func (h *history) add(first int64, stamps []time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for need := first + int64(len(stamps)); int64(len(h.stamps)) < need; {
		h.stamps = append(h.stamps, time.Time{})
	}
	copy(h.stamps[first:], stamps)
}

// end is the offset after the last record.
func (h *history) end() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return int64(len(h.stamps))
}

// at is the stamp of a record; ok is false if there is none yet.
func (h *history) at(offset int64) (stamp time.Time, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if offset < 0 || offset >= int64(len(h.stamps)) {
		return time.Time{}, false
	}
	return h.stamps[offset], true
}

// clear forgets a topic that is gone.
func (h *history) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stamps = nil
}
