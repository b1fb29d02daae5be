package collector_test

import (
	"maps"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// TestVolumesTellWhatTheyHost: a poll that asks for one partition only does not make the others
// leave their volume.
func TestVolumesTellWhatTheyHost(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("limited", map[string]string{"retention.bytes": "1000"}, 0)
	f.topic("unlimited", nil, 0)
	f.produce("limited", 0, 500)
	c := newCollector(t, f.steady())
	now := clock()
	for poll := range 2 {
		dirs := pollWhole(t, c, now).Brokers[0].Dirs
		if len(dirs) != 1 {
			t.Fatalf("poll %d: %d volumes", poll, len(dirs))
		}
		for dir, v := range dirs {
			for _, want := range []model.PartitionKey{key("limited", 0), key("unlimited", 0)} {
				if _, ok := v.Replicas[want]; !ok {
					t.Errorf("poll %d: %s hosts %v, not %v", poll, dir, v.Replicas, want)
				}
			}
		}
	}
}

// TestEveryReplicasBrokerIsAskedForTheSettings: each replica deletes by its own broker's.
func TestEveryReplicasBrokerIsAskedForTheSettings(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(3))
	if _, err := f.admin.CreateTopic(t.Context(), 1, 3, nil, "replicated"); err != nil {
		t.Fatal(err)
	}
	c := newCollector(t, f.steady())
	if settings := pollWhole(t, c, clock()).Topics["replicated"].Settings; len(settings) != 3 {
		t.Errorf("settings of %d brokers, want 3: %v", len(settings), settings)
	}
}

// TestSettingsAreAskedByNameInOneRequest: a broker is not made to list what nobody reads, nor asked
// once for each topic.
func TestSettingsAreAskedByNameInOneRequest(t *testing.T) {
	f := newFake(t)
	for _, topic := range []string{"a", "b", "c"} {
		f.topic(topic, nil, 0, 1, 2)
	}
	c := newCollector(t, f.steady())
	asked := map[int32]int{}
	for _, r := range f.watch(func() { pollWhole(t, c, clock()) }) {
		q, ok := r.body.(*kmsg.DescribeConfigsRequest)
		if !ok {
			continue
		}
		asked[r.node]++
		if len(q.Resources) != 4 {
			t.Errorf("broker %d is asked about %d resources, want three topics and itself", r.node, len(q.Resources))
		}
		for _, one := range q.Resources {
			if len(one.ConfigNames) == 0 {
				t.Errorf("all settings of %s are asked for", one.ResourceName)
			}
		}
	}
	if want := map[int32]int{0: 1, 1: 1, 2: 1}; !maps.Equal(asked, want) {
		t.Errorf("requests by broker: %v, want %v", asked, want)
	}
}
