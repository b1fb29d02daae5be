package budget

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
)

const (
	topics     = 20
	partitions = 6
	groups     = 40
)

// TestSteadyPollsKeepToTheirBudget watches a quiet cluster for half an hour: whatever the number
// of topics and groups, most polls are three requests to each broker, and all of them five on
// average.
func TestSteadyPollsKeepToTheirBudget(t *testing.T) {
	for _, c := range []struct {
		brokers  int
		interval time.Duration
	}{{1, 10 * time.Second}, {1, 30 * time.Second}, {3, 10 * time.Second}, {3, 30 * time.Second}} {
		t.Run(fmt.Sprintf("%d brokers, every %v", c.brokers, c.interval), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				config := quietCluster(t, c.brokers)
				m, stop := Start(t, config, c.interval)
				time.Sleep(40 * time.Minute)
				synctest.Wait()
				stop()
				b := int64(c.brokers)
				polls := m.PerPoll(int(10 * time.Minute / c.interval))
				fast := 0
				for _, p := range polls {
					if p["ListGroups"] != b || p["OffsetFetch"] != b || p["ListOffsets"] < b {
						t.Fatalf("a poll without what each needs: %v", p)
					}
					if Requests(p) == 3*b {
						fast++
					}
				}
				sum := Total(polls)
				mean := float64(Requests(sum)) / float64(len(polls))
				t.Logf("%d of %d polls are %d requests, %.2f on average: %v", fast, len(polls), 3*b, mean, sum)
				if mean > 5*float64(b) {
					t.Errorf("%.2f requests a poll, want at most %d", mean, 5*b)
				}
				if want := len(polls) / 3; fast < want {
					t.Errorf("%d of %d polls are no more than three requests a broker, want %d", fast, len(polls), want)
				}
				for i, s := range m.saw {
					if age := oldestStart(s); age > 300_000+model.MillisOf(c.interval) {
						t.Errorf("poll %d: a log start is %d ms old", i, age)
					}
				}
			})
		})
	}
}

// quietCluster is topics of all kinds with records of the last day, and groups all over them, none
// of which is near a loss.
func quietCluster(t *testing.T, brokers int) collector.Config {
	t.Helper()
	var network kfake.VirtualNetwork
	ports := make([]int, brokers)
	for i := range ports {
		ports[i] = 9092 + i
	}
	cluster, err := kfake.NewCluster(kfake.NumBrokers(brokers), kfake.Ports(ports...), kfake.ListenFn(network.Listen),
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
	fill(t, client, nil)
	client.Close()
	config := collector.Default()
	config.Brokers, config.Dial = cluster.ListenAddrs(), network.DialContext
	return config
}

// fill makes topics and groups. A real broker needs to be waited for after each topic.
func fill(t *testing.T, client *kgo.Client, made func(topic string)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	admin := kadm.NewClient(client)
	week, cap, compact := "604800000", "1000000000", "compact"
	kinds := []map[string]*string{{"retention.ms": &week}, {"retention.ms": &week, "retention.bytes": &cap}, {"cleanup.policy": &compact}}
	var records []*kgo.Record
	for i := range topics {
		name := fmt.Sprintf("topic-%d", i)
		if _, err := admin.CreateTopic(ctx, partitions, 1, kinds[i%len(kinds)], name); err != nil {
			t.Fatal(err)
		}
		if made != nil {
			made(name)
		}
		for p := range int32(partitions) {
			for hour := range 24 {
				stamp := time.Now().Add(-time.Duration(24-hour) * time.Hour)
				records = append(records, &kgo.Record{Topic: name, Partition: p, Key: []byte("k"), Value: []byte("0123456789"), Timestamp: stamp})
			}
		}
	}
	if err := client.ProduceSync(ctx, records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
	for g := range groups {
		offsets := kadm.Offsets{}
		for p := range int32(partitions) {
			for _, topic := range []int{g % topics, (g + 7) % topics} {
				offsets.Add(kadm.Offset{Topic: fmt.Sprintf("topic-%d", topic), Partition: p, At: int64(g % 24), LeaderEpoch: -1})
			}
		}
		if err := admin.CommitAllOffsets(ctx, fmt.Sprintf("group-%d", g), offsets); err != nil {
			t.Fatal(err)
		}
	}
}
