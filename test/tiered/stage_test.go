package tiered_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/watch"
)

const (
	version = "4.3.1"
	task    = time.Second // remote.log.manager.task.interval.ms
	poll    = time.Second
	gap     = 200 * time.Millisecond // between records
	length  = 62 * time.Second
)

// startTiered runs a broker that tiers into a folder of the test.
func startTiered(t *testing.T) *kafkatest.Cluster {
	return kafkatest.Start(t, kafkatest.Options{
		Version: version,
		Jars:    []string{"org.apache.kafka:kafka-storage:" + version + ":jar:test"},
		Properties: map[string]string{
			"remote.log.storage.system.enable":                         "true",
			"remote.log.storage.manager.class.name":                    "org.apache.kafka.server.log.remote.storage.LocalTieredStorage",
			"rsm.config.dir":                                           filepath.Join(t.TempDir(), "remote"),
			"remote.log.metadata.manager.listener.name":                "PLAINTEXT",
			"rlmm.config.remote.log.metadata.topic.replication.factor": "1",
			"rlmm.config.remote.log.metadata.topic.num.partitions":     "2",
			"remote.log.manager.task.interval.ms":                      fmt.Sprint(task.Milliseconds()),
		},
	})
}

// tieredTopic makes a topic with segments of a second.
func tieredTopic(ctx context.Context, c *kafkatest.Cluster, name string, configs map[string]string) {
	all := map[string]string{"remote.storage.enable": "true", "segment.ms": "1000", "file.delete.delay.ms": "500"}
	maps.Copy(all, configs)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: name, Configs: all}))
}

// stage is what was seen of some topics while records came.
type stage struct {
	c      *kafkatest.Cluster
	truth  *kafkatest.Truth
	sights []sight
	mu     sync.Mutex
	stamps map[string][]time.Time // of every record
}

// sight is one poll and the edges of every topic just after it.
type sight struct {
	watch.Sight
	at, done time.Time // before and after the poll
	tiers    map[string]tiers
}

// play makes the topics and two groups on each that commit once and then stop, and polls while
// records come.
func play(t *testing.T, c *kafkatest.Cluster, topics map[string]map[string]string) *stage {
	ctx := c.Context(length + time.Minute)
	s := &stage{c: c, stamps: map[string][]time.Time{}}
	var keys []kafkatest.Key
	for topic, configs := range topics {
		tieredTopic(ctx, c, topic, configs)
		keys = append(keys, kafkatest.Key{Topic: topic})
		s.produce(ctx, t, topic, early+3)
		c.Must(c.Commit(ctx, "early", topic, 0, early))
	}
	s.truth = c.Truth(100*time.Millisecond, keys...)
	playing, stop := context.WithTimeout(ctx, length)
	defer stop()
	var records sync.WaitGroup
	defer records.Wait()
	for topic := range topics {
		records.Go(func() {
			for every := newTicker(playing, gap); every.next(); {
				s.produce(ctx, t, topic, 1)
			}
		})
	}
	cl := c.Client()
	watcher := watch.New(t, c.Addresses(), poll)
	for every := newTicker(playing, poll); every.next(); {
		if len(s.sights) == 20 {
			c.Must(c.Commit(ctx, "late", "aged", 0, late))
		}
		one := sight{at: time.Now(), Sight: watcher.Poll(ctx), tiers: map[string]tiers{}}
		one.done = time.Now()
		for topic := range topics {
			edges, err := readTiers(ctx, cl, topic)
			c.Must(err)
			one.tiers[topic] = edges
		}
		s.sights = append(s.sights, one)
	}
	return s
}

// produce appends records with the stamp of now, one a batch.
func (s *stage) produce(ctx context.Context, t *testing.T, topic string, records int) {
	for range records {
		now := time.Now()
		if _, err := s.c.Produce(ctx, topic, 0, 100, now); err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.stamps[topic] = append(s.stamps[topic], now)
		s.mu.Unlock()
	}
}

// loss is when the total start of a topic passed an offset.
func (s *stage) loss(t *testing.T, topic string, offset int64) kafkatest.Change {
	t.Helper()
	change, ok := s.truth.Passed(kafkatest.Key{Topic: topic}, offset)
	if !ok {
		t.Fatalf("%s: offset %d is still there; moves: %+v", topic, offset, s.truth.Changes(kafkatest.Key{Topic: topic}))
	}
	return change
}

// pair is the forecast for a group that has committed.
func (s sight) pair(t *testing.T, group, topic string) predictor.Forecast {
	t.Helper()
	f, ok := s.Pair(group, topic)
	if !ok {
		t.Fatalf("nothing is said of %s on %s", group, topic)
	}
	return f
}

// ticker is a loop's clock that ends with a context.
type ticker struct {
	ctx   context.Context
	ticks *time.Ticker
}

func newTicker(ctx context.Context, gap time.Duration) ticker {
	return ticker{ctx, time.NewTicker(gap)}
}

func (t ticker) next() bool {
	select {
	case <-t.ctx.Done():
		t.ticks.Stop()
		return false
	case <-t.ticks.C:
		return true
	}
}

func timeOf(at model.Instant) time.Time { return time.UnixMilli(int64(at)) }

// outside is how far an instant lies outside the window in which a start was seen to move.
func outside(at time.Time, w kafkatest.Change) time.Duration {
	return max(w.After.Sub(at), at.Sub(w.Before), 0)
}
