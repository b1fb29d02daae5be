package positions_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector/positions"
	"kafka-retention-exporter/model"
)

// connect is a fake cluster with a topic of Connect's, and a reader of it.
type connect struct {
	*kfake.Cluster
	t      *testing.T
	client *kgo.Client
	reader *positions.Reader
}

func newConnect(t *testing.T, change func(*positions.Connect)) *connect {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.BrokerConfigs(map[string]string{"log.cleaner.backoff.ms": "315360000000"}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	client := func() *kgo.Client {
		c, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DisableClientMetrics())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := &connect{Cluster: cluster, t: t, client: client()}
	t.Cleanup(c.client.Close)
	if _, err := kadm.NewClient(c.client).CreateTopic(t.Context(), 2, 1, nil, "offsets"); err != nil {
		t.Fatal(err)
	}
	how := mirror("offsets", "MirrorSourceConnector")
	change(how)
	c.reader = positions.NewTopicReader(positions.Source{Name: "mirror", Connect: how, MaxAge: time.Minute}, client())
	t.Cleanup(c.reader.Close)
	return c
}

func asIs(*positions.Connect) {}

func (c *connect) write(partition int32, at model.Instant, key, value string) {
	c.t.Helper()
	r := &kgo.Record{Topic: "offsets", Partition: partition, Key: []byte(key), Timestamp: time.UnixMilli(int64(at))}
	if value != "" {
		r.Value = []byte(value)
	}
	if err := c.client.ProduceSync(c.t.Context(), r).FirstErr(); err != nil {
		c.t.Fatal(err)
	}
}

func mirrored(partition string) string {
	return `["MirrorSourceConnector",{"cluster":"eu","partition":` + partition + `,"topic":"orders"}]`
}

// says reads and compares.
func (c *connect) says(at model.Instant, offsets map[model.PartitionKey]model.Offset) {
	c.t.Helper()
	told, err := c.reader.Read(c.t.Context(), now)
	if err != nil || told.At != at || !maps.Equal(told.Offsets, offsets) {
		c.t.Errorf("told %v at %v, error %v; want %v at %v", told.Offsets, told.At, err, offsets, at)
	}
}

// fails reads and wants an error with a text in it.
func (c *connect) fails(text string) {
	c.t.Helper()
	if told, err := c.reader.Read(c.t.Context(), now); err == nil || !strings.Contains(err.Error(), text) {
		c.t.Errorf("told %v, error %v; want one with %q", told, err, text)
	}
}

func orders(offsets ...model.Offset) map[model.PartitionKey]model.Offset {
	all := map[model.PartitionKey]model.Offset{}
	for partition, offset := range offsets {
		all[model.PartitionKey{Topic: "orders", Partition: int32(partition)}] = offset
	}
	return all
}

// TestOffsetsOfMirrorMaker: MirrorMaker writes the last record that it copied; the newest record says when
// all was so, and what others write is of no concern.
func TestOffsetsOfMirrorMaker(t *testing.T) {
	c := newConnect(t, asIs)
	c.fails("offsets has no offsets of MirrorSourceConnector")
	c.write(0, asked-9000, mirrored("0"), `{"offset":41}`)
	c.write(1, asked-8000, mirrored("1"), `{"offset":-1}`) // nothing copied yet
	c.says(asked-8000, map[model.PartitionKey]model.Offset{{Topic: "orders"}: 42, {Topic: "orders", Partition: 1}: 0})
	for _, key := range []string{
		`["MirrorHeartbeatConnector",{"sourceClusterAlias":"eu","targetClusterAlias":"us"}]`, `["other",{"partition":0,"topic":"orders"}]`,
		`["MirrorSourceConnector",{"file":"x"}]`, `["MirrorSourceConnector",{"partition":"0","topic":"orders"}]`, `["MirrorSourceConnector",{"partition":-1,"topic":"orders"}]`,
		`["MirrorSourceConnector"]`, `not JSON`, "",
	} {
		c.write(0, asked-1000, key, `{"offset":7}`)
	}
	c.says(asked-8000, orders(42, 0))
	c.write(1, asked-5000, `["MirrorSourceConnector",{"topic":"orders","partition":1,"cluster":"eu"}]`, `{"offset":9007199254740993}`) // more than a float holds
	c.says(asked-5000, orders(42, 9007199254740994))
	c.write(1, asked-4000, mirrored("1"), "") // deleted
	c.says(asked-9000, orders(42))
	c.write(0, asked+120_000, mirrored("0"), `{"offset":50}`)
	c.fails("ahead of this clock")
}

func TestOffsetsThatCannotBeBelieved(t *testing.T) {
	for _, value := range []string{`{}`, `{"offset":"7"}`, `{"offset":1.5}`, `{"offset":-2}`, `{"offset":9223372036854775807}`, `[7]`, `nonsense`} {
		t.Run(value, func(t *testing.T) {
			c := newConnect(t, asIs)
			c.write(0, asked-9000, mirrored("0"), `{"offset":41}`)
			c.write(0, asked-8000, mirrored("1"), value)
			c.fails("partition 1 of orders: ")
			c.write(0, asked-7000, mirrored("1"), `{"offset":6}`)
			c.says(asked-7000, orders(42, 7))
		})
	}
}

func TestOffsetsOfTwoClusters(t *testing.T) {
	for cluster, want := range map[string]model.Offset{"": -1, "eu": 42, "us": 78} {
		c := newConnect(t, func(how *positions.Connect) { how.Cluster = cluster })
		c.write(0, asked-9000, mirrored("0"), `{"offset":41}`)
		c.write(0, asked-9000, strings.Replace(mirrored("0"), "eu", "us", 1), `{"offset":77}`)
		if want < 0 {
			c.fails("partition 0 of orders is there twice")
			continue
		}
		c.says(asked-9000, orders(want))
	}
}

func TestOffsetsByOtherNames(t *testing.T) {
	c := newConnect(t, func(how *positions.Connect) {
		how.Connector, how.TopicField, how.PartitionField, how.OffsetField, how.Next = "copy", "from", "part", "next", true
	})
	c.write(0, asked-9000, `["copy",{"from":"orders","part":0}]`, `{"next":42,"offset":1}`)
	c.write(0, asked-9000, mirrored("0"), `{"offset":7}`)
	c.says(asked-9000, orders(42))
}

func TestTopicOfConnectThatIsNotThere(t *testing.T) {
	newConnect(t, func(how *positions.Connect) { how.Topic = "none" }).fails("none does not exist or was not read to its end yet")
}

func TestTopicThatIsRefused(t *testing.T) {
	c := newConnect(t, asIs)
	c.write(0, asked-9000, mirrored("0"), `{"offset":41}`)
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Topic: "offsets", Err: kerr.TopicAuthorizationFailed})
	c.fails("TOPIC_AUTHORIZATION_FAILED")
	c.says(asked-9000, orders(42))
}
