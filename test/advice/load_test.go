package advice

import (
	"context"
	"sync"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// every produces one record at every beat until the test ends.
func every(t *testing.T, c *kafkatest.Cluster, topic string, beat time.Duration, size int) {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		for next := time.Now(); ctx.Err() == nil; next = next.Add(beat) {
			time.Sleep(time.Until(next))
			if _, err := c.Produce(ctx, topic, 0, size, next); err != nil && ctx.Err() == nil {
				t.Errorf("produce: %v", err)
				return
			}
		}
	})
	t.Cleanup(func() { cancel(); done.Wait() })
}

// load are topics under load whose change is tried once they have some history.
type load struct {
	since  time.Time
	topics map[string]loaded
}

type loaded struct {
	setting, value string
	segment        int64 // offsets of one, about
}

const (
	loadBeat    = 50 * time.Millisecond
	loadSegment = 4 * time.Second
)

func startLoad(t *testing.T, c *kafkatest.Cluster) load {
	perSegment := int64(loadSegment / loadBeat)
	l := load{since: time.Now(), topics: map[string]loaded{
		"load-time": {"retention.ms", "8000", perSegment},
		"load-size": {"retention.bytes", "40000", perSegment},
	}}
	for topic := range l.topics {
		c.Must(c.CreateTopic(c.Context(30*time.Second), kafkatest.Topic{Name: topic, Configs: map[string]string{"retention.ms": "-1", "segment.ms": "4000"}}))
		every(t, c, topic, loadBeat, 200)
	}
	return l
}

// compare asks, changes at once, and compares the first step of the log start with what was said.
func (l load) compare(t *testing.T, c *kafkatest.Cluster) {
	time.Sleep(time.Until(l.since.Add(20 * time.Second)))
	var names []string
	for topic := range l.topics {
		names = append(names, topic)
	}
	seen := look(t, c, names...)
	for topic, change := range l.topics {
		t.Run("under load/"+topic, func(t *testing.T) {
			c := c.For(t)
			truth := c.Truth(50*time.Millisecond, kafkatest.Key{Topic: topic})
			said := whatIf(t, c, seen, topic, change.setting+"="+change.value)
			c.Must(c.AlterTopic(c.Context(30*time.Second), topic, map[string]string{change.setting: change.value}))
			step, err := truth.AwaitChange(c.Context(20*time.Second), kafkatest.Key{Topic: topic}, func(kafkatest.Change) bool { return true })
			c.Must(err)
			if off := said.Partitions[0].After - step.To; off > change.segment+2 || -off > change.segment+2 {
				t.Errorf("said %d, the pass went to %d: more than a segment of %d apart", said.Partitions[0].After, step.To, change.segment)
			}
			t.Logf("said %d, was %d, a segment is %d", said.Partitions[0].After, step.To, change.segment)
		})
	}
}
