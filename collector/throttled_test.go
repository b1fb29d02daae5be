package collector_test

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestRealBrokerThatThrottles gives the exporter's client id next to none of a broker's time. That is
// said as what it is, keeps what was known, and ends with the quota.
func TestRealBrokerThatThrottles(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{})
	ctx := c.Context(3 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "orders"}))
	_, err := c.Produce(ctx, "orders", 0, 100, time.Now())
	c.Must(err)
	c.Must(c.Commit(ctx, "billing", "orders", 0, 0))
	config := collector.Default()
	config.Brokers = c.Addresses()
	// A broker lets one wait for the length of its window at most, a second.
	config.BrokerDeadline = 500 * time.Millisecond
	source := newCollector(t, config)
	pollFor(ctx, t, source, "all of it", func(s *model.Snapshot) bool { return len(s.Problems) == 0 && whole(s, "orders") })

	quota := func(remove bool) {
		id := config.ClientID
		altered, err := c.Admin().AlterClientQuotas(ctx, []kadm.AlterClientQuotaEntry{{
			Entity: kadm.ClientQuotaEntity{{Type: "client-id", Name: &id}},
			Ops:    []kadm.AlterClientQuotaOp{{Key: "request_percentage", Value: 0.001, Remove: remove}},
		}})
		c.Must(err)
		for _, one := range altered {
			c.Must(one.Err)
		}
	}
	quota(false)
	said := func(s *model.Snapshot, cause string) (found bool) {
		for _, p := range s.Problems {
			found = found || p.Cause == cause
		}
		return found
	}
	s := pollFor(ctx, t, source, "that the broker throttles", func(s *model.Snapshot) bool { return said(s, "throttled") })
	value(t, "commit", s.Groups["billing"].Offsets[key("orders", 0)])
	value(t, "end", s.Partitions[key("orders", 0)].End)
	if took := s.At.Sub(s.Started); took > 2*model.MillisOf(config.BrokerDeadline)+5000 {
		t.Errorf("the poll took %d ms", took)
	}

	quota(true)
	pollFor(ctx, t, source, "all of it again", func(s *model.Snapshot) bool { return len(s.Problems) == 0 && whole(s, "orders") })
}
