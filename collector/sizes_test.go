package collector_test

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

func TestSizeStandsBetweenTwoReadsOfTheEnd(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", map[string]string{"retention.bytes": "1000"}, 0)
	f.produce("orders", 0, 500, 600)
	c := newCollector(t, f.steady())
	now := clock()
	first := value(t, "size", pollWhole(t, c, now).Partitions[key("orders", 0)].Size)
	if first.EndBefore != 2 || first.EndAfter != 2 || !first.Still {
		t.Errorf("size of a log at rest: %+v", first)
	}

	f.ControlKey(int16(kmsg.DescribeLogDirs), func(kmsg.Request) (kmsg.Response, error, bool) {
		f.DropControl()
		f.SleepControl(func() {
			f.produce("orders", 0, 700)
			f.deleteRecords("orders", 0, 1)
		})
		return nil, nil, false
	})
	s := pollWhole(t, c, now)
	size := value(t, "size", s.Partitions[key("orders", 0)].Size)
	if size.EndBefore != 2 || size.EndAfter != 3 || size.LogStart != 0 || size.Still {
		t.Errorf("size of a log that moves: %+v", size)
	}
	want(t, "log start", s.Partitions[key("orders", 0)].LogStart, 0) // as it was before the commits
}

func TestSizesAreReadAtEveryPollOnlyUnderRetentionBytes(t *testing.T) {
	f := newFake(t)
	f.topic("limited", map[string]string{"retention.bytes": "1000"}, 0)
	f.topic("limited-compact", map[string]string{"retention.bytes": "1000", "cleanup.policy": "compact"}, 1)
	f.topic("unlimited", nil, 2)
	c := newCollector(t, f.steady())
	now := clock()
	s := pollWhole(t, c, now)
	for _, topic := range []string{"limited", "limited-compact", "unlimited"} {
		fresh(t, "first size of "+topic, s, s.Partitions[key(topic, 0)].Size)
	}

	requests := f.watch(func() { s = pollWhole(t, c, now) })
	fresh(t, "size under a limit", s, s.Partitions[key("limited", 0)].Size)
	carried(t, "size under a limit that is inert", s, s.Partitions[key("limited-compact", 0)].Size)
	carried(t, "size without a limit", s, s.Partitions[key("unlimited", 0)].Size)
	for _, r := range requests {
		q, ok := r.body.(*kmsg.DescribeLogDirsRequest)
		if ok && (r.node != 0 || len(q.Topics) != 1 || q.Topics[0].Topic != "limited") {
			t.Errorf("broker %d was asked for the log dirs of %+v", r.node, q.Topics)
		}
	}
}

func TestOnlyTheLeadersOwnLogCounts(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 1)
	defer f.answer(kmsg.DescribeLogDirs, func(r kmsg.Request) kmsg.Response {
		response := r.ResponseKind().(*kmsg.DescribeLogDirsResponse)
		size := int64(100)
		if f.CurrentNode() == 1 {
			size = 200
		}
		response.Dirs = []kmsg.DescribeLogDirsResponseDir{
			dir("/data/1", "orders", size, false), dir("/data/2", "orders", 300, true), dir("remote://bucket", "orders", 400, false),
		}
		return response
	})()
	s := pollWhole(t, newCollector(t, f.config()), clock())
	if size := value(t, "size", s.Partitions[key("orders", 0)].Size); size.Bytes != 200 {
		t.Errorf("size: %+v", size)
	}
	var dirs []string
	for path := range s.Brokers[1].Dirs {
		dirs = append(dirs, path)
	}
	slices.Sort(dirs)
	if want := []string{"/data/1", "/data/2"}; !slices.Equal(dirs, want) {
		t.Errorf("log dirs: %v, want %v", dirs, want)
	}
	volume := s.Brokers[1].Dirs["/data/1"]
	want(t, "volume", volume.Total, 1<<40)
	if _, ok := volume.Usable.Get(); ok {
		t.Error("usable bytes of a broker that does not tell them")
	}
}

func dir(path, topic string, size int64, future bool) kmsg.DescribeLogDirsResponseDir {
	partition := kmsg.NewDescribeLogDirsResponseDirTopicPartition()
	partition.Size, partition.IsFuture = size, future
	one := kmsg.NewDescribeLogDirsResponseDirTopic()
	one.Topic, one.Partitions = topic, []kmsg.DescribeLogDirsResponseDirTopicPartition{partition}
	d := kmsg.NewDescribeLogDirsResponseDir()
	d.Dir, d.Topics, d.TotalBytes, d.UsableBytes = path, []kmsg.DescribeLogDirsResponseDirTopic{one}, 1<<40, -1
	return d
}

func TestOfflineLogDirIsAProblemOfItsOwn(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	defer f.answer(kmsg.DescribeLogDirs, func(r kmsg.Request) kmsg.Response {
		response := r.ResponseKind().(*kmsg.DescribeLogDirsResponse)
		offline := kmsg.NewDescribeLogDirsResponseDir()
		offline.Dir, offline.ErrorCode = "/data/broken", 56
		response.Dirs = []kmsg.DescribeLogDirsResponseDir{dir("/data/1", "orders", 100, false), offline}
		return response
	})()
	s := poll(t, newCollector(t, f.config()), clock())
	if size := value(t, "size", s.Partitions[key("orders", 0)].Size); size.Bytes != 100 {
		t.Errorf("size: %+v", size)
	}
	problem(t, s, model.StageLogDirs, "KAFKA_STORAGE_ERROR")
}
