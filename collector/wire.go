package collector

import (
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// wire listens to what kgo does on its connections: how many requests of each API were written,
// and which brokers were connected to anew. It is safe for concurrent use.
type wire struct {
	sent [kmsg.MaxKey + 1]atomic.Int64

	mu        sync.Mutex
	connected map[model.BrokerID]bool      // since asked last
	throttled map[model.BrokerID]time.Time // until when kgo sends nothing
}

var (
	_ kgo.HookBrokerWrite    = (*wire)(nil)
	_ kgo.HookBrokerConnect  = (*wire)(nil)
	_ kgo.HookBrokerThrottle = (*wire)(nil)
)

func newWire() *wire {
	return &wire{connected: map[model.BrokerID]bool{}, throttled: map[model.BrokerID]time.Time{}}
}

// OnBrokerWrite counts a request once it was written.
func (w *wire) OnBrokerWrite(_ kgo.BrokerMetadata, key int16, _ int, _, _ time.Duration, err error) {
	if err == nil && key >= 0 && int(key) < len(w.sent) {
		w.sent[key].Add(1)
	}
}

// counted lets a client beside the polls count its requests with theirs.
type counted struct{ wire *wire }

var _ kgo.HookBrokerWrite = counted{}

func (c counted) OnBrokerWrite(meta kgo.BrokerMetadata, key int16, bytes int, wait, write time.Duration, err error) {
	c.wire.OnBrokerWrite(meta, key, bytes, wait, write, err)
}

// OnBrokerConnect notes a new connection: the broker behind it may be of another version.
func (w *wire) OnBrokerConnect(meta kgo.BrokerMetadata, _ time.Duration, _ net.Conn, err error) {
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.connected[model.BrokerID(meta.NodeID)] = true
}

// OnBrokerThrottle notes how long kgo will wait before it writes to the broker again.
func (w *wire) OnBrokerThrottle(meta kgo.BrokerMetadata, interval time.Duration, _ bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.throttled[model.BrokerID(meta.NodeID)] = time.Now().Add(interval)
}

// isThrottled tells whether the broker asked to be left alone for longer than until now.
func (w *wire) isThrottled(id model.BrokerID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Before(w.throttled[id])
}

// takeConnected tells whether the broker was connected to since the last call.
func (w *wire) takeConnected(id model.BrokerID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.connected[id]
	delete(w.connected, id)
	return was
}

// requests is how many requests were written, by API name, without those never sent.
func (w *wire) requests() map[string]int64 {
	counts := map[string]int64{}
	for key := range w.sent {
		if n := w.sent[key].Load(); n > 0 {
			counts[kmsg.NameForKey(int16(key))] = n
		}
	}
	return counts
}
