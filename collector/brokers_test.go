package collector_test

import (
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
)

func TestBrokerThatRefusesConnectionsIsDownNotGone(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0, 1)
	c := newCollector(t, f.config())
	now := clock()

	// A fourth broker is listed, and nobody listens at its address.
	changed := f.metadata()
	dead := kmsg.NewMetadataResponseBroker()
	dead.NodeID, dead.Host, dead.Port = 9, "127.0.0.1", int32(freePort(t))
	changed.Brokers = append(changed.Brokers, dead)
	for i := range changed.Topics[0].Partitions {
		if p := &changed.Topics[0].Partitions[i]; p.Partition == 1 {
			p.Leader, p.Replicas = 9, []int32{9}
		}
	}
	end := f.answer(kmsg.Metadata, func(kmsg.Request) kmsg.Response { return changed })
	started := time.Now()
	s := poll(t, c, now)
	if took := time.Since(started); took > f.config().BrokerDeadline {
		t.Errorf("a refusal took %v", took)
	}
	fresh(t, "end", s, s.Partitions[key("orders", 0)].End)
	if _, ok := s.Partitions[key("orders", 1)].End.Get(); ok || s.Brokers[9].Up {
		t.Errorf("broker: %+v, partition: %+v", s.Brokers[9], s.Partitions[key("orders", 1)])
	}
	if p := problem(t, s, model.StageEnds, "refused"); p.Broker != 9 || p.Count != 1 {
		t.Errorf("problem: %+v", p)
	}

	end()
	s = pollWhole(t, c, now)
	fresh(t, "end at the leader that is there", s, s.Partitions[key("orders", 1)].End)
}

func TestBrokerThatLeftIsListedWhileItHoldsReplicas(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)
	changed := f.metadata()
	changed.Brokers = slices.DeleteFunc(changed.Brokers, func(b kmsg.MetadataResponseBroker) bool { return b.NodeID != 0 })
	changed.Topics[0].Partitions[0].Replicas = []int32{0, 2}
	defer f.answer(kmsg.Metadata, func(kmsg.Request) kmsg.Response { return changed })()

	s := poll(t, c, now)
	if _, there := s.Brokers[1]; there {
		t.Error("broker 1 left and holds nothing, and is there")
	}
	b, there := s.Brokers[2]
	if !there || b.Up {
		t.Errorf("broker 2 left and holds a replica: %+v", b)
	}
	carried(t, "last answer", s, b.LastAnswer)
}

func TestSeedThatRefusesDoesNotKeepFromTheOthers(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	config := f.config()
	config.Brokers = append([]string{net.JoinHostPort("127.0.0.1", strconv.Itoa(freePort(t)))}, config.Brokers...)
	pollWhole(t, newCollector(t, config), clock())
}

func TestSilentSeedDoesNotKeepFromTheOthers(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts by itself and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	config := f.config()
	config.BrokerDeadline = time.Second
	config.Brokers = append([]string{silent.Addr().String()}, config.Brokers...)
	pollWhole(t, newCollector(t, config), clock())
}

func TestClusterThatComesLater(t *testing.T) {
	port := freePort(t)
	config := collector.Default()
	config.Brokers = []string{net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
	c := newCollector(t, config)
	now := clock()
	for range 2 {
		s := poll(t, c, now)
		if s.Reached || len(s.Brokers) != 0 {
			t.Errorf("reached nobody, and says %+v", s)
		}
		if p := problem(t, s, model.StageMetadata, "refused"); len(s.Problems) != 1 || !strings.Contains(p.Detail, "127.0.0.1") {
			t.Errorf("problems: %+v", s.Problems)
		}
	}

	f := newFake(t, kfake.NumBrokers(1), kfake.Ports(port))
	f.topic("orders", nil, 0)
	s := pollWhole(t, c, now)
	if !s.Reached || len(s.Partitions) != 1 {
		t.Errorf("the cluster is there, and the snapshot is %+v", s)
	}

	f.Close()
	s = poll(t, c, now)
	if s.Reached || s.Brokers[0].Up {
		t.Error("the cluster has gone, and is reached")
	}
	carried(t, "end", s, s.Partitions[key("orders", 0)].End)
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
