package collector_test

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// adds makes the answers about a kind of resource have one more setting, or lack one ("no ...").
func (f *fake) adds(kind kmsg.ConfigResourceType, name string) (end func()) {
	return f.answer(kmsg.DescribeConfigs, func(r kmsg.Request) kmsg.Response {
		response := r.ResponseKind().(*kmsg.DescribeConfigsResponse)
		add := func(names map[string]string) { names[name] = "false" }
		if hidden, hides := strings.CutPrefix(name, "no "); hides {
			add = func(names map[string]string) { delete(names, hidden) }
		}
		for _, asked := range r.(*kmsg.DescribeConfigsRequest).Resources {
			one := kmsg.NewDescribeConfigsResponseResource()
			one.ResourceType, one.ResourceName = asked.ResourceType, asked.ResourceName
			names := map[string]string{"log.retention.check.interval.ms": "300000", "log.cleaner.backoff.ms": "15000", "offsets.retention.minutes": "10080", "offsets.retention.check.interval.ms": "600000"}
			if asked.ResourceType == kmsg.ConfigResourceTypeTopic {
				names = map[string]string{"cleanup.policy": "delete", "retention.ms": "1000", "retention.bytes": "-1", "segment.bytes": "1000", "segment.ms": "1000", "message.timestamp.type": "CreateTime"}
			}
			if asked.ResourceType == kind {
				add(names)
			}
			for k, v := range names {
				c := kmsg.NewDescribeConfigsResponseResourceConfig()
				c.Name, c.Value = k, &v
				one.Configs = append(one.Configs, c)
			}
			response.Resources = append(response.Resources, one)
		}
		return response
	})
}

// TestBrokerIsUnverifiedByWhatItsConfigurationBetrays: by a setting that Apache Kafka does not have,
// on the topics or the brokers, and until the broker tells otherwise.
func TestBrokerIsUnverifiedByWhatItsConfigurationBetrays(t *testing.T) {
	for _, c := range []struct {
		kind   kmsg.ConfigResourceType
		name   string
		assume bool
		sign   string
	}{
		{kmsg.ConfigResourceTypeTopic, "redpanda.remote.read", false, "redpanda.remote.read"},
		{kmsg.ConfigResourceTypeTopic, "confluent.tier.enable", false, "confluent.tier.enable"},
		{kmsg.ConfigResourceTypeBroker, "confluent.tier.feature", false, "confluent.tier.feature"},
		{kmsg.ConfigResourceTypeBroker, "elasticstream.enable", false, "elasticstream.enable"},
		{kmsg.ConfigResourceTypeTopic, "redpanda.remote.read", true, ""},
		{kmsg.ConfigResourceTypeTopic, "compression.type", false, ""},
	} {
		f := newFake(t, kfake.NumBrokers(1))
		f.topic("orders", nil, 0)
		config := f.config()
		config.AssumeApache = c.assume
		collector := newCollector(t, config)
		now := clock()
		end := f.adds(c.kind, c.name)
		if got := pollWhole(t, collector, now).Brokers[0].Unverified; got != c.sign {
			t.Errorf("%s, assume %v: betrayed by %q, want %q", c.name, c.assume, got, c.sign)
		}
		end()
		if got := pollWhole(t, collector, now).Brokers[0].Unverified; got != "" {
			t.Errorf("%s: still betrayed by %q", c.name, got)
		}
	}
}

// TestBrokerThatHidesItsPassesIsUnverified: every Apache Kafka tells the interval between them.
func TestBrokerThatHidesItsPassesIsUnverified(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	defer f.adds(kmsg.ConfigResourceTypeBroker, "no log.retention.check.interval.ms")()
	s := poll(t, newCollector(t, f.config()), clock())
	if got := s.Brokers[0].Unverified; got != "no log.retention.check.interval.ms" {
		t.Errorf("betrayed by %q", got)
	}
}
