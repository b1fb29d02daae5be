package fakebroker_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/test/fakebroker"
)

var orders = model.PartitionKey{Topic: "orders"}

// inBubble runs a test on a cluster in virtual time.
func inBubble(t *testing.T, o fakebroker.Options, test func(t *testing.T, c *fakebroker.Cluster)) {
	synctest.Test(t, func(t *testing.T) {
		o.Network = &kfake.VirtualNetwork{}
		c, err := fakebroker.Start(t.Context(), o)
		must(t, err)
		defer func() { must(t, c.Close()) }()
		test(t, c)
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func now() model.Instant { return model.InstantOf(time.Now()) }

// produce appends one batch with a record for each stamp.
func produce(t *testing.T, c *fakebroker.Cluster, stamps ...model.Instant) {
	t.Helper()
	records := make([]fakebroker.Record, len(stamps))
	for i, s := range stamps {
		records[i] = fakebroker.Record{Stamp: s, Value: make([]byte, 100)}
	}
	_, err := c.Produce(t.Context(), orders.Topic, 0, records...)
	must(t, err)
}

// oldest is the stamp of the record at the log start, as a client finds it.
func oldest(t *testing.T, admin *kadm.Client) time.Time {
	t.Helper()
	listed, err := admin.ListOffsetsAfterMilli(t.Context(), 0, orders.Topic)
	must(t, err)
	at, ok := listed.Lookup(orders.Topic, 0)
	if !ok || at.Err != nil {
		t.Fatalf("list oldest record: %+v", at)
	}
	return time.UnixMilli(at.Timestamp)
}

func client(t *testing.T, c *fakebroker.Cluster, more ...kgo.Opt) *kgo.Client {
	t.Helper()
	made, err := kgo.NewClient(append(c.ClientOptions(), more...)...)
	must(t, err)
	return made
}

func TestOldestRecordAgesInTheSawtoothOfABroker(t *testing.T) {
	o := fakebroker.Options{Brokers: 3, CheckInterval: 5 * time.Minute, Phase: 77 * time.Second}
	inBubble(t, o, func(t *testing.T, c *fakebroker.Cluster) {
		must(t, c.CreateTopic(t.Context(), "orders", 1, map[string]string{"retention.ms": "21600000", "segment.ms": "3600000"}))
		admin := kadm.NewClient(client(t, c))
		defer admin.Close()
		youngest, eldest := time.Hour*1000, time.Duration(0)
		begin := time.Now()
		for time.Since(begin) < 48*time.Hour {
			produce(t, c, now())
			time.Sleep(time.Minute)
			if time.Since(begin) > 8*time.Hour {
				age := time.Since(oldest(t, admin))
				youngest, eldest = min(youngest, age), max(eldest, age)
			}
		}
		// A segment spans an hour and a minute. It goes at the first check after its last record
		// is six hours old, and the log then begins a minute after that record.
		if want := 6*time.Hour - time.Minute; youngest < want || youngest > want+6*time.Minute {
			t.Errorf("youngest age of the oldest record: %v", youngest)
		}
		if want := 7*time.Hour + time.Minute; eldest < want || eldest > want+6*time.Minute {
			t.Errorf("greatest age of the oldest record: %v", eldest)
		}
	})
}

func TestLogStartMovesAsABareModelDoes(t *testing.T) {
	o := fakebroker.Options{CheckInterval: time.Second, Phase: 300 * time.Millisecond}
	configs := map[string]string{"retention.ms": "20000", "retention.bytes": "9000", "segment.ms": "3000", "internal.segment.bytes": "2000"}
	inBubble(t, o, func(t *testing.T, c *fakebroker.Cluster) {
		must(t, c.CreateTopic(t.Context(), "orders", 1, configs))
		settings := model.DefaultSettings()
		settings.RetentionMs, settings.RetentionBytes = 20_000, 9000
		settings.SegmentMs, settings.SegmentBytes = 3000, 2000
		bare := model.NewLog(settings, now())
		var want []fakebroker.Change
		begin := time.Now()
		for tick := 0; time.Since(begin) < 2*time.Minute; tick++ {
			pace := 1 + tick/200%4 // batches of one to four records: now time, now size acts
			stamps := slices.Repeat([]model.Instant{now()}, pace)
			if tick < 600 || tick > 900 { // and then nothing for a while: the log runs empty
				produce(t, c, stamps...)
				base := bare.End()
				must(t, bare.Append(now(), model.Batch{
					Base: base, Last: base + model.Offset(pace) - 1, Size: batchSize(pace),
					MaxStamp: now(), Stamped: true,
				}))
				bare.SetHighWatermark(bare.End())
			}
			time.Sleep(100 * time.Millisecond)
			synctest.Wait()
			if time.Now().UnixMilli()%1000 == 300 {
				from := bare.Start()
				if bare.Pass(now()); bare.Start() != from {
					want = append(want, fakebroker.Change{From: from, To: bare.Start(), At: now()})
				}
			}
		}
		if got := c.Changes(orders); !slices.Equal(got, want) || len(want) < 20 {
			t.Errorf("log start moved\n%v\nwant, as the model,\n%v", got, want)
		}
		listed := dirSize(t, c)
		if listed != bare.Size() {
			t.Errorf("log dir holds %d bytes, want the model's %d", listed, bare.Size())
		}
	})
}

// batchSize is what a batch of records without key and with 100 bytes of value takes, all
// stamped alike: a header and for each record its length (2 bytes), attributes, two deltas,
// two lengths (1 and 2 bytes), the value and a count of headers.
func batchSize(records int) model.Bytes { return model.Bytes(61 + records*(2+1+2+1+2+100+1)) }

func dirSize(t *testing.T, c *fakebroker.Cluster) model.Bytes {
	t.Helper()
	admin := kadm.NewClient(client(t, c))
	defer admin.Close()
	dirs, err := admin.DescribeAllLogDirs(t.Context(), nil)
	must(t, err)
	sum := int64(0)
	for _, d := range dirs {
		sum += d.Size()
	}
	return model.Bytes(sum)
}

func TestDeletionWithinASegmentLeavesTheSizeOfTheFiles(t *testing.T) {
	inBubble(t, fakebroker.Options{Brokers: 3}, func(t *testing.T, c *fakebroker.Cluster) {
		must(t, c.CreateTopic(t.Context(), "orders", 1, nil))
		for range 10 {
			produce(t, c, now(), now())
		}
		whole := dirSize(t, c)
		must(t, c.DeleteRecords(t.Context(), "orders", 0, 7))
		if after := dirSize(t, c); after != whole || whole == 0 {
			t.Errorf("files hold %d bytes, %d after records were deleted", whole, after)
		}
		change, ok := c.Passed(orders, 6)
		if want := (fakebroker.Change{From: 0, To: 7, At: now()}); !ok || change != want {
			t.Errorf("passed offset 6: %v, %v, want %v", change, ok, want)
		}
		if _, ok := c.Passed(orders, 7); ok {
			t.Error("offset 7 is still there and was passed")
		}
	})
}

func TestSettingsAreAnsweredAsABrokerDoes(t *testing.T) {
	o := fakebroker.Options{Brokers: 2, CheckInterval: 2 * time.Second, Configs: map[string]string{"log.roll.ms": "60000"}}
	inBubble(t, o, func(t *testing.T, c *fakebroker.Cluster) {
		must(t, c.CreateTopic(t.Context(), "orders", 1, map[string]string{"retention.ms": "1000", "internal.segment.bytes": "700"}))
		admin := kadm.NewClient(client(t, c))
		defer admin.Close()
		topic, err := admin.DescribeTopicConfigs(t.Context(), "orders")
		must(t, err)
		for name, want := range map[string]string{
			"retention.ms": "1000", "internal.segment.bytes": "700", "segment.ms": "60000", "segment.bytes": "1073741824",
			"file.delete.delay.ms": "60000", "cleanup.policy": "delete", "remote.storage.enable": "false",
		} {
			if got := config(topic[0], name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		for id := range int32(2) {
			broker, err := admin.DescribeBrokerConfigs(t.Context(), id)
			must(t, err)
			for name, want := range map[string]string{
				"log.retention.check.interval.ms": "2000", "log.cleaner.backoff.ms": "15000", "offsets.retention.minutes": "10080",
			} {
				if got := config(broker[0], name); got != want {
					t.Errorf("broker %d: %s is %q, want %q", id, name, got, want)
				}
			}
		}
	})
}

func config(r kadm.ResourceConfig, name string) string {
	for _, one := range r.Configs {
		if one.Key == name {
			return one.MaybeValue()
		}
	}
	return "absent"
}

func TestBatchesOfOtherProducersCount(t *testing.T) {
	inBubble(t, fakebroker.Options{CheckInterval: time.Minute}, func(t *testing.T, c *fakebroker.Cluster) {
		must(t, c.CreateTopic(t.Context(), "orders", 1, map[string]string{"retention.ms": "600000", "segment.ms": "60000"}))
		producer := client(t, c, kgo.DefaultProduceTopic("orders"))
		defer producer.Close()
		for range 30 {
			must(t, producer.ProduceSync(t.Context(), &kgo.Record{Value: make([]byte, 50)}).FirstErr())
			time.Sleep(time.Minute)
		}
		marks, err := c.Marks(t.Context(), orders)
		must(t, err)
		if marks.End != 30 || marks.Start < 15 || marks.Start > 20 {
			t.Errorf("marks are %+v after 30 minutes of one record a minute and 10 minutes of retention", marks)
		}
	})
}

func TestGroupsCommitWithAndWithoutMembers(t *testing.T) {
	inBubble(t, fakebroker.Options{Brokers: 3}, func(t *testing.T, c *fakebroker.Cluster) {
		must(t, c.CreateTopic(t.Context(), "orders", 1, nil))
		produce(t, c, now(), now(), now())
		must(t, c.Commit(t.Context(), "memberless", "orders", 0, 2))
		member := client(t, c, kgo.ConsumerGroup("members"), kgo.ConsumeTopics("orders"), kgo.DisableAutoCommit(),
			kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
		must(t, member.CommitRecords(t.Context(), member.PollFetches(t.Context()).Records()...))
		admin := kadm.NewClient(client(t, c))
		for group, want := range map[string]int64{"memberless": 2, "members": 3} {
			offsets, err := admin.FetchOffsets(t.Context(), group)
			must(t, err)
			if at, ok := offsets.Lookup("orders", 0); !ok || at.At != want {
				t.Errorf("group %s committed %d, %v, want %d", group, at.At, ok, want)
			}
		}
		admin.Close()
		member.Close()
	})
}

func TestTopicCreatedAgainBeginsAnew(t *testing.T) {
	inBubble(t, fakebroker.Options{CheckInterval: time.Second}, func(t *testing.T, c *fakebroker.Cluster) {
		must(t, c.CreateTopic(t.Context(), "orders", 1, map[string]string{"retention.ms": "1000"}))
		produce(t, c, now(), now())
		time.Sleep(5 * time.Second)
		must(t, c.DeleteTopic(t.Context(), "orders"))
		must(t, c.CreateTopic(t.Context(), "orders", 1, nil))
		produce(t, c, now())
		marks, err := c.Marks(t.Context(), orders)
		must(t, err)
		if want := (model.Marks{Start: 0, HighWatermark: 1, End: 1}); marks != want || len(c.Changes(orders)) != 0 {
			t.Errorf("marks %+v, want %+v; changes %v, want none", marks, want, c.Changes(orders))
		}
	})
}

func TestClosedClusterSaysSo(t *testing.T) {
	inBubble(t, fakebroker.Options{}, func(t *testing.T, c *fakebroker.Cluster) {
		must(t, c.Close())
		if err := c.CreateTopic(context.Background(), "orders", 1, nil); !errors.Is(err, fakebroker.ErrClosed) {
			t.Errorf("creating a topic on a closed cluster: %v", err)
		}
	})
}
