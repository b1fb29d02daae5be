package endtoend

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// The connector of this test, as MirrorMaker 2 calls it, and where it keeps offsets.
const (
	mirrorConnector = "MirrorSourceConnector"
	mirrorTopic     = "mm2-offsets.eu.internal"
)

// TestPositionsOfAMirror watches a cluster that is copied to another one, which has the mirror's offsets:
// they are shown as a group of its own, with their age. A mirror that writes no more is unknown, neither
// before its time nor much later, and so is one whose cluster is gone. The name of a group of the cluster is
// refused.
func TestPositionsOfAMirror(t *testing.T) {
	kafkatest.Require(t)
	binary := Build(t) // takes longer than what a mirror says is good for
	source, target := kafkatest.Start(t, kafkatest.Options{}), kafkatest.Start(t, kafkatest.Options{})
	ctx := source.Context(3 * time.Minute)
	source.Must(source.CreateTopic(ctx, kafkatest.Topic{Name: "orders", Configs: map[string]string{"retention.ms": "3600000"}}))
	for i := range 10 {
		_, err := source.Produce(ctx, "orders", 0, 100, time.Now().Add(time.Duration(i-10)*time.Minute))
		source.Must(err)
	}
	source.Must(source.Commit(ctx, "taken", "orders", 0, 7))
	target.Must(target.CreateTopic(ctx, kafkatest.Topic{Name: mirrorTopic, Partitions: 3, Configs: map[string]string{"cleanup.policy": "compact"}}))
	mirror := &mirrorWrites{client: target.Client(kgo.RecordPartitioner(kgo.ManualPartitioner())), target: target}
	mirror.write(ctx, `["MirrorHeartbeatConnector",{"sourceClusterAlias":"eu","targetClusterAlias":"us"}]`, `{"offset":9}`)
	mirror.copied(ctx, 2)

	config := filepath.Join(t.TempDir(), "config.yml")
	entry := fmt.Sprintf("connect-topic: %s, connector: %s, brokers: %q", mirrorTopic, mirrorConnector, strings.Join(target.Addresses(), ","))
	writeFile(t, config, fmt.Sprintf("positions:\n- {name: mirror, max-age: 8s, %s}\n- {name: taken, %[1]s}\n- {name: patient, %[1]s}\n", entry))
	program := Run(t, binary, source.Addresses(), nil, "--config.file="+config)

	lag := func(group string) string { return Of("group_lag_records", group, "orders", 0) }
	floor := Of(FloorMetric, "mirror", "orders", 0)
	page := program.Await(t, "mirror and group", Patience, func(p Page) bool { return p.Has(lag("mirror"), lag("patient"), lag("taken"), floor) })
	if page[lag("mirror")] != 7 || page[lag("patient")] != 7 || page[lag("taken")] != 3 {
		t.Errorf("lags of mirror, patient and taken: %g, %g, %g", page[lag("mirror")], page[lag("patient")], page[lag("taken")])
	}
	program.Await(t, "the taken name in the log", Patience, func(Page) bool {
		return strings.Contains(program.Log(), "cause=position_name_taken")
	})

	written := mirror.copied(ctx, 5)
	program.Await(t, "what the mirror says now", Patience, func(p Page) bool { return p[lag("mirror")] == 4 })
	goesStale(t, program, "mirror", written, lag("patient"), lag("taken"))
	mirror.copied(ctx, 9)
	program.Await(t, "the mirror again", Patience, func(p Page) bool { return p.Has(lag("mirror")) && p[lag("mirror")] == 0 && p[StaleSeries] == 0 })

	target.Broker(1).Kill()
	program.Await(t, "the mirror unknown without its cluster", Patience, func(p Page) bool { return !p.Any(lag("patient")) })
	if page := program.Scrape(); !page.Has(lag("taken")) || page["up"] != 1 {
		t.Error("the watched cluster is unknown as well")
	}
}

// mirrorWrites writes what a mirror writes.
type mirrorWrites struct {
	client *kgo.Client
	target *kafkatest.Cluster
}

// copied writes how far the mirror has come, and returns when.
func (m *mirrorWrites) copied(ctx context.Context, last int) time.Time {
	m.write(ctx, `["`+mirrorConnector+`",{"cluster":"eu","partition":0,"topic":"orders"}]`, fmt.Sprintf(`{"offset":%d}`, last))
	return time.Now()
}

func (m *mirrorWrites) write(ctx context.Context, key, value string) {
	r := &kgo.Record{Topic: mirrorTopic, Partition: 1, Key: []byte(key), Value: []byte(value)}
	m.target.Must(m.client.ProduceSync(ctx, r).FirstErr())
}
