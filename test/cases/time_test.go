package cases_test

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// perSecond are ten samples of the log starts a second.
const perSecond = 100 * time.Millisecond

// timeCases are those of old and of future stamps.
func timeCases(t *testing.T, c *kafkatest.Cluster) {
	t.Run("case 17: a backfilled record alone goes at the first pass", func(t *testing.T) { parallel(t, c, backfillAlone) })
	t.Run("case 18: a younger record in its segment keeps it", func(t *testing.T) { parallel(t, c, keptByYounger) })
	t.Run("case 19: the marker of its transaction keeps it in the same segment", func(t *testing.T) {
		parallel(t, c, func(t *testing.T, c *kafkatest.Cluster) { marked(t, c, "marked", 30*day) })
	})
	t.Run("case 19: a marker further ahead than segment.ms is in the next one", func(t *testing.T) {
		parallel(t, c, func(t *testing.T, c *kafkatest.Cluster) { marked(t, c, "rolled", 7*day) })
	})
	t.Run("case 20: a stamp one hour ahead is accepted, one further ahead is not", func(t *testing.T) { parallel(t, c, farFuture) })
	t.Run("case 20: a future stamp blocks all behind it until it is old", func(t *testing.T) { parallel(t, c, blocker) })
	t.Run("case 21: silence does not keep the active segment", func(t *testing.T) { parallel(t, c, silence) })
}

// parallel runs a case beside the others on the same brokers.
func parallel(t *testing.T, c *kafkatest.Cluster, show func(*testing.T, *kafkatest.Cluster)) {
	t.Parallel()
	show(t, c.For(t))
}

func backfillAlone(_ *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "backfill", Configs: map[string]string{"retention.ms": "604800000"}}))
	truth := c.Truth(perSecond, kafkatest.Key{Topic: "backfill"})
	_, err := c.Produce(ctx, "backfill", 0, 10, time.Now().Add(-8*day))
	c.Must(err)
	movedTo(ctx, c, truth, "backfill", 1)
}

// keptByYounger appends a record that is 20 s from its expiry, and then one that is long past it.
func keptByYounger(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "mixed", Configs: map[string]string{"retention.ms": "604800000"}}))
	truth := c.Truth(perSecond, kafkatest.Key{Topic: "mixed"})
	due := time.Now().Add(20 * time.Second)
	for offset, stamp := range []time.Time{due.Add(-7 * day), due.Add(-8 * day)} {
		at, err := c.Produce(ctx, "mixed", 0, 10, stamp)
		c.Must(err)
		if at != int64(offset) {
			t.Fatalf("appended at %d, want %d", at, offset)
		}
	}
	notBefore(t, movedTo(ctx, c, truth, "mixed", 2), 0, due)
}

// marked commits a transaction with a record stamped eight days ago, and switches retention on
// only then: the record alone would have been deleted while the transaction was open (case 17).
// The marker is stamped by the broker's clock, and rolls as any other batch does.
func marked(t *testing.T, c *kafkatest.Cluster, topic string, segment time.Duration) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: topic, Configs: map[string]string{
		"retention.ms": "-1", "segment.ms": strconv.FormatInt(segment.Milliseconds(), 10),
	}}))
	truth := c.Truth(perSecond, kafkatest.Key{Topic: topic})
	cl := c.Client(kgo.TransactionalID(topic), kgo.DefaultProduceTopic(topic))
	c.Must(cl.BeginTransaction())
	c.Must(cl.ProduceSync(ctx, &kgo.Record{Value: []byte("old"), Timestamp: time.Now().Add(-8 * day)}).FirstErr())
	ending := time.Now().Truncate(time.Millisecond)
	c.Must(cl.EndTransaction(ctx, kgo.TryCommit))
	const retention = 10 * time.Second
	c.Must(c.AlterTopic(ctx, topic, map[string]string{"retention.ms": "10000"}))
	from := int64(0)
	if segment < 8*day {
		from = 1
	}
	notBefore(t, movedTo(ctx, c, truth, topic, 2), from, ending.Add(retention))
}

// farFuture goes by the broker's clock, which can only be later than the test's when it judges:
// what is an hour ahead of the test is not more ahead of the broker.
func farFuture(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "future"}))
	if _, err := c.Produce(ctx, "future", 0, 10, time.Now().Truncate(time.Millisecond).Add(time.Hour)); err != nil {
		t.Errorf("an hour ahead: %v", err)
	}
	if _, err := c.Produce(ctx, "future", 0, 10, time.Now().Add(time.Hour+5*time.Minute)); !errors.Is(err, kerr.InvalidTimestamp) {
		t.Errorf("an hour and five minutes ahead: %v, want INVALID_TIMESTAMP", err)
	}
}

// blocker has a stamp of the future in its first segment and old ones in the two behind it.
func blocker(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "blocked", Configs: map[string]string{"retention.ms": "2000", "internal.segment.bytes": "1000"}}))
	truth := c.Truth(perSecond, kafkatest.Key{Topic: "blocked"})
	now := time.Now().Truncate(time.Millisecond)
	future := now.Add(15 * time.Second)
	for _, stamp := range []time.Time{future, now.Add(-8 * day), now.Add(-8 * day)} {
		_, err := c.Produce(ctx, "blocked", 0, 800, stamp)
		c.Must(err)
	}
	notBefore(t, movedTo(ctx, c, truth, "blocked", 3), 0, future.Add(2*time.Second))
}

// silence: segment.ms is a week and plays no part.
func silence(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "silence", Configs: map[string]string{"retention.ms": "5000", "segment.ms": "604800000"}}))
	truth := c.Truth(perSecond, kafkatest.Key{Topic: "silence"})
	now := time.Now().Truncate(time.Millisecond)
	_, err := c.Produce(ctx, "silence", 0, 10, now)
	c.Must(err)
	notBefore(t, movedTo(ctx, c, truth, "silence", 1), 0, now.Add(5*time.Second))
}

// notBefore expects one move from the given start, seen only after an instant.
func notBefore(t *testing.T, move kafkatest.Change, from int64, due time.Time) {
	t.Helper()
	if move.From != from {
		t.Errorf("the start moved from %d, want one move from %d", move.From, from)
	}
	if !move.Before.After(due) {
		t.Errorf("gone by %v, due only after %v", move.Before, due)
	}
}
