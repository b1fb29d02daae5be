package large

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/test/budget"
)

// TestLargeClusterIsThreeRequestsAPoll is the size that the budget is told for: 10,000 partitions and
// 200 groups on 50 each, one broker. Once record times are looked up, four polls of five are the
// groups, their offsets and the ends, and nothing else; what comes beside has a clock of its own.
func TestLargeClusterIsThreeRequestsAPoll(t *testing.T) {
	if testing.Short() {
		t.Skip("a quarter of a minute of a processor")
	}
	const interval, learning = 10 * time.Second, 10
	synctest.Test(t, func(t *testing.T) {
		m, stop := budget.Start(t, largeCluster(t), interval)
		time.Sleep(15 * time.Minute)
		synctest.Wait()
		stop()
		polls := m.PerPoll(learning)
		beside := map[string]int64{}
		fast := 0
		for _, p := range polls {
			n := budget.Requests(p)
			if n < 3 || p["ListGroups"] != 1 || p["OffsetFetch"] != 1 || p["ListOffsets"] < 1 {
				t.Fatalf("a poll without what each needs: %v", p)
			}
			if n == 3 {
				fast++
				continue
			}
			for api, n := range p {
				beside[api] += n
			}
		}
		t.Logf("%d of %d polls are 3 requests; the others together: %v", fast, len(polls), beside)
		if len(polls) < 75 || fast*10 < len(polls)*7 {
			t.Errorf("%d of %d polls are 3 requests, want seven of ten", fast, len(polls))
		}
		if mean := float64(budget.Requests(budget.Total(polls))) / float64(len(polls)); mean > 4 {
			t.Errorf("%.2f requests a poll, want no more than 4", mean)
		}
	})
}

// largeCluster is a thousand topics of ten partitions under a broker's own settings.
func largeCluster(t *testing.T) collector.Config {
	t.Helper()
	var network kfake.VirtualNetwork
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.Ports(9092), kfake.ListenFn(network.Listen),
		kfake.BrokerConfigs(map[string]string{"log.cleaner.backoff.ms": "315360000000", "log.retention.check.interval.ms": "300000"}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.Dialer(network.DialContext),
		kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DisableClientMetrics())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	fillLarge(t, client)
	config := collector.Default()
	config.Brokers, config.Dial = cluster.ListenAddrs(), network.DialContext
	return config
}

func fillLarge(t *testing.T, client *kgo.Client) {
	t.Helper()
	const topics, each, groups = 1000, 10, 200
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	admin := kadm.NewClient(client)
	names := make([]string, topics)
	for i := range names {
		names[i] = fmt.Sprintf("topic-%d", i)
	}
	for some := range slices.Chunk(names, 100) {
		if _, err := admin.CreateTopics(ctx, each, 1, nil, some...); err != nil {
			t.Fatal(err)
		}
		var records []*kgo.Record
		for _, name := range some {
			for p := range int32(each) {
				for hour := range 6 {
					stamp := time.Now().Add(-time.Duration(24-4*hour) * time.Hour)
					records = append(records, &kgo.Record{Topic: name, Partition: p, Value: []byte("0123456789"), Timestamp: stamp})
				}
			}
		}
		if err := client.ProduceSync(ctx, records...).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	for g := range groups {
		offsets := kadm.Offsets{}
		for i := range 5 * each {
			offsets.Add(kadm.Offset{Topic: names[(5*g+i/each)%topics], Partition: int32(i % each), At: int64(g % 6), LeaderEpoch: -1})
		}
		if err := admin.CommitAllOffsets(ctx, fmt.Sprintf("group-%d", g), offsets); err != nil {
			t.Fatal(err)
		}
	}
}
