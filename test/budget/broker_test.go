package budget

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestSteadyPollsOfARealBroker: what is counted on kfake is what a broker gets.
func TestSteadyPollsOfARealBroker(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	c := kafkatest.Start(t, kafkatest.Options{Properties: map[string]string{"log.retention.check.interval.ms": "300000"}})
	client := c.Client(kgo.RecordPartitioner(kgo.ManualPartitioner()))
	fill(t, client, func(topic string) { c.Must(c.AwaitLeaders(t.Context(), topic, partitions)) })
	config := collector.Default()
	config.Brokers = c.Addresses()
	m, stop := Start(t, config, 250*time.Millisecond)
	time.Sleep(15 * time.Second)
	stop()

	polls := m.PerPoll(20) // the first look up record times
	fast := 0
	for _, p := range polls {
		if p["ListGroups"] != 1 || p["OffsetFetch"] != 1 || p["ListOffsets"] < 1 {
			t.Fatalf("a poll without what each needs: %v", p)
		}
		if Requests(p) == 3 {
			fast++
		}
	}
	sum := Total(polls)
	t.Logf("%d of %d polls are 3 requests: %v", fast, len(polls), sum)
	if len(polls) < 20 || fast < len(polls)*9/10 {
		t.Errorf("%d of %d polls are 3 requests", fast, len(polls))
	}
}

// TestLogStartsAreReadAfterEachPass: the passes of a broker are found out and waited for. Most polls
// need not look at log starts, and a poll that comes after a pass sees what it did.
func TestLogStartsAreReadAfterEachPass(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	const interval = 500 * time.Millisecond
	c := kafkatest.Start(t, kafkatest.Options{Properties: map[string]string{"log.retention.check.interval.ms": "5000"}})
	ctx := c.Context(3 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "moving", Configs: map[string]string{"retention.ms": "10000", "segment.ms": "1000"}}))
	truth := c.Truth(50*time.Millisecond, kafkatest.Key{Topic: "moving"})
	config := collector.Default()
	config.Brokers = c.Addresses()
	m, stop := Start(t, config, interval)
	for end := time.Now().Add(55 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		first, err := c.Produce(ctx, "moving", 0, 500, time.Now())
		c.Must(err)
		c.Must(c.Commit(ctx, "reader", "moving", 0, first+1))
	}
	stop()
	truth.Stop()

	changes := truth.Changes(kafkatest.Key{Topic: "moving"})
	if len(changes) < 6 {
		t.Fatalf("only %d passes moved the log start", len(changes))
	}
	learned := model.InstantOf(changes[3].Before)
	reads, polls := 0, 0
	for i, s := range m.saw[1:] {
		if s.Started < learned {
			continue
		}
		polls++
		start, _ := s.Partitions[model.PartitionKey{Topic: "moving"}].LogStart.Get()
		if _, fresh := s.Partitions[model.PartitionKey{Topic: "moving"}].LogStart.FreshSince(s.Started); fresh {
			reads++
		}
		for _, change := range changes {
			// Two polls after a pass at the latest, the second for a reading that came while it ran.
			late := model.InstantOf(change.Before.Add(2 * interval))
			if m.saw[i].Started > late && int64(start) < change.To {
				t.Errorf("at %v the log start is %d, and it was moved to %d at %v", s.Started, start, change.To, change.Before)
			}
		}
	}
	t.Logf("%d of %d polls read the log start, which moved %d times", reads, polls, len(changes))
	if reads > polls*7/10 {
		t.Errorf("%d of %d polls read the log start", reads, polls)
	}
}
