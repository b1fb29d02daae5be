package scenario

import (
	"context"
	"slices"
	"sync"
	"time"
)

// produce appends a record at every beat until the context ends. A beat that comes late is made up
// for, with the stamp it should have had.
func (p *play) produce(ctx context.Context) error {
	next := time.Now()
	for sleepUntil(ctx, next) {
		p.topic.RLock()
		err := p.beat(ctx, next)
		p.topic.RUnlock()
		if err != nil {
			return err
		}
		next = next.Add(p.spec.Producer.Every)
	}
	return nil
}

// beat appends what is due at an instant.
func (p *play) beat(ctx context.Context, at time.Time) error {
	n := p.spec.Producer.count(at.Sub(p.zero))
	if n <= 0 {
		return nil
	}
	err := p.append(ctx, slices.Repeat([]time.Time{at.Add(-p.spec.Producer.Late)}, n)...)
	if p.writer != nil && ctx.Err() == nil {
		return nil // a transaction that a restart of the broker broke: the next one is another
	}
	return err
}

// append writes one batch and remembers its stamps.
func (p *play) append(ctx context.Context, stamps ...time.Time) error {
	write := p.ops.Produce
	if p.writer != nil {
		write = p.writer.produce
	}
	first, err := write(ctx, p.spec.Name, 0, p.spec.Producer.Size, stamps...)
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

// at is the stamp of a record, of the next one where a transaction's marker has the offset; ok is
// false if there is none yet.
func (h *history) at(offset int64) (stamp time.Time, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for offset >= 0 && offset < int64(len(h.stamps)) {
		if !h.stamps[offset].IsZero() {
			return h.stamps[offset], true
		}
		offset++
	}
	return time.Time{}, false
}

// since is the offset of the first record with that stamp or a later one, the end if there is none.
func (h *history) since(stamp time.Time) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, s := range h.stamps {
		if !s.Before(stamp) {
			return int64(i)
		}
	}
	return int64(len(h.stamps))
}

// clear forgets a topic that is gone.
func (h *history) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stamps = nil
}
