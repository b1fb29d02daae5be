package advice

import (
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// settling are topics under a steady producer whose limits act after some seconds.
type settling struct {
	since  time.Time
	topics map[string]map[string]string
	rule   map[string]string
}

const (
	settleTime = 26 * time.Second // until every limit has acted for a while
	watchTime  = 22 * time.Second
)

func startSettling(t *testing.T, c *kafkatest.Cluster) settling {
	s := settling{
		since: time.Now(),
		topics: map[string]map[string]string{
			"settles-by-time": {"retention.ms": "15000", "segment.ms": "2000"},
			"settles-by-size": {"retention.ms": "-1", "retention.bytes": "300000", "segment.ms": "2000"},
			"settles-by-both": {"retention.ms": "15000", "retention.bytes": "250000", "segment.ms": "2000"},
		},
		rule: map[string]string{"settles-by-time": "time", "settles-by-size": "size", "settles-by-both": "size"},
	}
	for topic, configs := range s.topics {
		c.Must(c.CreateTopic(c.Context(30*time.Second), kafkatest.Topic{Name: topic, Configs: configs}))
		every(t, c, topic, 50*time.Millisecond, 1000)
	}
	return s
}

// compare plans, and holds the mean and the most of the sizes over a while against it.
func (s settling) compare(t *testing.T, c *kafkatest.Cluster) {
	time.Sleep(time.Until(s.since.Add(settleTime)))
	seen := look(t, c)
	sum, most, n := map[string]int64{}, map[string]int64{}, int64(0)
	for end := time.Now().Add(watchTime); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		for topic := range s.topics {
			size := sizes(t, c, 1, topic)[0]
			sum[topic] += size
			most[topic] = max(most[topic], size)
		}
		n++
	}
	for topic := range s.topics {
		t.Run("plan/"+topic, func(t *testing.T) {
			plan, err := seen.Plan(c.Context(time.Minute), topic, 0, nil)
			if err != nil || len(plan.Topics) != 1 || len(plan.Topics[0].Partitions) != 1 {
				t.Fatalf("%+v: %v", plan, err)
			}
			p, mean := plan.Topics[0].Partitions[0], float64(sum[topic])/float64(n)
			t.Logf("%s rule: mean %d, settled at %.0f (%+.1f %%); most %d, was %d; %.0f bytes a second", p.Rule, p.Mean, mean, 100*(float64(p.Mean)/mean-1), p.Most, most[topic], p.Rate)
			if off := float64(p.Mean)/mean - 1; off > 0.05 || off < -0.05 || p.Rule != s.rule[topic] {
				t.Errorf("by the %s rule, %+.1f %% off", p.Rule, 100*off)
			}
			if float64(most[topic]) > 1.05*float64(p.Most) || most[topic] < p.Least {
				t.Errorf("most %d, said %d; least said %d", most[topic], p.Most, p.Least)
			}
		})
	}
}
