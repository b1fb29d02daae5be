package command_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/answers"
	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/command"
)

// behind is a cluster of two brokers of which the second goes on with the default of a topic's
// retention, as one does that has lost the controller, until it has caught up. No real broker can
// be held in that state while it answers.
type behind struct {
	*kfake.Cluster
	client   *kgo.Client
	caughtUp atomic.Bool
}

func newBehind(t *testing.T) *behind {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(2), kfake.BrokerConfigs(map[string]string{
		"log.cleaner.backoff.ms": "315360000000", "log.retention.check.interval.ms": "1000", // kfake's own retention must not run
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	b := &behind{Cluster: cluster}
	if b.client, err = kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.client.Close)
	retention := "86400000"
	if _, err := kadm.NewClient(b.client).CreateTopic(t.Context(), 1, 2, map[string]*string{"retention.ms": &retention}, "orders"); err != nil {
		t.Fatal(err)
	}
	cluster.ControlKey(int16(kmsg.DescribeConfigs), b.describe)
	return b
}

// describe answers for the second broker with what the first says, but for the topic's setting.
func (b *behind) describe(r kmsg.Request) (response kmsg.Response, err error, handled bool) {
	b.KeepControl()
	if b.CurrentNode() != 1 || b.caughtUp.Load() {
		return nil, nil, false
	}
	b.SleepControl(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		response, err = b.client.Broker(0).Request(ctx, r)
	})
	if err != nil {
		return nil, err, true
	}
	answer := response.(*kmsg.DescribeConfigsResponse)
	for i := range answer.Resources {
		for j := range answer.Resources[i].Configs {
			if c := &answer.Resources[i].Configs[j]; c.Name == "retention.ms" {
				week := "604800000"
				c.Value, c.Source = &week, kmsg.ConfigSourceDefaultConfig
			}
		}
	}
	return answer, nil, true
}

func check(t *testing.T, b *behind) []answers.Finding {
	t.Helper()
	config := collector.Default()
	config.Brokers = b.ListenAddrs()
	seen, err := command.Look(t.Context(), config, time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer seen.Close()
	out, err := seen.Check(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(out.Findings, func(f answers.Finding) bool { return f.Finding != "not_applied" })
}

func TestChangeThatAReplicaDoesNotApplyIsFoundUntilItDoes(t *testing.T) {
	b := newBehind(t)
	found := check(t, b)
	if len(found) != 1 || !strings.Contains(found[0].Evidence, "broker 1 applies retention.ms=604800000") || !strings.Contains(found[0].Cure[0], "HOST_OF_BROKER_1") {
		t.Errorf("%+v", found)
	}
	b.caughtUp.Store(true)
	if still := check(t, b); len(still) > 0 {
		t.Errorf("still there: %+v", still)
	}
}
