// Package division lets several exporters divide a cluster among themselves by Kafka's own means:
// they are members of one ordinary consumer group that subscribes to __consumer_offsets and
// fetches nothing. Whoever is assigned a partition of it answers for the consumer groups that the
// broker keeps there, and for the topics whose names fall on it likewise. Membership, failure
// detection and rebalancing are the group coordinator's.
//
// The protocol is the classic one, whose session timeout the client chooses: 6 s, the shortest that
// brokers allow by default (group.min.session.timeout.ms). Under KIP-848 the broker's timeout
// counts, 45 s by default. Assignments are cooperative and sticky, so that few things move.
//
// Needed beside the rights of every exporter: READ on that one group. No record is read, nothing
// is committed.
package division

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/model"
)

// Topic is what is divided.
const Topic = "__consumer_offsets"

// SessionTimeout is how long a member may be silent before what it had is given to others.
const SessionTimeout = 6 * time.Second

const heartbeatInterval = time.Second

// lostPatience is how long a member that lost the group, and cannot get back, still answers for
// what it had. The group may be away for a moment, as when its coordinator restarts, and what was
// learned would be lost; seen twice for that long is better than not seen. Once back in the group,
// only the new assignment counts.
const lostPatience = time.Minute

// leaveTimeout is how long a farewell may take. Without one, the others wait for the session to end.
const leaveTimeout = 2 * time.Second

// Member is one exporter in the group. It is safe for concurrent use.
type Member struct {
	client *kgo.Client

	mu       sync.Mutex
	mine     map[int32]bool
	lost     time.Time // when the group was lost; zero while in it
	trouble  error     // that lost it
	assigned chan struct{}
	once     sync.Once
}

var _ kgo.HookGroupManageError = (*Member)(nil)

// Join becomes a member of the group, in the background. The options are how to connect.
func Join(group string, connection ...kgo.Opt) (*Member, error) {
	m := &Member{mine: map[int32]bool{}, assigned: make(chan struct{})}
	client, err := kgo.NewClient(append(slices.Clone(connection),
		kgo.ConsumerGroup(group),
		kgo.ConsumeTopics(Topic),
		kgo.DisableAutoCommit(),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtEnd()),
		kgo.Balancers(kgo.CooperativeStickyBalancer()),
		kgo.SessionTimeout(SessionTimeout),
		kgo.HeartbeatInterval(heartbeatInterval),
		kgo.OnPartitionsAssigned(m.onAssigned),
		kgo.OnPartitionsRevoked(m.onRevoked),
		kgo.OnPartitionsLost(m.onLost),
		kgo.WithHooks(m),
	)...)
	if err != nil {
		return nil, fmt.Errorf("configure membership in group %s: %w", group, err)
	}
	// Before anything was assigned, so that nothing is ever fetched.
	client.PauseFetchTopics(Topic)
	m.client = client
	return m, nil
}

// Portion is what this member answers for at the moment, of as many partitions as the topic has.
func (m *Member) Portion(of int32) model.Portion {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.lost.IsZero() && time.Since(m.lost) > lostPatience {
		return model.PortionOf(of, nil)
	}
	return model.PortionOf(of, slices.Collect(maps.Keys(m.mine)))
}

// Err is what keeps the member out of the group, nil while it is in it or on its way.
func (m *Member) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.trouble
}

// Await waits until the group has assigned something for the first time, or ctx ends.
func (m *Member) Await(ctx context.Context) {
	select {
	case <-m.assigned:
	case <-ctx.Done():
	}
}

// Close leaves the group, so that the others need not wait for the session to end.
func (m *Member) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTimeout)
	defer cancel()
	_ = m.client.LeaveGroupContext(ctx) // nobody is left to be told
	m.client.Close()
}

func (m *Member) onAssigned(_ context.Context, _ *kgo.Client, added map[string][]int32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.lost.IsZero() { // back again: everything it has now is among the added
		clear(m.mine)
	}
	m.lost, m.trouble = time.Time{}, nil
	for _, partition := range added[Topic] {
		m.mine[partition] = true
	}
	m.once.Do(func() { close(m.assigned) })
}

func (m *Member) onRevoked(_ context.Context, _ *kgo.Client, revoked map[string][]int32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, partition := range revoked[Topic] {
		delete(m.mine, partition)
	}
}

func (m *Member) onLost(context.Context, *kgo.Client, map[string][]int32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lost.IsZero() {
		m.lost = time.Now()
	}
}

// OnGroupManageError notes why the group was lost; kgo tries again by itself.
func (m *Member) OnGroupManageError(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trouble = err
}
