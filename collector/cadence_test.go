package collector_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector"
)

func TestWhatChangesSeldomIsReadAtItsOwnPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var network kfake.VirtualNetwork
		cluster, err := kfake.NewCluster(kfake.NumBrokers(2), kfake.Ports(1, 2), kfake.ListenFn(network.Listen), kfake.SeedTopics(1, "orders"),
			kfake.BrokerConfigs(map[string]string{"log.cleaner.backoff.ms": "315360000000", "log.retention.check.interval.ms": "1000"}))
		if err != nil {
			t.Fatal(err)
		}
		defer cluster.Close()
		var followers atomic.Int64
		cluster.ControlKey(int16(kmsg.ListOffsets), func(r kmsg.Request) (kmsg.Response, error, bool) {
			cluster.KeepControl()
			if r.(*kmsg.ListOffsetsRequest).ReplicaID == -2 {
				followers.Add(1)
			}
			return nil, nil, false
		})
		config := collector.Default()
		config.Brokers, config.Dial = cluster.ListenAddrs(), network.DialContext
		c := newCollector(t, config)
		defer c.Close() // before the bubble ends

		pollWhole(t, c, wall)
		first, asked := c.Requests(), followers.Load()
		const minutes = 20
		for range 2 * minutes {
			time.Sleep(30 * time.Second)
			pollWhole(t, c, wall)
		}
		now := c.Requests()
		const brokers = 2 // of which one follows
		for api, expected := range map[string]int64{
			"ListGroups": 2 * minutes * brokers, "DescribeConfigs": minutes * brokers, "DescribeLogDirs": minutes / 10 * brokers,
		} {
			if got := now[api] - first[api]; got != expected {
				t.Errorf("%s: %d in %d minutes, want %d", api, got, minutes, expected)
			}
		}
		if got := followers.Load() - asked; got != minutes/5 {
			t.Errorf("followers were asked %d times in %d minutes, want one in five", got, minutes)
		}
		// kgo looks at metadata by itself every five minutes.
		if got := now["Metadata"] - first["Metadata"]; got < minutes || got > minutes+minutes/5 {
			t.Errorf("Metadata: %d in %d minutes, want one a minute", got, minutes)
		}
		// kgo asks a configured address for metadata now and then, over a connection of its own.
		if got := now["ApiVersions"] - first["ApiVersions"]; got > 2 {
			t.Errorf("connections were made anew between polls: %d more version exchanges", got)
		}
	})
}
