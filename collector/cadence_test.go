package collector_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"kafka-retention-exporter/collector"
)

func TestWhatChangesSeldomIsReadAtItsOwnPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var network kfake.VirtualNetwork
		cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.Ports(1), kfake.ListenFn(network.Listen), kfake.SeedTopics(1, "orders"),
			kfake.BrokerConfigs(map[string]string{"log.cleaner.backoff.ms": "315360000000", "log.retention.check.interval.ms": "1000"}))
		if err != nil {
			t.Fatal(err)
		}
		defer cluster.Close()
		config := collector.Default()
		config.Brokers, config.Dial = cluster.ListenAddrs(), network.DialContext
		c := newCollector(t, config)
		defer c.Close() // before the bubble ends

		pollWhole(t, c, wall)
		first := c.Requests()
		const minutes = 20
		for range 2 * minutes {
			time.Sleep(30 * time.Second)
			pollWhole(t, c, wall)
		}
		now := c.Requests()
		for api, expected := range map[string]int64{
			"ListGroups": 2 * minutes, "DescribeConfigs": minutes, "DescribeLogDirs": minutes / 10,
		} {
			if got := now[api] - first[api]; got != expected {
				t.Errorf("%s: %d in %d minutes, want %d", api, got, minutes, expected)
			}
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
