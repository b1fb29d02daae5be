package versions

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kversion"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// TestEveryReleaseIsServedInFull watches brokers that know no more than a release does: each group
// has its floor, runway and loss, sizes and record times included, and nothing is a problem.
func TestEveryReleaseIsServedInFull(t *testing.T) {
	for _, version := range []string{"2.8", "3.3", "3.9", "4.0", "4.4"} {
		t.Run(version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var network kfake.VirtualNetwork
				cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.Ports(1), kfake.ListenFn(network.Listen),
					kfake.MaxVersions(kversion.FromString(version)),
					kfake.BrokerConfigs(map[string]string{"log.cleaner.backoff.ms": "315360000000", "log.retention.check.interval.ms": "300000"}))
				if err != nil {
					t.Fatal(err)
				}
				defer cluster.Close()
				client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.Dialer(network.DialContext), kgo.DisableClientMetrics(), kgo.RecordPartitioner(kgo.ManualPartitioner()))
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				config := collector.Default()
				config.Brokers, config.Dial = cluster.ListenAddrs(), network.DialContext
				source, err := collector.New(config)
				if err != nil {
					t.Fatal(err)
				}
				defer source.Close()
				watchRelease(t, client, source)
			})
		})
	}
}

// watchRelease produces and commits for some minutes, and polls all the while as the program does.
func watchRelease(t *testing.T, client *kgo.Client, source *collector.Collector) {
	t.Helper()
	admin, ctx := kadm.NewClient(client), t.Context()
	hour, cap := "3600000", "100000"
	for name, configs := range map[string]map[string]*string{"timed": {"retention.ms": &hour}, "sized": {"retention.ms": &hour, "retention.bytes": &cap}} {
		if _, err := admin.CreateTopic(ctx, 1, 1, configs, name); err != nil {
			t.Fatal(err)
		}
	}
	now := func() model.Instant { return model.InstantOf(time.Now()) }
	pred := predictor.New(predictor.Config{Poll: 30_000})
	var report *predictor.Report
	for poll := range int64(20) {
		for _, name := range []string{"timed", "sized"} {
			for range 10 {
				if err := client.ProduceSync(ctx, &kgo.Record{Topic: name, Value: make([]byte, 100), Timestamp: time.Now()}).FirstErr(); err != nil {
					t.Fatal(err)
				}
			}
			commit(ctx, t, admin, name, poll*5)
		}
		s := source.Poll(ctx, now)
		if len(s.Problems) > 0 {
			t.Fatalf("problems: %+v", s.Problems)
		}
		pred.Observe(s)
		for range 20 {
			answers, problems := source.RecordTimes(ctx, now, pred.Questions(100))
			if len(problems) > 0 {
				t.Fatalf("problems: %+v", problems)
			}
			if len(answers) == 0 {
				break
			}
			pred.Learn(answers)
		}
		report = pred.Report(now())
		source.Attend(report.Attention)
		time.Sleep(30 * time.Second)
	}
	if len(report.Pairs) != 4 {
		t.Fatalf("%d pairs, want 4", len(report.Pairs))
	}
	for _, f := range report.Pairs {
		if !f.Floor.IsKnown() || !f.Stopped.IsKnown() || !f.Loss.IsKnown() || !f.Used.IsKnown() || !f.Lag.IsKnown() {
			t.Errorf("%v: %+v", f.Key, f)
		}
	}
}

// commit commits for two groups on a topic, so that old brokers take more than one request.
func commit(ctx context.Context, t *testing.T, admin *kadm.Client, topic string, offset int64) {
	t.Helper()
	for i := range 2 {
		offsets := kadm.Offsets{}
		offsets.Add(kadm.Offset{Topic: topic, At: offset, LeaderEpoch: -1})
		if err := admin.CommitAllOffsets(ctx, fmt.Sprintf("%s-%d", topic, i), offsets); err != nil {
			t.Fatal(err)
		}
	}
}
